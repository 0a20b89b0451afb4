"""Writer tools that save."""

from __future__ import annotations

from typing import Any

from envs.apps.office import saving
from envs.apps.office.registry import ToolGroup

tools = ToolGroup("writer")


@tools.tool("writer.save", timeout_s=20)
def save(doc: Any) -> str:
    """Saves the document to its own file; gives the path."""
    return saving.save(doc)


@tools.tool("writer.save_as", timeout_s=20)
def save_as(doc: Any, path: str) -> str:
    """Saves the document as another file, which it then is: .docx, .odt, .doc, .rtf.

    For .pdf, .txt and .html it only writes a copy.
    """
    return saving.save_as(doc, path)
