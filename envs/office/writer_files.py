"""Writer tools that save."""

from __future__ import annotations

from typing import Any

from envs.office import files
from envs.office.registry import office_tool


@office_tool("writer.save", "writer", timeout_s=20)
def save(doc: Any) -> str:
    """Saves the document to its own file; gives the path."""
    return files.save(doc)


@office_tool("writer.save_as", "writer", timeout_s=20)
def save_as(doc: Any, path: str) -> str:
    """Saves the document as another file, which it then is: .docx, .odt, .doc, .rtf.

    For .pdf, .txt and .html it only writes a copy.
    """
    return files.save_as(doc, path)
