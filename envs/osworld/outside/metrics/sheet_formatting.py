"""The formatting of a workbook's sheets: formats, panes, hidden lines, charts, rules, pivot tables.

Guarantees: `workbook_looks` compares every aspect of every sheet; an aspect that the rules leave
out must be as in a plain new sheet, so formatting that nobody asked for is noticed.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

CM_PER_WIDTH = 0.1958
"""Centimetres of one unit of a column's width in the files that LibreOffice writes: a digit of the
default font, here Carlito, which has Calibri's widths and is on every desktop."""
WIDTH_TOLERANCE_CM = 0.1
CELL_ASPECTS = frozenset({"bold", "italic", "fill", "color", "align", "format"})
_CHART_KINDS = {
    "LineChart": "line",
    "PieChart": "pie",
    "AreaChart": "area",
    "ScatterChart": "scatter",
    "DoughnutChart": "donut",
}
_PALE = {"FFFFFFFF", "00000000"}
_BLACK = {"FF000000", "00000000"}


def workbook_looks(result: Path, rules: Mapping[str, Mapping[str, Any]]) -> float:
    """1 when each sheet looks as `rules[sheet]` says and plain in all else. A file that is no
    workbook scores 0.

    Cell aspects map ranges to values: bold, italic (true), fill, color ("FFFF00"), align ("center"
    or "right"), format (any code with the same meaning as the one given; of numbers only). Others:
    merged, hidden_rows, hidden_columns, filter, freeze, widths ({"B": cm}), tab, state, protected,
    comments, links ({cell: text}), conditions ([range, operator, values, fill]), validations
    ([range, type, operator, first, second]), charts ({kind, title, values, categories}), pivots
    ({source, rows, columns, values}).
    """
    book = _read(result)
    if book is None or not set(rules) <= set(book.sheetnames):
        return 0.0
    return float(
        all(_has_formatting(sheet, rules.get(sheet.title, {}), ALL) for sheet in book.worksheets)
    )


def workbook_shows(result: Path, rules: Mapping[str, Mapping[str, Any]]) -> float:
    """As `workbook_looks`, of the sheets and aspects that the rules name only: for milestones."""
    book = _read(result)
    if book is None or not set(rules) <= set(book.sheetnames):
        return 0.0
    return float(
        all(
            _has_formatting(book[name], aspects, frozenset(aspects))
            for name, aspects in rules.items()
        )
    )


def _read(path: Path) -> Any:
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        return load_workbook(path, data_only=True)
    except (InvalidFileException, zipfile.BadZipFile, KeyError, ValueError, OSError):
        return None


def number_style(code: str) -> str:
    """What a number format means, however it is written: currency sign, thousands, decimals."""
    first = code.split(";")[0]
    if first.lower() in ("general", "standard"):
        return "general"
    sign = "".join(re.findall(r"\[\$([^\]-]*)[^\]]*\]", first))
    bare = re.sub(r"\[[^\]]*\]", "", first)
    sign += "".join(letter for letter in bare if letter in "$€£")
    bare = re.sub(r'["\\$€£ ]|_.', "", bare)
    if re.search("[ymdhs]", bare, re.IGNORECASE):
        return bare.lower()
    decimals = len(re.findall(r"[0#?]", bare.partition(".")[2]))
    thousands = "," if "#," in bare else ""
    percent = "%" if "%" in bare else ""
    return f"{sign}{thousands}.{decimals}{percent}"


def _has_formatting(sheet: Any, rules: Mapping[str, Any], compared: frozenset[str]) -> bool:
    unknown = rules.keys() - ALL
    if unknown:
        raise KeyError(f"there is no aspect {', '.join(sorted(unknown))}")
    cells = _cells(sheet)
    for aspect in CELL_ASPECTS & compared:
        if cells[aspect] != _spread(aspect, rules.get(aspect, {})):
            return False
    if "widths" in compared and not _widths_are(sheet, rules.get("widths", {})):
        return False
    return all(
        read(sheet) == _sorted_if_list(rules[aspect] if aspect in rules else _PLAIN.get(aspect, []))
        for aspect, read in ASPECTS.items()
        if aspect in compared
    )


def _cells(sheet: Any) -> dict[str, dict[str, Any]]:
    deviations: dict[str, dict[str, Any]] = {aspect: {} for aspect in CELL_ASPECTS}
    for row in sheet.iter_rows():
        for cell in row:
            for aspect, value in _deviations(cell):
                deviations[aspect][cell.coordinate] = value
    return deviations


def _deviations(cell: Any) -> list[tuple[str, Any]]:
    """What is special about a cell."""
    formatting: list[tuple[str, Any]] = []
    if cell.font.b:
        formatting.append(("bold", True))
    if cell.font.i:
        formatting.append(("italic", True))
    color = cell.font.color.rgb if cell.font.color is not None else None
    if isinstance(color, str) and color not in _BLACK:
        formatting.append(("color", color[-6:]))
    if cell.fill.fill_type == "solid" and cell.fill.fgColor.rgb not in _PALE:
        formatting.append(("fill", str(cell.fill.fgColor.rgb)[-6:]))
    if cell.alignment.horizontal in ("center", "right"):
        formatting.append(("align", cell.alignment.horizontal))
    if isinstance(cell.value, int | float) and number_style(cell.number_format) != "general":
        formatting.append(("format", number_style(cell.number_format)))
    return formatting


