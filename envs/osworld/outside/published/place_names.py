"""Metric of a text document that lists addresses."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from rapidfuzz import fuzz, process

ASKED = 5
"""How many the one task that uses it asks for."""
ASKED_COMPAT = 3


def fuzzy_place_math(result: Path, rules: Mapping[str, Sequence[str]], count: int = ASKED) -> float:
    """How alike the lines are to places of `expected`, each place counted once; the mean over
    `count` places, or over the lines where there are more."""
    lines = [line.strip() for line in _paragraphs(result) if line.strip()]
    left = list(rules["expected"])
    total = 0.0
    for line in lines:
        best = process.extractOne(line, left, scorer=fuzz.ratio)
        if best is not None:
            total += best[1] / 100
            left.pop(best[2])
    return total / max(count, len(lines))


def fuzzy_place_math_compat(result: Path, rules: Mapping[str, Sequence[str]]) -> float:
    """Words, of which there must be three."""
    import docx

    words = [word for part in docx.Document(str(result)).paragraphs for word in part.text.split()]
    if len(words) != ASKED_COMPAT:
        return 0.0
    return sum(max(fuzz.ratio(word, place) for place in rules["expected"]) for word in words) / 300


def _paragraphs(path: Path) -> list[str]:
    import docx
    from docx.opc.exceptions import PackageNotFoundError

    try:
        return [
            line for part in docx.Document(str(path)).paragraphs for line in part.text.split("\n")
        ]
    except (PackageNotFoundError, zipfile.BadZipFile, KeyError, ValueError, SyntaxError, OSError):
        return []
