"""Cells and sparklines as OSWorld reads them from a workbook's XML.

It takes a sheet's id for the number in its file's name, knows no booleans, and gives every number
as float.
"""

from __future__ import annotations

import zipfile
from functools import cached_property
from pathlib import Path
from typing import Any

from lxml import etree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
X14 = "{http://schemas.microsoft.com/office/spreadsheetml/2009/9/main}"
XM = "{http://schemas.microsoft.com/office/excel/2006/main}"


class RawBook:
    """Values and sparklines of a workbook, straight from its XML."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._cells: dict[str, dict[str, Any]] = {}

    def value(self, sheet: str, coordinate: str) -> Any:
        """None also where there is no such sheet. Raises IndexError or TypeError for a file that
        Excel would not write."""
        if sheet not in self._cells:
            try:
                root = self._sheet(sheet)
            except (KeyError, etree.XMLSyntaxError):
                return None
            listed: dict[str, Any] = {}
            for cell in root.iterfind(f".//{MAIN}row/{MAIN}c"):
                listed.setdefault(cell.get("r"), cell)
            self._cells[sheet] = listed
        cell = self._cells[sheet].get(coordinate)
        if cell is None:
            return None
        try:
            return self._read(cell)
        except (KeyError, ValueError):
            return None

    def _read(self, cell: Any) -> Any:
        kind = cell.get("t", "n")
        if kind == "n":
            return float(_content(cell, "v"))
        if kind == "s":
            return self._strings[int(_content(cell, "v"))]
        if kind in ("str", "e"):
            return _content(cell, "v")
        if kind == "inlineStr":
            return _content(cell.find(f"{MAIN}is"), "t")
        return None

    def sparklines(self, sheet: str) -> dict[str, str]:
        """Raises KeyError where there is no such sheet, or a sparkline without a range."""
        return {
            _content(line, "sqref", XM): _content(line, "f", XM)
            for line in self._sheet(sheet).iter(f"{X14}sparkline")
        }

    @cached_property
    def _strings(self) -> list[str]:
        """None of them where one is empty."""
        try:
            root = self._parse("xl/sharedStrings.xml")
            return [
                "".join(part.text for part in item.iter(f"{MAIN}t"))
                for item in root.iterfind(f"{MAIN}si")
            ]
        except (KeyError, TypeError, etree.XMLSyntaxError):
            return []

    @cached_property
    def _ids(self) -> dict[str, str]:
        root = self._parse("xl/workbook.xml")
        return {sheet.get("name"): sheet.get("sheetId") for sheet in root.iter(f"{MAIN}sheet")}

    def _sheet(self, name: str) -> Any:
        return self._parse(f"xl/worksheets/sheet{self._ids[name]}.xml")

    def _parse(self, part: str) -> Any:
        parser = etree.XMLParser(resolve_entities=False, no_network=True)
        with zipfile.ZipFile(self._path) as archive:
            return etree.fromstring(archive.read(part), parser)


def _content(element: Any, name: str, space: str = MAIN) -> Any:
    """Text without blanks around, None where there is none. Raises KeyError."""
    child = element.find(f"{space}{name}")
    if child is None:
        raise KeyError(name)
    text = (child.text or "").strip() or None
    return {**child.attrib, "#text": text} if child.attrib else text
