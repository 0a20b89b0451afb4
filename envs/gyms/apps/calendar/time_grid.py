"""Where events stand on a grid of hours: those that overlap stand side by side.

Guarantees: no event covers another, so that each can be clicked.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from envs.gyms.apps.calendar.data import Item
from envs.gyms.apps.calendar.times import CLOSES, OPENS, to_clock, to_minutes
from envs.gyms.kit.html import el

LEAST_MINUTES = 30
"""A shorter event is drawn as long as this."""


def place_events(events: Sequence[Item]) -> list[str]:
    """The place of each event on its day as CSS variables: minutes since OPENS, length in minutes,
    and left edge and width in hundredths of the day's column."""
    spans = [(to_minutes(event["start"]), _get_end(event)) for event in events]
    order = sorted(range(len(events)), key=lambda index: spans[index])
    places = [""] * len(events)
    group: list[int] = []
    group_end = 0
    for index in order:
        start, end = spans[index]
        if group and start >= group_end:
            _place_group(group, spans, places)
            group = []
        group.append(index)
        group_end = max(group_end, end) if len(group) > 1 else end
    _place_group(group, spans, places)
    return places


def _get_end(event: Item) -> int:
    return max(to_minutes(event["end"]), to_minutes(event["start"]) + LEAST_MINUTES)


def _place_group(group: Sequence[int], spans: Sequence[tuple[int, int]], places: list[str]) -> None:
    """Gives each event of a group the first lane that is free when it begins."""
    lane_ends: list[int] = []
    lanes: dict[int, int] = {}
    for index in group:
        start, end = spans[index]
        free = (lane for lane, lane_end in enumerate(lane_ends) if lane_end <= start)
        lane = next(free, len(lane_ends))
        lane_ends[lane : lane + 1] = [end]
        lanes[index] = lane
    for index, lane in lanes.items():
        start, end = spans[index]
        wide = 100 / len(lane_ends)
        places[index] = (
            f"--at:{start - to_minutes(OPENS)};--long:{end - start};"
            f"--left:{lane * wide:.4g}%;--wide:{wide:.4g}%"
        )


def render_time_grid(table: Markup, class_: str) -> Markup:
    """A table of events with the hours drawn beside it; they are no part of the page's tree."""
    hours = range(to_minutes(OPENS), to_minutes(CLOSES), 60)
    texts = [
        el("text", to_clock(hour), x=0, y=f"{10 * index + 0.5:.4g}%")
        for index, hour in enumerate(hours)
    ]
    drawing = el("svg", texts, class_="hours", aria_hidden="true")
    return el("div", drawing, table, class_=f"timegrid {class_}")
