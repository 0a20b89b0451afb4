"""How a document is written to a file; its format follows from the extension and the kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from envs.apps.office.documents import kind_of, path_of
from envs.apps.office.paths import absolute_path
from envs.apps.office.registry import OfficeError
from envs.apps.office.uno_values import file_url, property_value

EDITABLE_FORMATS: dict[str, dict[str, str]] = {
    "calc": {"xlsx": "Calc MS Excel 2007 XML", "ods": "calc8", "xls": "MS Excel 97"},
    "writer": {
        "docx": "MS Word 2007 XML",
        "odt": "writer8",
        "doc": "MS Word 97",
        "rtf": "Rich Text Format",
    },
    "impress": {
        "pptx": "Impress MS PowerPoint 2007 XML",
        "odp": "impress8",
        "ppt": "MS PowerPoint 97",
    },
}
"""By kind and extension: the filter of a format that a document can have as its own file."""

EXPORT_FORMATS: dict[str, dict[str, str]] = {
    "calc": {
        "pdf": "calc_pdf_Export",
        "csv": "Text - txt - csv (StarCalc)",
        "html": "HTML (StarCalc)",
    },
    "writer": {"pdf": "writer_pdf_Export", "txt": "Text (encoded)", "html": "HTML (StarWriter)"},
    "impress": {"pdf": "impress_pdf_Export", "html": "impress_html_Export"},
}
"""By kind and extension: the filter of a format that only copies are written in."""

EXPORT_OPTIONS = {"txt": "UTF8,LF", "csv": "44,34,76,1,,0,false,true,true,false,false"}
"""Of CSV: separator, quote, UTF-8, first line, column formats, language, quote all texts, numbers
as numbers, cells as shown (token 9; without it a date or a price is written as it is stored),
formulas, remove spaces. The number of the sheet may follow; without it the first one is written."""


def save(document: Any) -> str:
    """Writes the document to its own file; returns the path.

    Raises OfficeError(bad_value) when it has none yet.
    """
    path = path_of(document)
    if path is None:
        raise OfficeError("bad_value", "the document has no file yet; use save_as with a path")
    document.store()
    return path


def save_as(document: Any, path: str) -> str:
    """Writes the document to `path`, which becomes its file; an exported format leaves it its own.

    Raises OfficeError(bad_value) for an unknown extension, OfficeError(not_found) for no folder.
    """
    kind = str(kind_of(document))
    if extension_of(path) in EXPORT_FORMATS[kind]:
        extension = extension_of(path)
        export(document, path, EXPORT_FORMATS[kind][extension], EXPORT_OPTIONS.get(extension, ""))
    else:
        filter_name = filter_of(EDITABLE_FORMATS, kind, path)
        check_folder(path)
        document.storeAsURL(file_url(path), (property_value("FilterName", filter_name),))
    return str(absolute_path(path))


def export(document: Any, path: str, filter_name: str, options: str = "") -> None:
    """Writes the document in another format, keeping its own file and state."""
    check_folder(path)
    arguments: list[Any] = [property_value("FilterName", filter_name)]
    if options:
        arguments.append(property_value("FilterOptions", options))
    document.storeToURL(file_url(path), tuple(arguments))


def extension_of(path: str) -> str:
    """The file's extension in lower case, without its point."""
    return Path(path).suffix.removeprefix(".").lower()


def filter_of(filters: dict[str, dict[str, str]], kind: str, path: str) -> str:
    """The filter that writes `path`. Raises OfficeError(bad_value), naming the extensions known."""
    filter_name = filters[kind].get(extension_of(path))
    if filter_name is None:
        known = ", ".join(f".{extension}" for extension in filters[kind])
        raise OfficeError("bad_value", f"{path}: a {kind} file ends in one of {known}")
    return filter_name


def check_folder(path: str) -> None:
    """Raises OfficeError(not_found) when the folder of a file to be written does not exist."""
    folder = absolute_path(path).parent
    if not folder.is_dir():
        raise OfficeError("not_found", f"there is no folder {folder}")
