"""Turning a calendar to a month."""

from __future__ import annotations

import pytest

from envs.gyms.apps.miniwob.scripts.calendar import date_from_calendar, pick_day, shown_month
from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves
from envs.gyms.server.gym import OracleLost
from tests.envs.gyms.apps.miniwob.play import live_page, observation, play, thoughts


def month(name: str) -> tuple[str, ...]:
    return ("text query", f"text {name}", "button Prev #", "button Next #", "link 7 #")


def test_months_are_counted_from_year_zero() -> None:
    assert shown_month(live_page("text query", "text December 2016")) == 2016 * 12 + 11
    with pytest.raises(OracleLost, match="no calendar"):
        shown_month(live_page("text query", "text Maybe 2016"))


@pytest.mark.parametrize(
    ("first", "button"), [("December 2015", "Next"), ("February 2016", "Prev")]
)
def test_turns_towards_the_month(first: str, button: str) -> None:
    def january(page: LivePage) -> Moves:
        yield from pick_day(page, 2016, 1, 7)

    pages = [observation(*month(first)), observation(*month("January 2016"))]
    assert play(january, *pages) == [f"click {button}", "click 7"]
    shown = 12 if button == "Next" else 2
    assert thoughts(january, *pages) == [
        f"Month {shown}, asked 1: {button.lower()}.",
        "Month 1, asked 1: day 7.",
    ]
    with pytest.raises(OracleLost, match="1/2016"):
        play(january, pages[0])


def test_a_date_of_the_query() -> None:
    page = observation(
        "text Select 01/07/2016 as the date and hit submit.",
        "box #",
        "text January 2016",
        "link 7 #",
        "button Submit #",
    )
    assert play(date_from_calendar, page) == ["click", "click 7", "click Submit"]
