"""Setup steps of tasks as JSON: files that are there at the start, and what is open."""

from __future__ import annotations

import base64
import io
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

from tasksets.desktop.template import Json


def create_folder(path: str) -> Json:
    """An empty folder."""
    return {"type": "folder", "parameters": {"path": path}}


def create_text_file(path: str, text: str) -> Json:
    """A text file in UTF-8."""
    return {"type": "text_file", "parameters": {"path": path, "text": text}}


def create_zip(path: str, files: Mapping[str, str]) -> Json:
    """A zip archive of text files; the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), text)
    encoded = base64.b64encode(buffer.getvalue()).decode()
    return {"type": "text_file", "parameters": {"path": path, "base64": encoded}}


def create_workbook(path: str, sheets: Mapping[str, Sequence[Sequence[Any]]]) -> Json:
    """A spreadsheet: rows of cells by sheet."""
    return {"type": "workbook", "parameters": {"path": path, "sheets": sheets}}


def create_document(path: str, **content: Any) -> Json:
    """A text document; content: `body`, `page` and so on, as the step `document` takes them."""
    return {"type": "document", "parameters": {"path": path, **content}}


def create_presentation(path: str, slides: Sequence[Json]) -> Json:
    """A presentation of these slides."""
    return {"type": "presentation", "parameters": {"path": path, "slides": slides}}


def create_mailbox(folders: Mapping[str, Sequence[Json]]) -> Json:
    """The mail program's local folders with their messages."""
    return {"type": "mailbox", "parameters": {"folders": folders}}


def open_path(path: str) -> Json:
    """The program of a file's kind, with the file open; a folder in the file manager."""
    return {"type": "open", "parameters": {"path": path}}


def open_mail() -> Json:
    """The mail program, open."""
    return {"type": "open_mail", "parameters": {}}
