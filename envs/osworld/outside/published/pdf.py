"""OSWorld's metrics of PDF files: pages, text, pictures.

Guarantees: nothing in a file is run; two files are never alike only because neither has text.
"""

from __future__ import annotations

import io
import json
import operator
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import imagehash
import pymupdf
from PIL import Image, ImageChops, ImageStat
from rapidfuzz import fuzz

from envs.osworld.outside.published.error_policy import (
    BadRules,
    broken_scores_0,
    get_rule,
    require_one_of,
)

RELATIONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
SAME_HASH = 5
"""Of the 64 bits of two pictures' perceptual hashes, how many may differ."""
SAME_PAGE = 4.0
"""Mean difference of two pages' pixels, of 255."""


@broken_scores_0
def check_pdf_pages(result: Path, expected: Mapping[str, Any]) -> float:
    """1 when the number of pages is in `relation` to `ref_value`."""
    relation = require_one_of(get_rule(expected, "relation", str), RELATIONS, "relation")
    reference = get_rule(expected, "ref_value", int, float)
    with _open_pdf(result) as document:
        return float(getattr(operator, relation)(document.page_count, reference))


@broken_scores_0
def compare_pdfs(result: Path | Sequence[Path], expected: Path | Sequence[Path]) -> float:
    """How alike the texts are, from 0 to 1; of lists the mean, file by file, a file without its
    match counting 0. Files without text are alike when their pages look the same."""
    actual, target = _as_list(result), _as_list(expected)
    if not target:
        raise BadRules("no file is expected")
    pairs = zip(actual, target, strict=False)
    return sum(_alike(*pair, by_sight=True) for pair in pairs) / max(len(actual), len(target))


def compare_pdfs_compat(result: Path | Sequence[Path], expected: Path | Sequence[Path]) -> float:
    """Any two files without text are alike."""
    if isinstance(expected, list):
        actual = result if isinstance(result, list) else list(str(result))
        pairs = list(zip(actual, expected, strict=False))
    else:
        pairs = [(result, expected)]
    total = sum(_alike(*pair, by_sight=False) for pair in pairs)
    return total / (len(expected) if isinstance(expected, list) else 1)


@broken_scores_0
def compare_pdf_images(result: Path, expected: Path) -> float:
    """The part of pictures that look the same, page by page; 0 when their numbers differ."""
    actual, target = (_pictures(path) for path in (result, expected))
    if len(actual) != len(target):
        return 0.0
    same = [
        imagehash.phash(a) - imagehash.phash(b) <= SAME_HASH
        for a, b in zip(actual, target, strict=True)
    ]
    return sum(same) / len(same) if same else 1.0


@broken_scores_0
def is_gold_text_included_in_pdf(result: Path, expected: Path) -> float:
    """1 when each value of the JSON object in `expected` is in the text; where lines break does not
    matter."""
    values = _values(expected)
    text = _collapse_spaces(_text(result))
    return float(all(_collapse_spaces(value) in text for value in values))


def is_gold_text_included_in_pdf_compat(result: Path, expected: Path) -> float:
    """To the letter, line breaks too. Raises an error for what is no PDF file."""
    text = _text(result)
    return float(all(value in text for value in _values(expected)))


def _open_pdf(path: Path) -> Any:
    """Raises ValueError for what is no PDF file, or one that a password locks."""
    document = pymupdf.open(stream=path.read_bytes(), filetype="pdf")
    if document.needs_pass:
        raise ValueError(f"{path.name} is locked by a password")
    return document


def _text(path: Path) -> str:
    with _open_pdf(path) as document:
        return "".join(page.get_text() for page in document).strip()


def _as_list(files: Path | Sequence[Path]) -> list[Path]:
    return [files] if isinstance(files, Path) else list(files)


def _alike(result: Any, expected: Any, *, by_sight: bool) -> float:
    try:
        actual, target = _text(result), _text(expected)
        if by_sight and not actual and not target:
            return _look_alike(result, expected)
    except (ValueError, RuntimeError, OSError, AttributeError):
        return 0.0
    return float(fuzz.ratio(actual, target)) / 100


def _look_alike(result: Path, expected: Path) -> float:
    actual, target = (_pages(path) for path in (result, expected))
    if [page.size for page in actual] != [page.size for page in target]:
        return 0.0
    differences = (ImageChops.difference(a, b) for a, b in zip(actual, target, strict=True))
    return float(all(ImageStat.Stat(difference).mean[0] <= SAME_PAGE for difference in differences))


def _pages(path: Path) -> list[Image.Image]:
    """Small grey pictures of them."""
    with _open_pdf(path) as document:
        drawn = [page.get_pixmap(dpi=36, colorspace=pymupdf.csGRAY) for page in document]
    return [Image.frombytes("L", (pixmap.width, pixmap.height), pixmap.samples) for pixmap in drawn]


def _pictures(path: Path) -> list[Image.Image]:
    """All that pages name, those left out that Pillow cannot read."""
    pictures: list[Image.Image] = []
    with _open_pdf(path) as document:
        for page in document:
            for listed in page.get_images(full=True):
                content = document.extract_image(listed[0])["image"]
                try:
                    image = Image.open(io.BytesIO(content))
                except OSError:
                    continue
                pictures.append(image)
    return pictures


def _values(path: Path) -> list[str]:
    """Raises BadRules."""
    values = json.loads(path.read_text())
    if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
        raise BadRules(f"{path.name} is not a JSON object of texts")
    return list(values.values())


def _collapse_spaces(text: str) -> str:
    return " ".join(text.split())
