"""Metrics of text documents.

Guarantees: `document_is` compares what documents mean (`word_reader`), so it does not matter which
program wrote the file; anything that the rules do not say must not be there.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from envs.osworld.format.makers.documents import document_bytes
from envs.osworld.outside.metrics.approximate import approximately_equal
from envs.osworld.outside.metrics.word_reader import read_document


def document_is(result: Path, rules: Mapping[str, Any]) -> float:
    """1 when the document is what a `document` step with these rules makes. `any` lists what may be
    otherwise: "margins" of the page, "cells" (the formatting of text in tables). A file that is no
    document scores 0."""
    from docx.opc.exceptions import PackageNotFoundError

    expected = read_document(io.BytesIO(document_bytes(rules)))
    try:
        actual = read_document(str(result))
    except (PackageNotFoundError, zipfile.BadZipFile, KeyError, ValueError, SyntaxError, OSError):
        return 0.0
    for document in (expected, actual):
        if "margins" in rules.get("any", ()):
            for section in document["sections"]:
                section |= dict.fromkeys(("top", "bottom", "left", "right"))
        if "cells" in rules.get("any", ()):
            for block in document["body"]:
                if "table" in block:
                    block["table"] = [[_words(cell) for cell in row] for row in block["table"]]
    return float(approximately_equal(actual, expected))


def _words(cell: list[dict[str, Any]]) -> list[str]:
    return ["".join(run["text"] for run in paragraph["runs"]) for paragraph in cell]
