"""Tools on charts.

A chart's name is that of its shape, because the name in `sheet.Charts` changes when the sheet is
moved or the file is saved.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Literal

from envs.apps.office.calc.access import area_of, cell_of, require_changeable, sheet_named, table_of
from envs.apps.office.lengths import UNITS_PER_CM, from_cm
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import enum, struct

DIAGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "column": ("BarDiagram", {"Vertical": False}),
    "bar": ("BarDiagram", {"Vertical": True}),
    "line": ("LineDiagram", {}),
    "line_points": ("LineDiagram", {"SymbolType": -1}),
    "area": ("AreaDiagram", {}),
    "pie": ("PieDiagram", {}),
    "donut": ("DonutDiagram", {}),
    "scatter": ("XYDiagram", {"Lines": False}),
    "scatter_lines": ("XYDiagram", {"Lines": True, "SymbolType": -1}),
    "net": ("NetDiagram", {}),
}
"""UNO's diagram of each kind, and the properties set on it."""

WITHOUT_AXES = ("pie", "donut", "net")

Kind = Literal[
    "column",
    "bar",
    "line",
    "line_points",
    "area",
    "pie",
    "donut",
    "scatter",
    "scatter_lines",
    "net",
]
Legend = Literal["top", "bottom", "left", "right", "none"]

tools = ToolGroup("calc")


