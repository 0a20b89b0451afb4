"""What a saved document holds, as python-docx reads it."""

from __future__ import annotations

from typing import Any

import docx

Call = Any

WORDS = "Alpha beta\ngamma delta alpha\nLast one"


def saved_document(call: Call) -> Any:
    """Saves the open document and reads its file."""
    return docx.Document(call("writer.save"))


def saved_texts(call: Call) -> list[str]:
    """Saves the open document and reads the text of its paragraphs."""
    return [paragraph.text for paragraph in saved_document(call).paragraphs]
