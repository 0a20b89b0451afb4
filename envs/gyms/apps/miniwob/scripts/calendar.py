"""Picking a day in a jQuery UI calendar that shows one month at a time."""

from __future__ import annotations

from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script
from envs.gyms.server.gym import OracleLost

_MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_MAX_TURNS = 30


def date_from_calendar(page: LivePage) -> Moves:
    """The query gives a date as month/day/year."""
    month, day, year = map(int, page.match_query(r"(\d+)/(\d+)/(\d+)"))
    yield page.click(page.box())
    yield from pick_day(page, year, month, day)
    yield page.submit()


def pick_day(page: LivePage, year: int, month: int, day: int) -> Moves:
    """Turns an open calendar to the month and clicks the day. Raises OracleLost."""
    goal = year * 12 + month - 1
    for _ in range(_MAX_TURNS):
        shown = shown_month(page)
        evidence = f"Month {shown % 12 + 1}, asked {month}"
        if shown == goal:
            yield page.click(page.get(str(day), "link"), f"{evidence}: day {day}.")
            return
        button = "Prev" if shown > goal else "Next"
        yield page.click(page.get(button), f"{evidence}: {button.lower()}.")
    raise OracleLost(f"the calendar does not come to {month}/{year}")


def shown_month(page: LivePage) -> int:
    """Months since year 0 of the month that the calendar shows. Raises OracleLost."""
    for text in page.texts:
        words = text.split()
        if len(words) >= 2 and words[0] in _MONTHS and words[1].isdigit():
            return int(words[1]) * 12 + _MONTHS.index(words[0])
    raise OracleLost("no calendar is open")


SCRIPTS: dict[str, Script] = {
    "choose-date": date_from_calendar,
    "choose-date-easy": date_from_calendar,
    "choose-date-medium": date_from_calendar,
    "choose-date-nodelay": date_from_calendar,
}
