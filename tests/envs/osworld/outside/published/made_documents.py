"""Documents that tests make with the libraries that programs use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from docx import Document
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from odf.opendocument import OpenDocumentText
from odf.style import Style, TextProperties
from odf.text import H, P, Span

Write = Callable[[Any], object]


def word(path: Path, *lines: str, write: Write | None = None) -> Path:
    """A paragraph a line, then what `write` adds."""
    document = Document()
    for line in lines:
        document.add_paragraph(line)
    if write is not None:
        write(document)
    document.save(str(path))
    return path


def rows_of(*rows: Sequence[str]) -> Write:
    def write(document: Any) -> None:
        table = document.add_table(len(rows), len(rows[0]))
        for row, texts in zip(table.rows, rows, strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text

    return write


def picture(document: Any, path: Path) -> None:
    document.add_paragraph().add_run().add_picture(str(path))


def equation(document: Any, text: str) -> None:
    made = f"<m:oMath {nsdecls('m')}><m:r><m:t>{text}</m:t></m:r></m:oMath>"
    document.add_paragraph()._p.append(parse_xml(made))


def field(paragraph: Any, code: str, shown: str) -> None:
    """As programs write it: begin, code, separator, result, end."""
    for kind in ("begin", "code", "separate", "result", "end"):
        run = paragraph.add_run(shown if kind == "result" else "")
        if kind == "code":
            instruction = OxmlElement("w:instrText")
            instruction.text = f" {code} "
            run._r.append(instruction)
        elif kind != "result":
            mark = OxmlElement("w:fldChar")
            mark.set(qn("w:fldCharType"), kind)
            run._r.append(mark)


def odt(path: Path, *paragraphs: Any, highlight: str = "#ffff00") -> Path:
    """Each is a text; (text, "h") a heading; (text, "paragraph") all highlighted by its own style;
    or a list of (text, look) with look "", "yellow" or "span span" for a span within a span."""
    document = OpenDocumentText()
    marked = Style(name="Marked", family="text")
    whole = Style(name="Whole", family="paragraph")
    for style in (marked, whole):
        style.addElement(TextProperties(backgroundcolor=highlight))
        document.automaticstyles.addElement(style)
    for paragraph_text in paragraphs:
        if isinstance(paragraph_text, list):
            element = P()
            for text, look in paragraph_text:
                element.addElement(_span(text, look, marked))
        elif isinstance(paragraph_text, tuple):
            text, kind = paragraph_text
            element = H(outlinelevel=1, text=text) if kind == "h" else P(stylename=whole, text=text)
        else:
            element = P(text=paragraph_text)
        document.text.addElement(element)
    document.save(str(path))
    return path


def _span(text: str, look: str, marked: Style) -> Span:
    if look == "span span":
        outer = Span()
        outer.addElement(Span(text=text))
        return outer
    return Span(stylename=marked, text=text) if look == "yellow" else Span(text=text)
