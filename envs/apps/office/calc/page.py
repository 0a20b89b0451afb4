"""Tools on how sheets are printed. Each changed sheet gets its own page style."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.calc.access import range_at, sheet_named
from envs.apps.office.calc.addresses import LAST_COLUMN, parse_area
from envs.apps.office.lengths import from_cm
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import struct

PAPER_CM = {"A3": (29.7, 42.0), "A4": (21.0, 29.7), "A5": (14.8, 21.0), "letter": (21.59, 27.94)}
MARGINS = ("TopMargin", "BottomMargin", "LeftMargin", "RightMargin")
COPIED = (
    *MARGINS,
    "IsLandscape",
    "Size",
    "PageScale",
    "ScaleToPages",
    "ScaleToPagesX",
    "ScaleToPagesY",
    "PrintGrid",
    "CenterHorizontally",
    "CenterVertically",
    "HeaderIsOn",
    "FooterIsOn",
)
"""Properties that a sheet's own page style takes over from the shared one."""

tools = ToolGroup("calc")


@tools.tool("calc.set_print_area")
def set_print_area(doc: Any, ranges: list[str], sheet: str | None = None) -> None:
    """Prints only these ranges of a sheet; an empty list prints all of it."""
    target_sheet = sheet_named(doc, sheet)
    areas = [parse_area(text) for text in ranges]
    names = {area.sheet for area in areas if area.sheet is not None}
    elsewhere = [name for name in names if sheet_named(doc, name).Name != target_sheet.Name]
    if elsewhere:
        raise OfficeError("bad_value", f"ranges of {target_sheet.Name!r} only, not of {elsewhere}")
    target_sheet.setPrintAreas(tuple(range_at(target_sheet, area).RangeAddress for area in areas))


@tools.tool("calc.repeat_rows")
def repeat_rows(doc: Any, rows: str | None, sheet: str | None = None) -> None:
    """Prints rows such as 1:1 on top of every page; null for none."""
    target_sheet = sheet_named(doc, sheet)
    if rows is not None:
        area = parse_area(rows)
        if (area.left, area.right) != (0, LAST_COLUMN):
            raise OfficeError("bad_value", f"{rows!r} must be rows, such as 1:1")
        target_sheet.setTitleRows(range_at(target_sheet, area).RangeAddress)
    target_sheet.setPrintTitleRows(rows is not None)


@tools.tool("calc.page_setup")
def page_setup(
    doc: Any,
    sheet: str | None = None,
    orientation: Literal["portrait", "landscape"] | None = None,
    paper: Literal["A3", "A4", "A5", "letter"] | None = None,
    margins_cm: float | None = None,
    fit_pages_wide: int | None = None,
    fit_pages_high: int | None = None,
    center: bool | None = None,
    grid: bool | None = None,
    header: str | None = None,
    footer: str | None = None,
) -> None:
    """Sets up the printed page of a sheet; what is left out stays.

    fit_pages_wide, fit_pages_high: shrink to that many pages, 0 for any. grid: print grid lines.
    header, footer: text in the middle; "" for none.
    """
    style = _exclusive_style(doc, sheet_named(doc, sheet))
    if margins_cm is not None and not 0 <= margins_cm <= 10:
        raise OfficeError("bad_value", f"margins_cm must be 0 to 10, not {margins_cm}")
    if orientation is not None or paper is not None:
        _set_paper(style, orientation, paper)
    properties: dict[str, Any] = {
        "ScaleToPagesX": fit_pages_wide,
        "ScaleToPagesY": fit_pages_high,
        "CenterHorizontally": center,
        "PrintGrid": grid,
        **({} if margins_cm is None else dict.fromkeys(MARGINS, from_cm(margins_cm))),
    }
    for name, value in properties.items():
        if value is not None:
            setattr(style, name, value)
    for part, text in (("Header", header), ("Footer", footer)):
        if text is not None:
            _set_text(style, part, text)


def _set_paper(style: Any, orientation: str | None, paper: str | None) -> None:
    size = style.Size
    sides = [size.Width, size.Height]
    if paper is not None:
        sides = [from_cm(side) for side in PAPER_CM[paper]]
    landscape = style.IsLandscape if orientation is None else orientation == "landscape"
    style.IsLandscape = landscape
    style.Size = struct(
        "awt.Size",
        Width=max(sides) if landscape else min(sides),
        Height=min(sides) if landscape else max(sides),
    )


def _set_text(style: Any, part: str, text: str) -> None:
    setattr(style, f"{part}IsOn", bool(text))
    if text:
        content = getattr(style, f"RightPage{part}Content")
        for side in ("LeftText", "CenterText", "RightText"):
            getattr(content, side).String = text if side == "CenterText" else ""
        setattr(style, f"RightPage{part}Content", content)


def _exclusive_style(doc: Any, sheet: Any) -> Any:
    """The sheet's page style; a copy of it when other sheets use it too."""
    styles = doc.StyleFamilies.getByName("PageStyles")
    shared = styles.getByName(sheet.PageStyle)
    if sum(1 for other in doc.Sheets if other.PageStyle == sheet.PageStyle) == 1:
        return shared
    name = f"Page of {sheet.Name}"
    if not styles.hasByName(name):
        styles.insertByName(name, doc.createInstance("com.sun.star.style.PageStyle"))
    copy = styles.getByName(name)
    for property_name in COPIED:
        setattr(copy, property_name, getattr(shared, property_name))
    sheet.PageStyle = name
    return copy
