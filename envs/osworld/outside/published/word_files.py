"""Reading .docx files: their paragraphs, and the formats that hold for each piece of text.

Guarantees: a format counts wherever it comes from: the text itself, its styles or the document's
defaults.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from docx import Document
from docx.text.run import Run

from envs.osworld.outside.metrics.word_styles import Styles, W, align, first, value
from envs.osworld.outside.published.error_policy import Unreadable

_RUNS = "./w:r | ./w:hyperlink/w:r | ./w:ins/w:r"
SINGLE = ("auto", 1.0)


def open_document(path: Path) -> Any:
    """A python-docx document. Raises Unreadable."""
    try:
        return Document(str(path))
    except FileNotFoundError:
        raise
    except Exception as error:
        raise Unreadable(f"{path.name} is not a .docx file: {error}") from error


def texts(document: Any) -> list[str]:
    """Of the body's paragraphs; tables are not among them."""
    return [paragraph.text for paragraph in document.paragraphs]


def table_texts(document: Any) -> list[list[list[str]]]:
    """By table, row and cell, without the space around. A merged cell stands in each place."""
    return [
        [[cell.text.strip() for cell in row.cells] for row in table.rows]
        for table in document.tables
    ]


@dataclass(frozen=True, slots=True)
class Span:
    """Text of one run and its formatting: what is not plain; font and size (pt) always."""

    text: str
    formatting: Mapping[str, Any]

    @property
    def visible(self) -> bool:
        """Whether there is more than white space."""
        return bool(self.text.strip())


class Word:
    """An opened document. Raises Unreadable."""

    def __init__(self, path: Path) -> None:
        self.document = open_document(path)
        self._styles = Styles(self.document.part, self.document.styles.element)

    @property
    def paragraphs(self) -> list[Any]:
        """Paragraphs of the body."""
        return list(self.document.paragraphs)

    @property
    def nonempty_paragraphs(self) -> list[Any]:
        """The body's paragraphs that have text."""
        return [paragraph for paragraph in self.paragraphs if paragraph.text.strip()]

    def in_tables(self) -> Iterator[Any]:
        """Paragraphs of all cells, each once however cells are merged."""
        for table in self.document.tables:
            cells = {id(cell._tc): cell for row in table.rows for cell in row.cells}
            for cell in cells.values():
                yield from cell.paragraphs

    def spans(self, paragraph: Any) -> list[Span]:
        """The paragraph's runs with the formatting that holds for them."""
        style = self._style(paragraph)
        return [
            Span(
                Run(run, paragraph).text,
                self._styles.formatting(run.find(f"{W}rPr"), style, None),
            )
            for run in paragraph._p.xpath(_RUNS)
        ]

    def alignment(self, paragraph: Any) -> str:
        """left, center, right or justify."""
        return align(first(self._chain(paragraph), "jc"))

    def line_spacing(self, paragraph: Any) -> tuple[str, float]:
        """("auto", lines), or ("exact" or "atLeast", points)."""
        kind, amount = self._styles.spaces(self._chain(paragraph), in_list=True)["line"]
        return str(kind), float(amount)

    def _style(self, paragraph: Any) -> str | None:
        return self._styles.style_of(paragraph._p.pPr, "pStyle") or self._styles.normal

    def _chain(self, paragraph: Any) -> list[Any]:
        return self._styles.paragraph_chain(paragraph._p.pPr, self._style(paragraph))


def own_property(paragraph: Any, name: str) -> str | None:
    """The paragraph's own property, styles left aside."""
    own = paragraph._p.pPr
    return value(own.find(f"{W}{name}")) if own is not None else None
