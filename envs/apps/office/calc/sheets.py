"""Tools on sheets: add, delete, rename, order, hide, protect; and on the view of them."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.calc.access import area_of, cell_of, range_of, sheet_named, sheet_names
from envs.apps.office.calc.format import color_number
from envs.apps.office.documents import exception_name
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.uno_values import constant

FORBIDDEN = set("[]*?:/\\")
"""Characters that LibreOffice refuses in a sheet's name."""

Zoom = Literal["percent", "optimal", "width", "whole_page"]

tools = ToolGroup("calc")


@tools.tool("calc.add_sheet")
def add_sheet(doc: Any, name: str, position: int | None = None) -> list[str]:
    """Adds an empty sheet and gives all names in order.

    position: from 1; at the end if left out.
    """
    doc.Sheets.insertNewByName(_check_new_name(doc, name), _position_index(doc, position, extra=1))
    return sheet_names(doc)


@tools.tool("calc.delete_sheet")
def delete_sheet(doc: Any, name: str) -> list[str]:
    """Deletes a sheet and gives the names of those that remain."""
    sheet = sheet_named(doc, name)
    if doc.Sheets.Count == 1:
        raise OfficeError("bad_value", "the only sheet cannot be deleted")
    doc.Sheets.removeByName(sheet.Name)
    return sheet_names(doc)


@tools.tool("calc.rename_sheet")
def rename_sheet(doc: Any, name: str, new_name: str) -> None:
    """Renames a sheet; formulas that use it follow."""
    sheet = sheet_named(doc, name)
    if new_name != sheet.Name:
        sheet.Name = _check_new_name(doc, new_name, besides=sheet.Name)


@tools.tool("calc.copy_sheet")
def copy_sheet(doc: Any, name: str, new_name: str, position: int | None = None) -> list[str]:
    """Copies a sheet under a new name and gives all names in order.

    position: from 1; at the end if left out.
    """
    sheet = sheet_named(doc, name)
    doc.Sheets.copyByName(
        sheet.Name, _check_new_name(doc, new_name), _position_index(doc, position, extra=1)
    )
    return sheet_names(doc)


@tools.tool("calc.move_sheet")
def move_sheet(doc: Any, name: str, position: int) -> list[str]:
    """Moves a sheet to a position, counted from 1, and gives all names in order."""
    sheet = sheet_named(doc, name).Name
    current, index = sheet_names(doc).index(sheet), _position_index(doc, position)
    _move_sheet(doc, sheet, index + 1 if index > current else index)
    return sheet_names(doc)


@tools.tool("calc.order_sheets")
def order_sheets(doc: Any, names: list[str]) -> list[str]:
    """Puts the sheets into an order; sheets not named come after, as they were."""
    ordered = [sheet_named(doc, name).Name for name in names]
    if len(set(ordered)) < len(ordered):
        raise OfficeError("bad_value", f"a sheet is named twice in {names}")
    for position, name in enumerate(ordered):
        _move_sheet(doc, name, position)
    return sheet_names(doc)


@tools.tool("calc.show_sheet")
def show_sheet(doc: Any, name: str, visible: bool = True) -> None:
    """Shows or hides a sheet."""
    sheet = sheet_named(doc, name)
    if not visible and sum(1 for other in doc.Sheets if other.IsVisible) == 1 and sheet.IsVisible:
        raise OfficeError("bad_value", "the only visible sheet cannot be hidden")
    sheet.IsVisible = visible


@tools.tool("calc.color_sheet_tab")
def color_sheet_tab(doc: Any, name: str, color: str | None) -> None:
    """Colours a sheet's tab; null takes the colour away. color: #RRGGBB or a name."""
    sheet_named(doc, name).TabColor = -1 if color is None else color_number(color)


@tools.tool("calc.activate_sheet")
def activate_sheet(doc: Any, name: str) -> None:
    """Shows a sheet in the window; addresses without a sheet then mean it."""
    sheet = sheet_named(doc, name)
    if not sheet.IsVisible:
        raise OfficeError("bad_value", f"sheet {sheet.Name!r} is hidden; use calc.show_sheet first")
    doc.CurrentController.setActiveSheet(sheet)


