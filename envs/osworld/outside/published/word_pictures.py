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

from envs.osworld.outside.metrics.word_styles import W
from envs.osworld.outside.published.error_policy import broken_scores_0, unreadable_scores_0
from envs.osworld.outside.published.word_files import open_document
from envs.osworld.outside.published.word_text import compare_docx_files, same_words

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
V = "{urn:schemas-microsoft-com:vml}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"


@broken_scores_0
def compare_docx_images(result: Path, expected: Path) -> float:
    """1 when the bodies show the same pictures in the same order, pixel for pixel."""
    actual, target = (
        list(map(_picture_content, _pictures(open_document(path)))) for path in (result, expected)
    )
    return float(actual == target)


@unreadable_scores_0
def compare_docx_images_compat(result: Path, expected: Path) -> float:
    """In the order in which the file lists them, without their sizes. Raises what Pillow raises for
    a picture that it cannot read, ValueError for one outside of the file."""
    actual, target = (
        [
            rel.target_part.blob
            for rel in open_document(path).part.rels.values()
            if "image" in rel.reltype
        ]
        for path in (result, expected)
    )
    return float(
        len(actual) == len(target)
        and all(_bare(a) == _bare(b) for a, b in zip(actual, target, strict=True))
    )


@broken_scores_0
def compare_contains_image(result: Path, expected: Path) -> float:
    """1 when as many pictures or drawings stand in each paragraph of both documents."""
    actual, target = (
        [
            sum(1 for _ in paragraph._p.iter(f"{A}graphicData"))
            for paragraph in open_document(path).paragraphs
        ]
        for path in (result, expected)
    )
    return float(actual == target)


@unreadable_scores_0
def compare_contains_image_compat(result: Path, expected: Path) -> float:
    """Compares runs one by one, as far as both documents have them."""
    for actual, target in zip(
        open_document(result).paragraphs, open_document(expected).paragraphs, strict=False
    ):
        for a, b in zip(actual.runs, target.runs, strict=False):
            if ("graphicData" in a._element.xml) != ("graphicData" in b._element.xml):
                return 0.0
    return 1.0


@broken_scores_0
def compare_insert_equation(result: Path, expected: Path) -> float:
    """1 when the documents say the same and the same equations stand in the same paragraphs, at
    least one; of one stored as an object only that it is there."""
    if not same_words(result, expected):
        return 0.0
    actual, target = (
        [
            _equations(paragraph._p)
            for paragraph in open_document(path).paragraphs
            if paragraph.text.strip() or _equations(paragraph._p)
        ]
        for path in (result, expected)
    )
    return float(actual == target and any(actual))


@unreadable_scores_0
def compare_insert_equation_compat(result: Path, expected: Path) -> float:
    """1 when one run of the same number holds an object in both."""
    if not compare_docx_files(result, expected):
        return 0.0
    for actual, target in zip(
        open_document(result).paragraphs, open_document(expected).paragraphs, strict=False
    ):
        for a, b in zip(actual.runs, target.runs, strict=False):
            if a.element.xpath(".//w:object") and b.element.xpath(".//w:object"):
                return 1.0
    return 0.0


def _pictures(document: Any) -> Iterator[bytes]:
    """A drawing's stand-in for old programs is left out."""
    for element in document.element.body.iter(f"{A}blip", f"{V}imagedata"):
        name = element.get(f"{R}embed") or element.get(f"{R}id")
        if name is not None and next(element.iterancestors(FALLBACK), None) is None:
            yield document.part.related_parts[name].blob


def _picture_content(content: bytes) -> object:
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
        "".join(element_text.text or "" for element_text in element.iter(f"{M}t")).replace(" ", "")
        if element.tag == f"{M}oMath"
        else "object"
        for element in paragraph.iter(f"{M}oMath", f"{W}object")
    ]
