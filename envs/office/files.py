"""Tools on documents as a whole, list, open, make, close; and how a document is written to a file.

A file's format follows from its extension and the kind of document.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from envs.office.documents import Office, file_url, kind_of, path_of, property_value, title_of
from envs.office.registry import OfficeError, office_tool

EDITABLE: dict[str, dict[str, str]] = {
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
"""Filter of each extension that a document can be kept in, by kind."""

EXPORTED: dict[str, dict[str, str]] = {
    "calc": {
        "pdf": "calc_pdf_Export",
        "csv": "Text - txt - csv (StarCalc)",
        "html": "HTML (StarCalc)",
    },
    "writer": {"pdf": "writer_pdf_Export", "txt": "Text (encoded)", "html": "HTML (StarWriter)"},
    "impress": {"pdf": "impress_pdf_Export", "html": "impress_html_Export"},
}
"""Filter of each extension that only a copy is written in: the document keeps its own file."""

EXPORT_OPTIONS = {"txt": "UTF8,LF", "csv": "44,34,76"}
"""UTF-8 for text; commas and double quotes too for the first sheet as CSV."""

FACTORIES = {"calc": "scalc", "writer": "swriter", "impress": "simpress"}


@office_tool("office.list_documents", "office")
def list_documents(office: Office) -> list[dict[str, Any]]:
    """Lists the open documents: title, kind, path, and whether there are unsaved changes."""
    return [
        {
            "title": title_of(doc),
            "kind": kind_of(doc),
            "path": path_of(doc),
            "modified": bool(doc.isModified()),
        }
        for doc in office.documents()
    ]


def load(office: Office, url: str) -> Any:
    """On the office's main thread: elsewhere, loading now and then waits for it for ever."""
    on_main_thread = (property_value("OnMainThread", True),)
    return office.desktop.loadComponentFromURL(url, "_default", 0, on_main_thread)


@office_tool("office.open", "office", timeout_s=9)
def open_document(office: Office, path: str) -> dict[str, Any]:
    """Opens a file in a LibreOffice window."""
    if not Path(path).is_file():
        raise OfficeError("not_found", f"there is no file {path}")
    document = load(office, file_url(path))
    if document is None:
        raise OfficeError("tool_failed", f"LibreOffice could not open {path}")
    return {"title": title_of(document), "kind": kind_of(document)}


@office_tool("office.new", "office", timeout_s=9)
def new_document(
    office: Office, kind: Literal["calc", "writer", "impress"], path: str
) -> dict[str, Any]:
    """Makes an empty document, saves it as `path` (its extension says the format) and opens it."""
    if Path(path).exists():
        raise OfficeError("bad_value", f"{path} exists; use office.open")
    filter_of(EDITABLE, kind, path)
    check_folder(path)
    document = load(office, f"private:factory/{FACTORIES[kind]}")
    save_as(document, path)
    return {"title": title_of(document), "kind": kind}


@office_tool("office.close", "office")
def close_document(office: Office, path: str, save: bool = False) -> None:
    """Closes an open document by its path; its changes are lost unless `save`."""
    for document in office.documents():
        if path_of(document) == str(Path(path).absolute()):
            if save:
                document.store()
            document.setModified(False)
            document.close(True)
            return
    raise OfficeError("not_found", f"{path} is not open")


def save(document: Any) -> str:
    """Writes the document to its own file; gives the path.

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
    if extension_of(path) in EXPORTED[kind]:
        extension = extension_of(path)
        export(document, path, EXPORTED[kind][extension], EXPORT_OPTIONS.get(extension, ""))
    else:
        filter_name = filter_of(EDITABLE, kind, path)
        check_folder(path)
        document.storeAsURL(file_url(path), (property_value("FilterName", filter_name),))
    return str(Path(path).absolute())


def export(document: Any, path: str, filter_name: str, options: str = "") -> None:
    """Writes the document in another format, keeping its own file and state."""
    check_folder(path)
    arguments: list[Any] = [property_value("FilterName", filter_name)]
    if options:
        arguments.append(property_value("FilterOptions", options))
    document.storeToURL(file_url(path), tuple(arguments))


def extension_of(path: str) -> str:
    return Path(path).suffix.removeprefix(".").lower()


def filter_of(filters: dict[str, dict[str, str]], kind: str, path: str) -> str:
    """The filter that writes `path`. Raises OfficeError(bad_value), naming the extensions known."""
    found = filters[kind].get(extension_of(path))
    if found is None:
        known = ", ".join(f".{extension}" for extension in filters[kind])
        raise OfficeError("bad_value", f"{path}: a {kind} file ends in one of {known}")
    return found


def check_folder(path: str) -> None:
    """Raises OfficeError(not_found) when the folder of a file to be written does not exist."""
    folder = Path(path).absolute().parent
    if not folder.is_dir():
        raise OfficeError("not_found", f"there is no folder {folder}")
