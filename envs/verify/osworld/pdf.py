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

from envs.verify.osworld.broken_files import BadRules, broken_scores_0, one_of, rule
from envs.verify.registry import compat, metric

RELATIONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
SAME_HASH = 5
"""Of the 64 bits of two pictures' perceptual hashes, how many may differ."""
SAME_PAGE = 4.0
"""Mean difference of two pages' pixels, of 255."""


@metric
@broken_scores_0
def check_pdf_pages(result: Path, expected: Mapping[str, Any]) -> float:
    """1 when the number of pages is in `relation` to `ref_value`."""
    relation = one_of(rule(expected, "relation", str), RELATIONS, "relation")
    wanted = rule(expected, "ref_value", int, float)
    with _opened(result) as document:
        return float(getattr(operator, relation)(document.page_count, wanted))


@metric
@broken_scores_0
def compare_pdfs(result: Path | Sequence[Path], expected: Path | Sequence[Path]) -> float:
    """How alike the texts are, from 0 to 1; of lists the mean, file by file, a file without its
    match counting 0. Files without text are alike when their pages look the same."""
    found, wanted = _listed(result), _listed(expected)
    if not wanted:
        raise BadRules("no file is expected")
    pairs = zip(found, wanted, strict=False)
    return sum(_alike(*pair, by_sight=True) for pair in pairs) / max(len(found), len(wanted))


@compat
def compare_pdfs_compat(result: Path | Sequence[Path], expected: Path | Sequence[Path]) -> float:
    """Any two files without text are alike."""
    if isinstance(expected, list):
        found = result if isinstance(result, list) else list(str(result))
        pairs = list(zip(found, expected, strict=False))
    else:
        pairs = [(result, expected)]
    total = sum(_alike(*pair, by_sight=False) for pair in pairs)
    return total / (len(expected) if isinstance(expected, list) else 1)


@metric
@broken_scores_0
def compare_pdf_images(result: Path, expected: Path) -> float:
    """The part of pictures that look the same, page by page; 0 when their numbers differ."""
    found, wanted = (_pictures(path) for path in (result, expected))
    if len(found) != len(wanted):
        return 0.0
    same = [
        imagehash.phash(a) - imagehash.phash(b) <= SAME_HASH
        for a, b in zip(found, wanted, strict=True)
    ]
    return sum(same) / len(same) if same else 1.0


@metric
@broken_scores_0
def is_gold_text_included_in_pdf(result: Path, expected: Path) -> float:
    """1 when each value of the JSON object in `expected` is in the text; where lines break does not
    matter."""
    values = _values(expected)
    text = _spaced(_text(result))
    return float(all(_spaced(value) in text for value in values))


@compat
def is_gold_text_included_in_pdf_compat(result: Path, expected: Path) -> float:
    """To the letter, line breaks too. Raises an error for what is no PDF file."""
    text = _text(result)
    return float(all(value in text for value in _values(expected)))


def _opened(path: Path) -> Any:
    """Raises ValueError for what is no PDF file, or one that a password locks."""
    document = pymupdf.open(stream=path.read_bytes(), filetype="pdf")
    if document.needs_pass:
        raise ValueError(f"{path.name} is locked by a password")
    return document


def _text(path: Path) -> str:
    with _opened(path) as document:
        return "".join(page.get_text() for page in document).strip()


def _listed(files: Path | Sequence[Path]) -> list[Path]:
    return [files] if isinstance(files, Path) else list(files)


def _alike(result: Any, expected: Any, *, by_sight: bool) -> float:
    try:
        found, wanted = _text(result), _text(expected)
        if by_sight and not found and not wanted:
            return _look_alike(result, expected)
    except (ValueError, RuntimeError, OSError, AttributeError):
        return 0.0
    return float(fuzz.ratio(found, wanted)) / 100


def _look_alike(result: Path, expected: Path) -> float:
    found, wanted = (_pages(path) for path in (result, expected))
    if [page.size for page in found] != [page.size for page in wanted]:
        return 0.0
    differences = (ImageChops.difference(a, b) for a, b in zip(found, wanted, strict=True))
    return float(all(ImageStat.Stat(one).mean[0] <= SAME_PAGE for one in differences))


def _pages(path: Path) -> list[Image.Image]:
    """Small grey pictures of them."""
    with _opened(path) as document:
        drawn = [page.get_pixmap(dpi=36, colorspace=pymupdf.csGRAY) for page in document]
    return [Image.frombytes("L", (one.width, one.height), one.samples) for one in drawn]


def _pictures(path: Path) -> list[Image.Image]:
    """All that pages name, those left out that Pillow cannot read."""
    found: list[Image.Image] = []
    with _opened(path) as document:
        for page in document:
            for listed in page.get_images(full=True):
                content = document.extract_image(listed[0])["image"]
                try:
                    image = Image.open(io.BytesIO(content))
                except OSError:
                    continue
                found.append(image)
    return found


def _values(path: Path) -> list[str]:
    """Raises BadRules."""
    given = json.loads(path.read_text())
    if not isinstance(given, dict) or not all(isinstance(one, str) for one in given.values()):
        raise BadRules(f"{path.name} is no JSON object of texts")
    return list(given.values())


def _spaced(text: str) -> str:
    return " ".join(text.split())