@tools.tool("calc.create_chart")
def create_chart(
    doc: Any,
    range: str,
    kind: Kind = "column",
    cell: str | None = None,
    title: str | None = None,
    x_title: str | None = None,
    y_title: str | None = None,
    legend: Legend = "right",
    stacked: Literal["no", "yes", "percent"] = "no",
    series_in: Literal["columns", "rows"] = "columns",
    header: bool = True,
    labels: bool = True,
    width_cm: float = 16,
    height_cm: float = 9,
    name: str | None = None,
) -> str:
    """Draws a chart of a range and gives the chart's name.

    range: data with a header row (header) and a first column of labels (labels). cell: its upper
    left corner, right of the data if left out. name: for later calls; made up if left out.
    """
    cells = table_of(doc, range)
    area = area_of(cells)
    place = require_changeable(cells if cell is None else cell_of(doc, cell))
    sheet = place.Spreadsheet
    if not (0 < width_cm <= 100 and 0 < height_cm <= 100):
        raise OfficeError("bad_value", "width_cm and height_cm must be more than 0, at most 100")
    if (area.width, area.height) == (1, 1):
        raise OfficeError("bad_value", f"{area} is one cell; a chart needs a range")
    _check_axes(kind in WITHOUT_AXES, x_title, y_title)
    known = charts_of(sheet)
    if name in known:
        raise OfficeError("bad_value", f"there is a chart {name!r} already")
    chosen = name or _free_name(known)
    corner = place.Position
    frame = struct(
        "awt.Rectangle",
        X=corner.X + (cells.Size.Width + UNITS_PER_CM // 2 if cell is None else 0),
        Y=corner.Y,
        Width=from_cm(width_cm),
        Height=from_cm(height_cm),
    )
    chart = _insert_chart(
        sheet,
        name=chosen,
        frame=frame,
        cells=cells,
        column_headers=header and area.height > 1,
        row_headers=labels and area.width > 1,
    )
    _set_diagram(chart, kind, series_in, stacked)
    _set_titles(chart, title, x_title, y_title)
    _set_legend(chart, legend)
    return chosen


@tools.tool("calc.edit_chart")
def edit_chart(
    doc: Any,
    name: str | None = None,
    sheet: str | None = None,
    title: str | None = None,
    x_title: str | None = None,
    y_title: str | None = None,
    legend: Legend | None = None,
    data_labels: Literal["none", "value", "percent"] | None = None,
) -> None:
    """Changes a chart's titles, legend position and data labels; what is left out stays.

    name: as in calc.info; not needed when the sheet has one chart. title: "" takes it away.
    """
    chart = _find_chart(doc, name, sheet).EmbeddedObject
    service = chart.Diagram.DiagramType.rpartition(".")[2]
    _check_axes(service in {DIAGRAMS[kind][0] for kind in WITHOUT_AXES}, x_title, y_title)
    _set_titles(chart, title, x_title, y_title)
    if legend is not None:
        _set_legend(chart, legend)
    if data_labels is not None:
        chart.Diagram.DataCaption = {"none": 0, "value": 1, "percent": 2}[data_labels]


@tools.tool("calc.delete_chart")
def delete_chart(doc: Any, name: str | None = None, sheet: str | None = None) -> None:
    """Deletes a chart.

    name: as in calc.info; not needed when the sheet has one chart.
    """
    chart = _find_chart(doc, name, sheet)
    sheet_named(doc, sheet).Charts.removeByName(chart.Name)


def charts_of(sheet: Any) -> dict[str, Any]:
    """The sheet's charts by name; LibreOffice's internal name for one without a name."""
    return {
        shape.Name or shape.PersistName: sheet.Charts.getByName(shape.PersistName)
        for shape in _shapes(sheet)
        if sheet.Charts.hasByName(shape.PersistName)
    }


def _shapes(sheet: Any) -> list[Any]:
    return [
        shape for shape in sheet.DrawPage if shape.supportsService("com.sun.star.drawing.OLE2Shape")
    ]


def _insert_chart(
    sheet: Any, *, name: str, frame: Any, cells: Any, column_headers: bool, row_headers: bool
) -> Any:
    """Adds a chart with this shape's name; returns its document."""
    internal_name = _free_name(sheet.Charts.ElementNames)
    sheet.Charts.addNewByName(
        internal_name, frame, (cells.RangeAddress,), column_headers, row_headers
    )
    shape = next(shape for shape in _shapes(sheet) if shape.PersistName == internal_name)
    shape.Name = name
    return sheet.Charts.getByName(internal_name).EmbeddedObject


def _set_diagram(chart: Any, kind: Kind, series_in: str, stacked: str) -> None:
    service, properties = DIAGRAMS[kind]
    chart.Diagram = chart.createInstance(f"com.sun.star.chart.{service}")
    if series_in == "rows":
        chart.Diagram.DataRowSource = enum("chart.ChartDataRowSource", "ROWS")
    if stacked != "no":
        properties = {**properties, "Stacked": True, "Percent": stacked == "percent"}
    for name, value in properties.items():
        setattr(chart.Diagram, name, value)


def _find_chart(doc: Any, name: str | None, sheet: str | None) -> Any:
    place = require_changeable(sheet_named(doc, sheet))
    charts = charts_of(place)
    if name is None and len(charts) == 1:
        return next(iter(charts.values()))
    if name in charts:
        return charts[name]
    problem = "say which chart" if name is None else f"there is no chart {name!r}"
    known = ", ".join(charts) or "none"
    raise OfficeError("not_found", f"{problem}; on sheet {place.Name!r}: {known}")


def _check_axes(without: bool, x_title: str | None, y_title: str | None) -> None:
    if without and (x_title or y_title):
        raise OfficeError("bad_value", "this kind of chart has no axes that could have titles")


def _set_titles(chart: Any, title: str | None, x_title: str | None, y_title: str | None) -> None:
    diagram = chart.Diagram
    if title is not None:
        chart.HasMainTitle = bool(title)
        chart.Title.String = title
    for axis, text in (("X", x_title), ("Y", y_title)):
        if text is not None:
            setattr(diagram, f"Has{axis}AxisTitle", bool(text))
            getattr(diagram, f"{axis}AxisTitle").String = text


def _set_legend(chart: Any, legend: Legend) -> None:
    chart.HasLegend = legend != "none"
    if legend != "none":
        chart.Legend.Alignment = enum("chart.ChartLegendPosition", legend.upper())


def _free_name(taken: Collection[str]) -> str:
    number = len(taken) + 1
    while f"Chart {number}" in taken:
        number += 1
    return f"Chart {number}"
