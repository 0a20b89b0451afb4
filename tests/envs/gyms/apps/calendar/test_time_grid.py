"""Events that overlap stand side by side; the hours are drawn and not read."""

from __future__ import annotations

from markupsafe import Markup

from envs.gyms.apps.calendar.time_grid import place_events, render_time_grid


def spans(*pairs: str) -> list[dict[str, str]]:
    return [dict(zip(("start", "end"), pair.split("-"), strict=True)) for pair in pairs]


def test_an_event_alone_takes_the_whole_width() -> None:
    (place,) = place_events(spans("09:30-11:00"))
    assert place == "--at:90;--long:90;--left:0%;--wide:100%"


def test_overlapping_events_share_the_width_and_others_do_not() -> None:
    places = place_events(spans("13:00-14:00", "09:00-10:00", "09:30-10:30", "10:00-11:00"))
    assert [place.partition("--left:")[2] for place in places] == [
        "0%;--wide:100%",
        "0%;--wide:50%",
        "50%;--wide:50%",
        "0%;--wide:50%",
    ]


def test_a_long_event_holds_its_group_together() -> None:
    places = place_events(spans("08:00-12:00", "08:30-09:00", "11:00-11:30"))
    assert [place.partition("--left:")[2] for place in places] == [
        "0%;--wide:50%",
        "50%;--wide:50%",
        "50%;--wide:50%",
    ]


def test_a_very_short_event_is_long_enough_to_be_read() -> None:
    assert "--long:30;" in place_events(spans("08:00-08:10"))[0]


def test_no_events_have_no_places() -> None:
    assert place_events([]) == []


def test_the_hours_of_a_grid_are_drawn() -> None:
    html = render_time_grid(Markup("<table></table>"), "weekgrid")
    assert html.count("<text") == 10
    assert ">08:00</text>" in html
    assert 'aria-hidden="true"' in html
