"""Workbooks for the cases of compare_table."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import xlsxwriter
from openpyxl import Workbook
from openpyxl.pivot.cache import (
    CacheDefinition,
    CacheField,
    CacheSource,
    SharedItems,
    WorksheetSource,
)
from openpyxl.pivot.fields import Text
from openpyxl.pivot.record import RecordList
from openpyxl.pivot.table import (
    DataField,
    FieldItem,
    Location,
    PivotField,
    RowColField,
    TableDefinition,
)

ROWS = [["Name", "Price"], ["Tea", 2.5], ["Milk", 1.25], ["Rice", 3]]


def saved(
    path: Path, rows: Sequence[Sequence[Any]] = ROWS, change: Callable[[Any], object] | None = None
) -> Path:
    """A workbook with one sheet, Sheet1; `change` gets the workbook."""
    book = Workbook()
    book.active.title = "Sheet1"
    for row in rows:
        book.active.append(list(row))
    if change is not None:
        change(book)
    book.save(path)
    return path


def written(path: Path, fill: Callable[[Any, Any], object]) -> Path:
    """As Excel would write it: `fill` gets workbook and sheet of xlsxwriter, with `ROWS` in it."""
    book = xlsxwriter.Workbook(path)
    sheet = book.add_worksheet("Sheet1")
    for number, row in enumerate(ROWS):
        sheet.write_row(number, 0, row)
    fill(book, sheet)
    book.close()
    return path


def renumbered(path: Path) -> Path:
    """Gives the sheet another id, as after a sheet before it was deleted."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    parts["xl/workbook.xml"] = parts["xl/workbook.xml"].replace(b'sheetId="1"', b'sheetId="7"')
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return path


def pivoted(path: Path, subtotal: str = "sum", hidden: str = "", turned: bool = False) -> Path:
    """A pivot table of ROWS: names as rows, sums of prices. `turned`: the program keeps the names
    in another order."""
    names = ["Tea", "Milk", "Rice"][:: -1 if turned else 1]
    cache = CacheDefinition(
        cacheSource=CacheSource(
            type="worksheet", worksheetSource=WorksheetSource(ref="A1:B4", sheet="Sheet1")
        ),
        cacheFields=[
            CacheField(name="Name", sharedItems=SharedItems(_fields=[Text(v=n) for n in names])),
            CacheField(name="Price", sharedItems=SharedItems()),
        ],
        id="rId1",
    )
    cache.records = RecordList()
    items = [FieldItem(x=n, h=True if name == hidden else None) for n, name in enumerate(names)]
    table = TableDefinition(
        name="Pivot", cacheId=1, dataCaption="Values",
        location=Location(ref="A1:B5", firstHeaderRow=1, firstDataRow=1, firstDataCol=1),
        pivotFields=[PivotField(axis="axisRow", items=items), PivotField(dataField=True)],
        rowFields=[RowColField(x=0)],
        dataFields=[DataField(name="Sum", fld=1, subtotal=subtotal, showDataAs="normal",
                              baseField=0, baseItem=0)],
    )  # fmt: skip
    table.cache = cache
    return saved(path, change=lambda book: book.create_sheet("Sheet2").add_pivot(table))
