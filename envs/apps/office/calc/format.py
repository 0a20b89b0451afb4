"""Tools on the formatting of cells: characters, borders, number formats, merging."""

from __future__ import annotations

import re
from typing import Any, Literal

from envs.apps.office.calc.access import area_of, range_of, require_changeable
from envs.apps.office.documents import exception_name
from envs.apps.office.lengths import from_cm, from_points
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import constant, enum, struct

COLORS = {
    "black": 0x000000,
    "white": 0xFFFFFF,
    "red": 0xFF0000,
    "green": 0x008000,
    "lime": 0x00FF00,
    "blue": 0x0000FF,
    "yellow": 0xFFFF00,
    "orange": 0xFFA500,
    "purple": 0x800080,
    "pink": 0xFFC0CB,
    "brown": 0xA52A2A,
    "gray": 0x808080,
    "grey": 0x808080,
    "cyan": 0x00FFFF,
    "magenta": 0xFF00FF,
    "lightgray": 0xD3D3D3,
    "lightblue": 0xADD8E6,
    "lightgreen": 0x90EE90,
    "navy": 0x000080,
    "gold": 0xFFD700,
}
NUMBER_FORMATS = {
    "general": "General",
    "integer": "0",
    "number": "#,##0.00",
    "percent": "0.00%",
    "currency": "[$$-409]#,##0.00",
    "date": "YYYY-MM-DD",
    "time": "HH:MM:SS",
    "datetime": "YYYY-MM-DD HH:MM:SS",
    "scientific": "0.00E+00",
    "fraction": "# ?/?",
    "text": "@",
}

tools = ToolGroup("calc")


@tools.tool("calc.format_range")
def format_range(
    doc: Any,
    range: str,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
    strikethrough: bool | None = None,
    font: str | None = None,
    size: float | None = None,
    color: str | None = None,
    background: str | None = None,
    align: Literal["left", "center", "right", "justify", "standard"] | None = None,
    vertical: Literal["top", "center", "bottom", "standard"] | None = None,
    wrap: bool | None = None,
    indent_cm: float | None = None,
    rotation: float | None = None,
) -> None:
    """Formats cells; what is left out stays as it is.

    size: in points. color, background (highlight): #RRGGBB, a name such as yellow, or none.
    rotation: degrees.
    """
    cells = require_changeable(range_of(doc, range))
    all_properties: dict[str, Any] = {
        "CharWeight": None if bold is None else 150.0 if bold else 100.0,
        "CharPosture": None
        if italic is None
        else enum("awt.FontSlant", "ITALIC" if italic else "NONE"),
        "CharUnderline": None if underline is None else int(underline),
        "CharStrikeout": None if strikethrough is None else int(strikethrough),
        "CharFontName": font,
        "CharHeight": size,
        "CharColor": None if color is None else color_number(color),
        "CellBackColor": None if background is None else color_number(background),
        "HoriJustify": None
        if align is None
        else enum("table.CellHoriJustify", "BLOCK" if align == "justify" else align.upper()),
        "VertJustify": None if vertical is None else _vertical(vertical),
        "IsTextWrapped": wrap,
        "ParaIndent": None if indent_cm is None else from_cm(indent_cm),
        "RotateAngle": None if rotation is None else round(rotation * 100),
    }
    properties = {name: value for name, value in all_properties.items() if value is not None}
    if not properties:
        raise OfficeError("bad_value", "nothing to format: give bold, color, size or another")
    if size is not None and not 1 <= size <= 500:
        raise OfficeError("bad_value", f"size must be 1 to 500 points, not {size}")
    for name, value in properties.items():
        setattr(cells, name, value)


@tools.tool("calc.set_borders")
def set_borders(
    doc: Any,
    range: str,
    where: Literal["all", "outline", "top", "bottom", "left", "right", "none"] = "all",
    points: float = 0.75,
    color: str = "black",
) -> None:
    """Draws borders around and between cells, or takes them all away (none).

    points: width of the lines.
    """
    cells = require_changeable(range_of(doc, range))
    line = struct(
        "table.BorderLine2",
        Color=color_number(color),
        OuterLineWidth=from_points(points),
        LineWidth=from_points(points),
    )
    empty = struct("table.BorderLine2")
    sides = ("Top", "Bottom", "Left", "Right")
    border = struct("table.TableBorder2")
    for side in sides:
        drawn = where in ("all", "outline", side.lower())
        setattr(border, f"{side}Line", line if drawn else empty)
        setattr(border, f"Is{side}LineValid", drawn or where == "none")
    for inner in ("Horizontal", "Vertical"):
        setattr(border, f"{inner}Line", line if where == "all" else empty)
        setattr(border, f"Is{inner}LineValid", where in ("all", "none"))
    cells.TableBorder2 = border


@tools.tool("calc.set_number_format")
def set_number_format(doc: Any, range: str, format: str) -> str:
    """Sets how numbers are shown and gives the format code.

    format: general, integer, number, percent, currency, date, time, datetime, scientific, fraction,
    text, or a format code such as 0.000, #,##0 or DD/MM/YYYY.
    """
    code = NUMBER_FORMATS.get(format.lower(), format)
    cells = require_changeable(range_of(doc, range))
    cells.NumberFormat = format_key(doc, code)
    shown: str = doc.NumberFormats.getByKey(cells.NumberFormat).FormatString
    return shown


@tools.tool("calc.merge_cells")
def merge_cells(doc: Any, range: str, center: bool = False) -> None:
    """Merges a range into one cell, which keeps the content of the upper left one."""
    cells = require_changeable(range_of(doc, range))
    area = area_of(cells)
    if (area.width, area.height) == (1, 1):
        raise OfficeError("bad_value", f"{range!r} is one cell; merging needs more, such as A1:C1")
    cells.merge(True)
    if center:
        cells.HoriJustify = enum("table.CellHoriJustify", "CENTER")


@tools.tool("calc.unmerge_cells")
def unmerge_cells(doc: Any, range: str) -> None:
    """Splits the merged cells of a range."""
    require_changeable(range_of(doc, range)).merge(False)


def color_number(color: str) -> int:
    """#RRGGBB or a name as UNO's number; none is -1. Raises OfficeError(bad_value)."""
    word = color.strip().lower()
    if word in ("none", "automatic", "transparent"):
        return -1
    if re.fullmatch(r"#?[0-9a-f]{6}", word):
        return int(word.lstrip("#"), 16)
    if word.replace(" ", "") in COLORS:
        return COLORS[word.replace(" ", "")]
    raise OfficeError(
        "bad_value", f"{color!r} is not a color; write #RRGGBB, none, or one of {', '.join(COLORS)}"
    )


def format_key(doc: Any, code: str) -> int:
    """The key of an English format code, which is added when new. Raises OfficeError(bad_value).

    The format gets the office's own language: with any other, files would carry a language mark.
    """
    office_locale = struct("lang.Locale")
    english = struct("lang.Locale", Language="en", Country="US")
    key = int(doc.NumberFormats.queryKey(code, office_locale, False))
    if key != -1:
        return key
    try:
        return int(doc.NumberFormats.addNewConverted(code, english, office_locale))
    except Exception as error:
        if exception_name(error) != "MalformedNumberFormatException":
            raise
        known = ", ".join(NUMBER_FORMATS)
        raise OfficeError("bad_value", f"{code!r} is not a format code; names: {known}") from error


def _vertical(vertical: str) -> int:
    return int(constant(f"table.CellVertJustify2.{vertical.upper()}"))
