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

from envs.verify.makers.documents import document_bytes
from envs.verify.metrics.alike import alike
from envs.verify.metrics.word_reader import read_document
from envs.verify.registry import metric


@metric
def document_is(result: Path, rules: Mapping[str, Any]) -> float:
    """1 when the document is what a `document` step with these rules makes. `any` lists what may be
    otherwise: "margins" of the page, "cells" (the looks of text in tables). A file that is no
    document scores 0."""
    from docx.opc.exceptions import PackageNotFoundError

    wanted = read_document(io.BytesIO(document_bytes(rules)))
    try:
        found = read_document(str(result))
    except (PackageNotFoundError, zipfile.BadZipFile, KeyError, ValueError, SyntaxError, OSError):
        return 0.0
    for document in (wanted, found):
        if "margins" in rules.get("any", ()):
            for section in document["sections"]:
                section |= dict.fromkeys(("top", "bottom", "left", "right"))
        if "cells" in rules.get("any", ()):
            for block in document["body"]:
                if "table" in block:
                    block["table"] = [[_words(cell) for cell in row] for row in block["table"]]
    return float(alike(found, wanted))


def _words(cell: list[dict[str, Any]]) -> list[str]:
    return ["".join(run["text"] for run in paragraph["runs"]) for paragraph in cell]
