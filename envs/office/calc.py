"""Tools on a spreadsheet as a whole: what is in it, and writing it to files."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from envs.office import files
from envs.office.calc_access import area_of, sheet_named, used_area
from envs.office.calc_charts import charts_of
from envs.office.documents import path_of, title_of
from envs.office.registry import OfficeError, office_tool

CSV_FIELDS = "44,34,76,1,,0,false,true,false,false,false"
"""The export filter's options: separator, quote, UTF-8, first line, ..., as shown; then a sheet."""


@office_tool("calc.info", "calc")
def info(doc: Any) -> dict[str, Any]:
    """Describes the spreadsheet: its file, sheets (used cells, charts, pivot tables), selection."""
    controller = doc.CurrentController
    selection = controller.getSelection()
    return {
        "title": title_of(doc),
        "path": path_of(doc),
        "modified": bool(doc.isModified()),
        "active_sheet": controller.ActiveSheet.Name,
        "selection": str(area_of(selection))
        if hasattr(selection, "RangeAddress")
        else "several ranges or an object",
        "sheets": [_sheet_info(sheet) for sheet in doc.Sheets],
        "names": {name: doc.NamedRanges.getByName(name).Content for name in _names(doc)},
    }


@office_tool("calc.save", "calc", timeout_s=20)
def save(doc: Any) -> str:
    """Saves the spreadsheet to its own file; gives the path."""
    return files.save(doc)


@office_tool("calc.save_as", "calc", timeout_s=20)
def save_as(doc: Any, path: str) -> str:
    """Saves the spreadsheet as another file, whose extension is the format.

    xlsx, ods and xls become its file from now on; pdf, csv and html are copies.
    """
    return files.save_as(doc, path)


@office_tool("calc.export_pdf", "calc", timeout_s=20)
def export_pdf(doc: Any, path: str) -> str:
    """Writes a PDF copy of all sheets that are not hidden."""
    if files.extension_of(path) != "pdf":
        raise OfficeError("bad_value", f"{path} does not end in .pdf")
    return files.save_as(doc, path)


@office_tool("calc.export_csv", "calc", timeout_s=20)
def export_csv(doc: Any, path: str, sheet: str | None = None, separator: str = ",") -> str:
    """Writes one sheet as UTF-8 CSV, its cells as they are shown.

    sheet: the active one if left out. separator: one character; "\\t" for tabs.
    """
    if len(separator) != 1:
        raise OfficeError("bad_value", "the separator must be one character")
    names = list(doc.Sheets.ElementNames)
    number = names.index(sheet_named(doc, sheet).Name) + 1
    options = CSV_FIELDS.replace("44", str(ord(separator)), 1) + f",{number}"
    files.check_folder(path)
    with tempfile.TemporaryDirectory() as folder:
        # LibreOffice puts the sheet's name into the file's.
        files.export(doc, f"{folder}/sheet.csv", files.EXPORTED["calc"]["csv"], options)
        (written,) = Path(folder).iterdir()
        shutil.copyfile(written, path)
    return str(Path(path).absolute())


@office_tool("calc.undo", "calc")
def undo(doc: Any, steps: int = 1) -> str:
    """Takes back the last entries of the undo list, of which a tool may have made several.

    Gives what the last of them was.
    """
    manager, title = doc.UndoManager, ""
    for done in range(steps):
        if not manager.isUndoPossible():
            raise OfficeError("bad_value", f"only {done} changes could be taken back")
        title = manager.CurrentUndoActionTitle
        manager.undo()
    return title


def _sheet_info(sheet: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"name": sheet.Name, "used": str(used_area(sheet))}
    if not sheet.IsVisible:
        found["hidden"] = True
    for key, names in (
        ("charts", charts_of(sheet)),
        ("pivot_tables", sheet.DataPilotTables.ElementNames),
    ):
        if names:
            found[key] = list(names)
    return found


def _names(doc: Any) -> list[str]:
    return [name for name in doc.NamedRanges.ElementNames if not name.startswith("_")]
