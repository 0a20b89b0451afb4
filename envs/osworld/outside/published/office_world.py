"""The metrics of OfficeWorld for text documents and presentations.

Guarantees: what is compared is text, and where and how many the tables, pictures, text boxes, page
breaks and notes are; formatting does not matter, nor which picture it is.
"""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pptx import Presentation

from envs.osworld.outside.published.error_policy import broken_scores_0
from envs.osworld.outside.published.safe_xml import parse_xml

NAMES = {
    "w": "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
    "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
    "v": "urn:schemas-microsoft-com:vml",
}
IN_DOCUMENT = (
    "w:body/w:p/w:r[w:t]",
    "w:body/w:p/w:hyperlink/w:r[w:t]",
    "//w:tbl",
    "//w:p/w:r/w:drawing",
    "//v:textbox",
    "//w:p/w:r/w:footnoteReference",
    "//w:p/w:r/w:endnoteReference",
    "//w:p/w:r/w:commentReference",
    "//w:p/w:r/w:br[@w:type='page']",
)
ON_SLIDE = ("//p:sp/p:txBody", "//a:tbl", "//p:pic", "//p:sp//a:blip")
TEXT = (".//w:t/text()", ".//a:t/text()")
CELLS = (".//w:tc", ".//a:tc")
NOTES = {"footnotes": "footnote", "endnotes": "endnote", "comments": "comment"}


@broken_scores_0
def simple_docx_compare(result: Path, expected: Path) -> float:
    """1 when two .docx files have the same text, with tables, pictures, text boxes, page breaks and
    marks of notes in the same places, and the same texts of tables, text boxes, notes and comments.
    Where paragraphs end does not matter."""
    return float(_document(result) == _document(expected))


@broken_scores_0
def simple_pptx_compare(result: Path, expected: Path) -> float:
    """1 when two presentations have as many slides, each with the same texts and tables and as many
    pictures as its match. Where on the slide does not matter."""
    return float(_slides(result) == _slides(expected))


def _document(path: Path) -> tuple[list[str], list[str], list[list[str]]]:
    """The flow of the text, what is in tables and text boxes, and the notes of each kind."""
    with zipfile.ZipFile(path) as archive:
        roots = {
            name: parse_xml(archive.read(f"word/{name}.xml"))
            for name in ("document", *NOTES)
            if name == "document" or f"word/{name}.xml" in archive.namelist()
        }
    flow: list[str] = []
    inside: list[str] = []
    for element in _find_all(roots["document"], IN_DOCUMENT):
        kind = element.tag.rpartition("}")[2]
        if kind == "r":
            flow += "".join(_find_all(element, TEXT))
            continue
        flow.append(f"<{kind}>")
        if kind in ("tbl", "textbox"):
            inside.append(f"{kind}: {_table(element) if kind == 'tbl' else _text_of(element)}")
    notes = [_notes(roots.get(part), tag) for part, tag in NOTES.items()]
    return flow, inside, notes


def _notes(root: Any, tag: str) -> list[str]:
    """Those that a reader sees: lines between text and notes are kept as notes too."""
    if root is None:
        return []
    notes = _find_all(root, (f"w:{tag}[not(@w:type)]",))
    texts = ("".join(text.strip() for text in _find_all(note, TEXT)) for note in notes)
    return [text for text in texts if text]


def _slides(path: Path) -> list[Counter[str]]:
    presentation: Any = Presentation(str(path))
    return [_slide(slide) for slide in presentation.slides]


def _slide(slide: Any) -> Counter[str]:
    parts: Counter[str] = Counter()
    for element in _find_all(parse_xml(slide.part.blob), ON_SLIDE):
        kind = element.tag.rpartition("}")[2]
        if kind == "txBody":
            if text := _text_of(element):
                parts[f"text: {text}"] += 1
        else:
            parts[f"table: {_table(element)}" if kind == "tbl" else "picture"] += 1
    return parts


def _find_all(element: Any, paths: Sequence[str]) -> list[Any]:
    return list(element.xpath("|".join(paths), namespaces=NAMES))


def _text_of(element: Any) -> str:
    return "".join(_find_all(element, TEXT)).strip()


def _table(element: Any) -> str:
    """Cells with commas between, rows with line breaks."""
    rows = (
        ["".join(text.strip() for text in _find_all(cell, TEXT)) for cell in _find_all(row, CELLS)]
        for row in _find_all(element, (".//w:tr", ".//a:tr"))
    )
    return "\n".join(", ".join(row) for row in rows)
