"""Tools on documents as a whole: list, open, make, close."""

from __future__ import annotations

from typing import Any, Literal

from envs.apps.office.documents import Office, kind_of, path_of, title_of
from envs.apps.office.paths import absolute_path
from envs.apps.office.pictures import check_file_exists
from envs.apps.office.registry import OfficeError, ToolGroup
from envs.apps.office.saving import EDITABLE_FORMATS, check_folder, filter_of, save_as
from envs.apps.office.uno_values import file_url, property_value

FACTORIES = {"calc": "scalc", "writer": "swriter", "impress": "simpress"}

tools = ToolGroup("office")


@tools.tool("office.list_documents")
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
    """Opens a document; None when LibreOffice cannot."""
    # On another thread, loading now and then waits for the main thread for ever.
    on_main_thread = (property_value("OnMainThread", True),)
    return office.desktop.loadComponentFromURL(url, "_default", 0, on_main_thread)


@tools.tool("office.open", timeout_s=9)
def open_document(office: Office, path: str) -> dict[str, Any]:
    """Opens a file in a LibreOffice window."""
    check_file_exists(path)
    document = load(office, file_url(path))
    if document is None:
        raise OfficeError("tool_failed", f"LibreOffice could not open {path}")
    return {"title": title_of(document), "kind": kind_of(document)}


@tools.tool("office.new", timeout_s=9)
def new_document(
    office: Office, kind: Literal["calc", "writer", "impress"], path: str
) -> dict[str, Any]:
    """Makes an empty document, saves it as `path` (its extension says the format) and opens it."""
    if absolute_path(path).exists():
        raise OfficeError("bad_value", f"{path} exists; use office.open")
    filter_of(EDITABLE_FORMATS, kind, path)
    check_folder(path)
    document = load(office, f"private:factory/{FACTORIES[kind]}")
    save_as(document, path)
    return {"title": title_of(document), "kind": kind}


@tools.tool("office.close")
def close_document(office: Office, path: str, save: bool = False) -> None:
    """Closes an open document by its path; its changes are lost unless `save`."""
    for document in office.documents():
        if path_of(document) == str(absolute_path(path)):
            if save:
                document.store()
            document.setModified(False)
            document.close(True)
            return
    raise OfficeError("not_found", f"{path} is not open")
