"""OSWorld's metrics of what else than text is in a document: pictures, equations.

Guarantees: pictures count in the order in which the document shows them, and by what they show, not
by how they are stored.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from PIL import Image

from envs.verify.metrics.word_styles import W
from envs.verify.osworld.broken_files import broken_scores_0, unreadable_scores_0
from envs.verify.osworld.word_files import opened
from envs.verify.osworld.word_text import compare_docx_files, same_words
from envs.verify.registry import compat, metric

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
V = "{urn:schemas-microsoft-com:vml}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


@metric
@broken_scores_0
def compare_docx_images(result: Path, expected: Path) -> float:
    """1 when the bodies show the same pictures in the same order, pixel for pixel."""
    found, wanted = (list(map(_shown, _pictures(opened(path)))) for path in (result, expected))
    return float(found == wanted)


@compat
@unreadable_scores_0
def compare_docx_images_compat(result: Path, expected: Path) -> float:
    """In the order in which the file lists them, without their sizes. Raises what Pillow raises for
    a picture that it cannot read, ValueError for one outside of the file."""
    found, wanted = (
        [one.target_part.blob for one in opened(path).part.rels.values() if "image" in one.reltype]
        for path in (result, expected)
    )
    return float(
        len(found) == len(wanted)
        and all(_bare(a) == _bare(b) for a, b in zip(found, wanted, strict=True))
    )


@metric
@broken_scores_0
def compare_contains_image(result: Path, expected: Path) -> float:
    """1 when as many pictures or drawings stand in each paragraph of both documents."""
    found, wanted = (
        [sum(1 for _ in one._p.iter(f"{A}graphicData")) for one in opened(path).paragraphs]
        for path in (result, expected)
    )
    return float(found == wanted)


@compat
@unreadable_scores_0
def compare_contains_image_compat(result: Path, expected: Path) -> float:
    """Compares runs one by one, as far as both documents have them."""
    for one, other in zip(opened(result).paragraphs, opened(expected).paragraphs, strict=False):
        for a, b in zip(one.runs, other.runs, strict=False):
            if ("graphicData" in a._element.xml) != ("graphicData" in b._element.xml):
                return 0.0
    return 1.0


@metric
@broken_scores_0
def compare_insert_equation(result: Path, expected: Path) -> float:
    """1 when the documents say the same and the same equations stand in the same paragraphs, at
    least one; of one stored as an object only that it is there."""
    if not same_words(result, expected):
        return 0.0
    found, wanted = (
        [
            _equations(one._p)
            for one in opened(path).paragraphs
            if one.text.strip() or _equations(one._p)
        ]
        for path in (result, expected)
    )
    return float(found == wanted and any(found))


@compat
@unreadable_scores_0
def compare_insert_equation_compat(result: Path, expected: Path) -> float:
    """1 when one run of the same number holds an object in both."""
    if not compare_docx_files(result, expected):
        return 0.0
    for one, other in zip(opened(result).paragraphs, opened(expected).paragraphs, strict=False):
        for a, b in zip(one.runs, other.runs, strict=False):
            if a.element.xpath(".//w:object") and b.element.xpath(".//w:object"):
                return 1.0
    return 0.0


def _pictures(document: Any) -> Iterator[bytes]:
    """A drawing's stand-in for old programs is left out."""
    for element in document.element.body.iter(f"{A}blip", f"{V}imagedata"):
        name = element.get(f"{R}embed") or element.get(f"{R}id")
        if name is not None and next(element.iterancestors(FALLBACK), None) is None:
            yield document.part.related_parts[name].blob


def _shown(content: bytes) -> object:
    """Size and pixels; the content of what is no picture that Pillow reads."""
    try:
        with Image.open(io.BytesIO(content)) as image:
            return image.size, image.convert("RGBA").tobytes()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return content


def _bare(content: bytes) -> bytes:
    with Image.open(io.BytesIO(content)) as image:
        return image.tobytes()


def _equations(paragraph: Any) -> list[str]:
    return [
        "".join(one.text or "" for one in element.iter(f"{M}t")).replace(" ", "")
        if element.tag == f"{M}oMath" else "object"
        for element in paragraph.iter(f"{M}oMath", f"{W}object")
    ]  # fmt: skip