@tools.tool("calc.goto")
def goto(doc: Any, range: str) -> None:
    """Selects a cell or range and scrolls to it."""
    cells = range_of(doc, range)
    doc.CurrentController.setActiveSheet(cells.Spreadsheet)
    doc.CurrentController.select(cells)


@tools.tool("calc.freeze_panes")
def freeze_panes(doc: Any, cell: str | None) -> None:
    """Keeps what is above and left of a cell in view while scrolling.

    cell: A2 freezes the first row, B1 the first column, B2 both; null unfreezes.
    """
    controller = doc.CurrentController
    if cell is None:
        controller.freezeAtPosition(0, 0)
        return
    first_scrolled = cell_of(doc, cell)
    area = area_of(first_scrolled)
    if (area.left, area.top) == (0, 0):
        raise OfficeError("bad_value", "nothing is above or left of A1; A2 freezes the first row")
    controller.setActiveSheet(first_scrolled.Spreadsheet)
    controller.freezeAtPosition(area.left, area.top)


@tools.tool("calc.set_zoom")
def set_zoom(doc: Any, percent: int | None = None, fit: Zoom = "percent") -> int:
    """Zooms the view and gives the percentage.

    percent: 20 to 600. fit: instead of a percentage, fit the selection (optimal), width or page.
    """
    kinds = {"optimal": "OPTIMAL", "width": "PAGE_WIDTH", "whole_page": "ENTIRE_PAGE"}
    controller = doc.CurrentController
    if fit != "percent":
        controller.ZoomType = constant(f"view.DocumentZoomType.{kinds[fit]}")
    elif percent is None or not 20 <= percent <= 600:
        raise OfficeError("bad_value", f"zoom must be 20 to 600 percent, not {percent}")
    else:
        controller.ZoomType = constant("view.DocumentZoomType.BY_VALUE")
        controller.ZoomValue = percent
    return int(controller.ZoomValue)


@tools.tool("calc.protect_sheet")
def protect_sheet(
    doc: Any, name: str | None = None, password: str = "", protect: bool = True
) -> None:
    """Protects a sheet against changes, or takes the protection away; the active one by default."""
    sheet = sheet_named(doc, name)
    if protect:
        sheet.protect(password)
        return
    try:
        sheet.unprotect(password)
    except Exception as error:
        if exception_name(error) != "IllegalArgumentException":
            raise
        message = "the password is wrong; the sheet is still protected"
        raise OfficeError("not_allowed", message) from error


def _move_sheet(doc: Any, name: str, index: int) -> None:
    """Moves a sheet and restores the names of its shapes, to which LibreOffice adds a number."""
    shape_names = [shape.Name for shape in doc.Sheets.getByName(name).DrawPage]
    doc.Sheets.moveByName(name, index)
    for shape, shape_name in zip(doc.Sheets.getByName(name).DrawPage, shape_names, strict=True):
        shape.Name = shape_name


def _position_index(doc: Any, position: int | None, extra: int = 0) -> int:
    """Index of a position counted from 1. Raises OfficeError(bad_value) past the last one."""
    last = doc.Sheets.Count + extra
    if position is None:
        return int(last) - 1
    if not 1 <= position <= last:
        raise OfficeError("bad_value", f"position must be 1 to {last}, not {position}")
    return position - 1


def _check_new_name(doc: Any, name: str, besides: str | None = None) -> str:
    taken = {known.casefold() for known in sheet_names(doc) if known != besides}
    if name.casefold() in taken:
        raise OfficeError("bad_value", f"there is a sheet {name!r} already")
    if not name or FORBIDDEN & set(name) or name.startswith("'") or name.endswith("'"):
        shown = " ".join(sorted(FORBIDDEN))
        raise OfficeError(
            "bad_value",
            f"{name!r} cannot be a sheet name: it must not be empty or hold any of {shown}",
        )
    return name
