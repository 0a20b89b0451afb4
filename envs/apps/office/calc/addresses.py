"""Cell addresses as text: parsing, printing, letters of columns; no UNO.

`parse_area(str(area)) == area` for every area. Accepted are "B2", "B2:C5", whole columns ("B",
"B:D") and whole rows ("3", "3:5"), with `$` anywhere, lower or upper case, and a sheet before them
as Calc or as Excel writes it: "Data.B2", "Data!B2", "'My sheet'.B2". Columns and rows are counted
from 0 inside, as UNO does; text counts rows from 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from envs.apps.office.registry import OfficeError
from envs.desktop.column_names import column_name

LAST_COLUMN = 16383
LAST_ROW = 1048575

_SHEET = r"(?:\$?(?:'(?P<quoted>(?:[^']|'')+)'|(?P<plain>[^'].*?))[.!])?"
_CELLS = (
    r"(?:\$?(?P<c1>[A-Za-z]{1,3})\$?(?P<r1>[0-9]{1,7})"
    r"(?::\$?(?P<c2>[A-Za-z]{1,3})\$?(?P<r2>[0-9]{1,7}))?)"
)
_COLUMNS = r"(?:\$?(?P<c3>[A-Za-z]{1,3})(?::\$?(?P<c4>[A-Za-z]{1,3}))?)"
_ROWS = r"(?:\$?(?P<r3>[0-9]{1,7})(?::\$?(?P<r4>[0-9]{1,7}))?)"
_ADDRESS = re.compile(f"{_SHEET}(?:{_CELLS}|{_COLUMNS}|{_ROWS})")
_PLAIN_SHEET = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Area:
    """A rectangle of cells, its ends included; whole columns and rows reach the sheet's ends."""

    left: int
    top: int
    right: int
    bottom: int
    sheet: str | None = None

    @property
    def width(self) -> int:
        """Number of columns."""
        return self.right - self.left + 1

    @property
    def height(self) -> int:
        """Number of rows."""
        return self.bottom - self.top + 1

    def __str__(self) -> str:
        prefix = "" if self.sheet is None else f"{quote_sheet(self.sheet)}."
        if (self.top, self.bottom) == (0, LAST_ROW):
            return f"{prefix}{column_name(self.left)}:{column_name(self.right)}"
        if (self.left, self.right) == (0, LAST_COLUMN):
            return f"{prefix}{self.top + 1}:{self.bottom + 1}"
        first = f"{column_name(self.left)}{self.top + 1}"
        last = f"{column_name(self.right)}{self.bottom + 1}"
        return prefix + (first if first == last else f"{first}:{last}")


def parse_area(text: str) -> Area:
    """Reads an address, its corners in any order. Raises OfficeError(bad_value)."""
    match = _ADDRESS.fullmatch(text.strip())
    if match is None:
        raise OfficeError("bad_value", f"{text!r} is not an address; write B2, B2:C5 or Data.B2:C5")
    part = match.groupdict()
    quoted, plain = part["quoted"], part["plain"]
    sheet: str | None = quoted.replace("''", "'") if quoted else plain
    if part["c1"]:
        columns = [column_index(part["c1"]), column_index(part["c2"] or part["c1"])]
        rows = [_row_index(part["r1"], text), _row_index(part["r2"] or part["r1"], text)]
    elif part["c3"]:
        columns = [column_index(part["c3"]), column_index(part["c4"] or part["c3"])]
        rows = [0, LAST_ROW]
    else:
        columns = [0, LAST_COLUMN]
        rows = [_row_index(part["r3"], text), _row_index(part["r4"] or part["r3"], text)]
    return Area(min(columns), min(rows), max(columns), max(rows), sheet)


def column_index(name: str) -> int:
    """A is 0, AA is 26. Raises OfficeError(bad_value) past XFD and for what is no column."""
    index = 0
    for letter in name.upper():
        if not "A" <= letter <= "Z":
            raise OfficeError("bad_value", f"{name!r} is not a column; columns are A to XFD")
        index = index * 26 + ord(letter) - ord("A") + 1
    if not 1 <= index <= LAST_COLUMN + 1:
        raise OfficeError("bad_value", f"{name!r} is not a column; columns are A to XFD")
    return index - 1


def quote_sheet(name: str) -> str:
    """The name in quotes where formulas and addresses need them."""
    return name if _PLAIN_SHEET.fullmatch(name) else "'" + name.replace("'", "''") + "'"


def _row_index(number: str, text: str) -> int:
    row = int(number) - 1
    if not 0 <= row <= LAST_ROW:
        raise OfficeError("bad_value", f"{text!r}: rows are 1 to {LAST_ROW + 1}")
    return row