def _spread(aspect: str, ranges: Mapping[str, Any]) -> dict[str, Any]:
    """Rules by range as values by cell."""
    from openpyxl.utils.cell import rows_from_range

    values = {
        cell: value
        for span, value in ranges.items()
        for row in rows_from_range(span)
        for cell in row
    }
    return {k: number_style(v) for k, v in values.items()} if aspect == "format" else values


def _widths_are(sheet: Any, expected: Mapping[str, float]) -> bool:
    widths = {
        letter: column.width * CM_PER_WIDTH
        for letter, column in _columns(sheet).items()
        if column.customWidth and not column.hidden
    }
    return widths.keys() == expected.keys() and all(
        abs(widths[letter] - cm) <= WIDTH_TOLERANCE_CM for letter, cm in expected.items()
    )


def _columns(sheet: Any) -> dict[str, Any]:
    """Each column by its letters: a file may describe several by one entry."""
    from openpyxl.utils import get_column_letter

    return {
        get_column_letter(index): column
        for column in sheet.column_dimensions.values()
        for index in range(column.min, min(column.max, sheet.max_column) + 1)
    }


def _conditions(sheet: Any) -> list[Any]:
    return [
        [str(group.sqref), rule.operator or rule.type, [str(f) for f in rule.formula], _dye(rule)]
        for group in sheet.conditional_formatting
        for rule in group.rules
    ]


def _dye(rule: Any) -> str | None:
    fill = rule.dxf.fill if rule.dxf is not None else None
    return None if fill is None else str(fill.bgColor.rgb)[-6:]


def _validations(sheet: Any) -> list[Any]:
    """A list has no operator and no second value, whatever the file says."""
    validations = []
    for rule in sheet.data_validations.dataValidation:
        second = rule.formula2 if rule.operator in ("between", "notBetween") else None
        listed = rule.type == "list"
        operator = None if listed else rule.operator
        validations.append(
            [str(rule.sqref), rule.type, operator, rule.formula1, None if listed else second]
        )
    return validations


def _charts(sheet: Any) -> list[Any]:
    return [
        {
            "kind": _kind(chart),
            "title": title(chart),
            "values": [reference(series.val or series.yVal) for series in chart.series],
            "categories": next(iter({reference(s.cat or s.xVal) for s in chart.series}), None),
        }
        for chart in sheet._charts
    ]


def _kind(chart: Any) -> str:
    name = type(chart).__name__.removesuffix("3D")
    if name == "BarChart":
        return "column" if chart.barDir == "col" else "bar"
    return _CHART_KINDS.get(name, name)


def title(chart: Any) -> str | None:
    """Text of a chart's (or an axis's) title, all its runs."""
    text = chart.title.tx if chart.title is not None else None
    if text is None or text.rich is None:
        return None
    return "".join(run.t for paragraph in text.rich.p for run in paragraph.r or [])


def reference(source: Any) -> str | None:
    """The range behind a series, without $ and the sheet's quotes."""
    if source is None:
        return None
    data = source.numRef or getattr(source, "strRef", None)
    return data.f.replace("$", "").replace("'", "") if data is not None else None


def _pivots(sheet: Any) -> list[Any]:
    pivots = []
    for pivot in sheet._pivots:
        names = [field.name for field in pivot.cache.cacheFields]
        source = pivot.cache.cacheSource.worksheetSource
        pivots.append(
            {
                "source": f"{source.sheet}!{source.ref}",
                "rows": [names[field.x] for field in pivot.rowFields if field.x >= 0],
                "columns": [names[field.x] for field in pivot.colFields if field.x >= 0],
                "values": [[names[field.fld], field.subtotal] for field in pivot.dataFields],
            }
        )
    return pivots


def _sorted_if_list(value: Any) -> Any:
    return sorted(value, key=repr) if isinstance(value, list) else value


def _tab(sheet: Any) -> str | None:
    color = sheet.sheet_properties.tabColor
    return None if color is None else str(color.rgb)[-6:]


def _text_of(sheet: Any, attribute: str, part: str) -> dict[str, str]:
    return {
        cell.coordinate: getattr(getattr(cell, attribute), part)
        for row in sheet.iter_rows()
        for cell in row
        if getattr(cell, attribute) is not None
    }


ASPECTS: dict[str, Callable[[Any], Any]] = {
    "merged": lambda sheet: sorted((str(r) for r in sheet.merged_cells.ranges), key=repr),
    "hidden_rows": lambda sheet: _sorted_if_list(
        [number for number, row in sheet.row_dimensions.items() if row.hidden]
    ),
    "hidden_columns": lambda sheet: _sorted_if_list(
        [letter for letter, column in _columns(sheet).items() if column.hidden]
    ),
    "filter": lambda sheet: sheet.auto_filter.ref,
    "freeze": lambda sheet: sheet.freeze_panes,
    "tab": _tab,
    "state": lambda sheet: sheet.sheet_state,
    "protected": lambda sheet: bool(sheet.protection.sheet),
    "comments": lambda sheet: _text_of(sheet, "comment", "text"),
    "links": lambda sheet: _text_of(sheet, "hyperlink", "target"),
    "conditions": lambda sheet: _sorted_if_list(_conditions(sheet)),
    "validations": lambda sheet: _sorted_if_list(_validations(sheet)),
    "charts": lambda sheet: _sorted_if_list(_charts(sheet)),
    "pivots": lambda sheet: _sorted_if_list(_pivots(sheet)),
}
_PLAIN: dict[str, Any] = {
    "filter": None,
    "freeze": None,
    "tab": None,
    "state": "visible",
    "protected": False,
    "comments": {},
    "links": {},
}
ALL = CELL_ASPECTS | ASPECTS.keys() | {"widths"}
