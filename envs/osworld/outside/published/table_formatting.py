"""Rules of `compare_table` about formatting: cells, panes, zoom, rows, columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.osworld.format.sheet_cells import stored_value, value_at
from envs.osworld.outside.published.conditional_formats import applied_formats
from envs.osworld.outside.published.value_rules import fulfils
from envs.osworld.outside.published.workbook import Books, Sheet

Rule = Mapping[str, Any]
Formatting = tuple[Any, ...]
OF_TEXT = {
    "font_name": "name",
    "font_family": "family",
    "font_bold": "bold",
    "font_italic": "italic",
    "font_underline": "underline",
    "font_size": "size",
}
"""Of cells that hold something."""
PROPERTIES = {
    *OF_TEXT,
    "number_format",
    "font_color",
    "fill_type",
    "bgcolor",
    "fgcolor",
    "hyperlink",
    "merge",
}
BLACK, NO_ZOOM = "FF000000", 100


def cell_fulfils(books: Books, rule: Rule) -> bool:
    """The cell `coordinate` of `sheet_idx` fulfils the rule of each of `props`: "value" (what the
    file keeps, so days for a date) or a property of its formatting."""
    from openpyxl.utils.cell import coordinate_to_tuple

    sheet = books.sheet(rule["sheet_idx"])
    place = coordinate_to_tuple(rule["coordinate"])
    cell = sheet.formulas._cells.get(place)
    return all(
        fulfils(
            stored_value(value_at(sheet.values, *place))
            if name == "value"
            else cell_property(name, cell),
            test,
        )
        for name, test in rule["props"].items()
    )


def same_style(books: Books, rule: Rule) -> bool:
    """Cells of both sheets agree in all `props` of formatting, conditional formats included."""
    names = tuple(rule.get("props", ()))
    actual, expected = (
        _cell_formatting(books.sheet(rule[key]), names) for key in ("sheet_idx0", "sheet_idx1")
    )
    return actual == expected


def _cell_formatting(sheet: Sheet, names: tuple[str, ...]) -> dict[tuple[int, int], Formatting]:
    """Of cells that are not plain in all of them."""
    plain = tuple(cell_property(name, None) for name in names)
    formats = applied_formats(sheet)
    formatting_by_cell = {}
    for place, cell in sheet.formulas._cells.items():
        formatting = tuple(cell_property(name, cell, formats.get(place)) for name in names)
        if formatting != plain:
            formatting_by_cell[place] = formatting
    return formatting_by_cell


def cell_property(name: str, cell: Any, condition: Any = None) -> Any:
    """A property of a cell (None: one that is not in the file), `condition` being the conditional
    format that holds for it. Colors are "FFRRGGBB"; automatic is black, no fill is None."""
    if name not in PROPERTIES:
        raise ValueError(f"there is no property {name!r} of cells")
    if name == "merge":
        return _is_covered(cell)
    if cell is None:
        return None
    if name in ("fill_type", "bgcolor", "fgcolor"):
        return _fill(name, cell, condition)
    if cell.value is None:
        return None
    if name == "number_format":
        return _format(cell, condition)
    if name == "hyperlink":
        return _link(cell)
    own = getattr(condition, "font", None)
    if name == "font_color":
        color = own.color if own is not None and own.color is not None else cell.font.color
        return rgb(color) or BLACK
    conditional = getattr(own, OF_TEXT[name], None)
    return getattr(cell.font, OF_TEXT[name]) if conditional is None else conditional


def rgb(color: Any) -> str | None:
    """None: automatic. A color of the theme or an index keeps its number."""
    if color is None or color.type == "auto":
        return None
    if color.type == "rgb":
        return f"FF{color.rgb[-6:].upper()}"
    if color.type == "theme":
        return None if color.theme == 1 and not color.tint else f"theme {color.theme} {color.tint}"
    return f"index {color.indexed}"


def _is_covered(cell: Any) -> bool:
    from openpyxl.cell.cell import MergedCell

    return isinstance(cell, MergedCell)


def _fill(name: str, cell: Any, condition: Any) -> str | None:
    own = getattr(condition, "fill", None)
    fill = cell.fill if own is None else own
    if fill.tagname == "patternFill" and own is None and fill.fill_type in (None, "none"):
        return None
    if name == "fill_type":
        return str(fill.tagname)
    if fill.tagname != "patternFill":
        return None
    if own is None:
        return rgb(fill.fgColor)
    # A condition's plain fill has its color behind the pattern; some programs write both.
    return next((shown for color in (fill.bgColor, fill.fgColor) if (shown := rgb(color))), None)


def _format(cell: Any, condition: Any) -> str | None:
    if cell.data_type != "n":
        return None
    own = getattr(condition, "numFmt", None)
    return str(cell.number_format if own is None else own.formatCode)


def _link(cell: Any) -> str:
    if cell.hyperlink is None:
        return ""
    return cell.hyperlink.target or f"#{cell.hyperlink.location}"


def same_freeze(books: Books, rule: Rule) -> bool:
    """The same rows and columns are frozen, wherever the sheet is scrolled to."""
    actual, expected = (
        _freeze_position(books.sheet(rule[key]).formulas) for key in ("sheet_idx0", "sheet_idx1")
    )
    return actual == expected


def _freeze_position(sheet: Any) -> tuple[int, int]:
    """Columns and rows."""
    pane = sheet.sheet_view.pane
    if pane is None or pane.state not in ("frozen", "frozenSplit"):
        return 0, 0
    return int(pane.xSplit or 0), int(pane.ySplit or 0)


def zoom_fulfils(books: Books, rule: Rule) -> bool:
    """The zoom of `sheet_idx` in percent fulfils the rule."""
    view = books.sheet(rule["sheet_idx"]).formulas.sheet_view
    return fulfils(view.zoomScale or NO_ZOOM, rule)


def same_rows(books: Books, rule: Rule) -> bool:
    """Rows have the same `props`: hidden, collapsed, height. One that the file does not list is
    plain."""
    from openpyxl.worksheet.dimensions import RowDimension

    actual, expected = (books.sheet(rule[key]).formulas for key in ("sheet_idx0", "sheet_idx1"))
    names = tuple(rule.get("props", ()))
    return _lines(actual, dict(actual.row_dimensions), RowDimension(actual), names) == _lines(
        expected, dict(expected.row_dimensions), RowDimension(expected), names
    )


def same_columns(books: Books, rule: Rule) -> bool:
    """Columns in use have the same `props`: width, auto_size, hidden, collapsed."""
    from openpyxl.worksheet.dimensions import ColumnDimension

    actual, expected = (books.sheet(rule[key]).formulas for key in ("sheet_idx0", "sheet_idx1"))
    names, last = tuple(rule.get("props", ())), max(actual.max_column, expected.max_column)
    return _lines(actual, _columns(actual, last), ColumnDimension(actual), names) == _lines(
        expected, _columns(expected, last), ColumnDimension(expected), names
    )


def _columns(sheet: Any, last: int) -> dict[int, Any]:
    """By number: a file may describe several by one entry."""
    return {
        number: dimension
        for dimension in sheet.column_dimensions.values()
        for number in range(dimension.min, min(dimension.max, last) + 1)
    }


def _lines(
    sheet: Any, listed: Mapping[int, Any], new: Any, names: tuple[str, ...]
) -> dict[int, Formatting]:
    unknown = [name for name in names if not hasattr(new, name)]
    if unknown:
        raise ValueError(f"rows and columns have no property {', '.join(unknown)}")
    usual = _values(new, names)
    return {
        number: values
        for number, line in listed.items()
        if (values := _values(line, names)) != usual
    }


def _values(line: Any, names: tuple[str, ...]) -> Formatting:
    return tuple(getattr(line, name) for name in names)
