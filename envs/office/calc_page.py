"""Tools on how sheets are printed. Each sheet changed gets a page style of its own."""

from __future__ import annotations

from typing import Any, Literal

from envs.office.calc_access import range_at, sheet_named
from envs.office.calc_addresses import LAST_COLUMN, parse_area
from envs.office.calc_uno import struct
from envs.office.registry import OfficeError, office_tool

CM = 1000
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
"""What a page style of a sheet's own takes over from the one it shared."""


@office_tool("calc.set_print_area", "calc")
def set_print_area(doc: Any, ranges: list[str], sheet: str | None = None) -> None:
    """Prints only these ranges of a sheet; an empty list prints all of it."""
    found = sheet_named(doc, sheet)
    areas = [parse_area(one) for one in ranges]
    names = {area.sheet for area in areas if area.sheet is not None}
    elsewhere = [name for name in names if sheet_named(doc, name).Name != found.Name]
    if elsewhere:
        raise OfficeError("bad_value", f"ranges of {found.Name!r} only, not of {elsewhere}")
    found.setPrintAreas(tuple(range_at(found, area).RangeAddress for area in areas))


@office_tool("calc.repeat_rows", "calc")
def repeat_rows(doc: Any, rows: str | None, sheet: str | None = None) -> None:
    """Prints rows such as 1:1 on top of every page; null for none."""
    found = sheet_named(doc, sheet)
    if rows is not None:
        area = parse_area(rows)
        if (area.left, area.right) != (0, LAST_COLUMN):
            raise OfficeError("bad_value", f"{rows!r} must be rows, such as 1:1")
        found.setTitleRows(range_at(found, area).RangeAddress)
    found.setPrintTitleRows(rows is not None)


@office_tool("calc.page_setup", "calc")
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
    style = _own_style(doc, sheet_named(doc, sheet))
    if margins_cm is not None and not 0 <= margins_cm <= 10:
        raise OfficeError("bad_value", f"margins_cm must be 0 to 10, not {margins_cm}")
    if orientation is not None or paper is not None:
        _set_paper(style, orientation, paper)
    looks: dict[str, Any] = {
        "ScaleToPagesX": fit_pages_wide,
        "ScaleToPagesY": fit_pages_high,
        "CenterHorizontally": center,
        "PrintGrid": grid,
        **({} if margins_cm is None else dict.fromkeys(MARGINS, round(margins_cm * CM))),
    }
    for name, value in looks.items():
        if value is not None:
            setattr(style, name, value)
    for part, text in (("Header", header), ("Footer", footer)):
        if text is not None:
            _set_text(style, part, text)


def _set_paper(style: Any, orientation: str | None, paper: str | None) -> None:
    size = style.Size
    sides = [size.Width, size.Height]
    if paper is not None:
        sides = [round(side * CM) for side in PAPER_CM[paper]]
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


def _own_style(doc: Any, sheet: Any) -> Any:
    """The sheet's page style; a copy of it when other sheets use it too."""
    styles = doc.StyleFamilies.getByName("PageStyles")
    used = styles.getByName(sheet.PageStyle)
    if sum(1 for one in doc.Sheets if one.PageStyle == sheet.PageStyle) == 1:
        return used
    name = f"Page of {sheet.Name}"
    if not styles.hasByName(name):
        styles.insertByName(name, doc.createInstance("com.sun.star.style.PageStyle"))
    own = styles.getByName(name)
    for look in COPIED:
        setattr(own, look, getattr(used, look))
    sheet.PageStyle = name
    return own
