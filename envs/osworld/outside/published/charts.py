"""What a sheet's charts show, and how.

Properties: type, title, xtitle, ytitle, ztitle, legend (its place), direction ("bar" or "col"),
anchor (cells), width, height.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from envs.osworld.outside.metrics.sheet_formatting import reference, title

Source = tuple[tuple[str | None, str | None], ...]
"""Of each series: the range of its values, that of its categories (or of x)."""


def describe_charts(sheet: Any, names: Sequence[str]) -> list[tuple[Source, dict[str, Any]]]:
    """Each chart, in an order that does not depend on that in the file. Raises ValueError for a
    property that there is not."""
    unknown = set(names) - PROPERTIES.keys()
    if unknown:
        raise ValueError(f"charts have no property {', '.join(sorted(unknown))}")
    charts = [
        (_source(chart), {name: PROPERTIES[name](chart) for name in names})
        for chart in sheet._charts
    ]
    return sorted(charts, key=repr)


def _source(chart: Any) -> Source:
    return tuple(
        (
            reference(getattr(series, "val", None) or getattr(series, "yVal", None)),
            reference(getattr(series, "cat", None) or getattr(series, "xVal", None)),
        )
        for part in chart._charts
        for series in part.series
    )


def _axis_title(axis: str) -> Callable[[Any], str | None]:
    def read(chart: Any) -> str | None:
        axis_object = getattr(chart, axis, None)
        return None if axis_object is None else title(axis_object)

    return read


def _legend(chart: Any) -> str | None:
    return None if chart.legend is None else str(chart.legend.position)


def _anchor(chart: Any) -> Any:
    corners = (getattr(chart.anchor, name, None) for name in ("_from", "to"))
    return [None if corner is None else (corner.col, corner.row) for corner in corners]


def _extent(axis: str, length: str) -> Callable[[Any], Any]:
    """In EMU where the chart has a size of its own, else in columns or rows."""

    def read(chart: Any) -> Any:
        own = getattr(chart.anchor, "ext", None)
        if own is not None:
            return ("emu", getattr(own, length))
        first, last = chart.anchor._from, chart.anchor.to
        return ("cells", getattr(last, axis) - getattr(first, axis))

    return read


PROPERTIES: dict[str, Callable[[Any], Any]] = {
    "type": lambda chart: [part.tagname for part in chart._charts],
    "title": title,
    "xtitle": _axis_title("x_axis"),
    "ytitle": _axis_title("y_axis"),
    "ztitle": _axis_title("z_axis"),
    "legend": _legend,
    "direction": lambda chart: getattr(chart, "barDir", None),
    "anchor": _anchor,
    "width": _extent("col", "width"),
    "height": _extent("row", "height"),
}
