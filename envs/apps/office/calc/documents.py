"""Tools on a spreadsheet as a whole: its description, saving, exporting, undo."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from envs.apps.office import saving
from envs.apps.office.calc.access import area_of, sheet_named, used_area
from envs.apps.office.calc.charts import charts_of
from envs.apps.office.documents import path_of, title_of
from envs.apps.office.paths import absolute_path
from envs.apps.office.registry import OfficeError, ToolGroup

tools = ToolGroup("calc")


@tools.tool("calc.info")
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
        "names": {name: doc.NamedRanges.getByName(name).Content for name in _user_names(doc)},
    }


@tools.tool("calc.save", timeout_s=20)
def save(doc: Any) -> str:
    """Saves the spreadsheet to its own file; gives the path."""
    return saving.save(doc)


@tools.tool("calc.save_as", timeout_s=20)
def save_as(doc: Any, path: str) -> str:
    """Saves the spreadsheet as another file, whose extension is the format.

    xlsx, ods and xls become its file from now on; pdf, csv and html are copies.
    """
    return saving.save_as(doc, path)


@tools.tool("calc.export_pdf", timeout_s=20)
def export_pdf(doc: Any, path: str) -> str:
    """Writes a PDF copy of all sheets that are not hidden."""
    if saving.extension_of(path) != "pdf":
        raise OfficeError("bad_value", f"{path} does not end in .pdf")
    return saving.save_as(doc, path)


@tools.tool("calc.export_csv", timeout_s=20)
def export_csv(doc: Any, path: str, sheet: str | None = None, separator: str = ",") -> str:
    r"""Writes one sheet as UTF-8 CSV, its cells as they are shown.

    sheet: the active one if left out. separator: one character; "\t" for tabs.
    """
    if len(separator) != 1:
        raise OfficeError("bad_value", "the separator must be one character")
    names = list(doc.Sheets.ElementNames)
    number = names.index(sheet_named(doc, sheet).Name) + 1
    _, _, rest = saving.EXPORT_OPTIONS["csv"].partition(",")
    options = f"{ord(separator)},{rest},{number}"
    saving.check_folder(path)
    with tempfile.TemporaryDirectory() as folder:
        # LibreOffice adds the sheet's name to the file's, so the name is not known before.
        saving.export(doc, f"{folder}/sheet.csv", saving.EXPORT_FORMATS["calc"]["csv"], options)
        (written,) = Path(folder).iterdir()
        shutil.copyfile(written, absolute_path(path))
    return str(absolute_path(path))


@tools.tool("calc.undo")
def undo(doc: Any, steps: int = 1) -> str:
    """Takes back the last entries of the undo list, of which a tool may have made several.

    Gives what the last of them was.
    """
    manager, title = doc.UndoManager, ""
    for count in range(steps):
        if not manager.isUndoPossible():
            raise OfficeError("bad_value", f"only {count} changes could be taken back")
        title = manager.CurrentUndoActionTitle
        manager.undo()
    return title


def _sheet_info(sheet: Any) -> dict[str, Any]:
    description: dict[str, Any] = {"name": sheet.Name, "used": str(used_area(sheet))}
    if not sheet.IsVisible:
        description["hidden"] = True
    for key, names in (
        ("charts", charts_of(sheet)),
        ("pivot_tables", sheet.DataPilotTables.ElementNames),
    ):
        if names:
            description[key] = list(names)
    return description


def _user_names(doc: Any) -> list[str]:
    return [name for name in doc.NamedRanges.ElementNames if not name.startswith("_")]
