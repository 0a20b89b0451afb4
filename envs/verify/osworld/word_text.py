"""OSWorld's metrics of what a text document says.

Guarantees: of tables only the metrics that name them see anything; how the text looks does not
matter to any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from envs.verify.osworld import odt_files, word_files
from envs.verify.osworld.broken_files import BadRules, broken_scores_0, unreadable_scores_0
from envs.verify.registry import compat, metric


@dataclass(frozen=True, slots=True)
class Way:
    """How lines are compared."""

    ignore_blanks: bool
    ignore_case: bool
    content_only: bool
    fuzzy_match: bool


@metric
@broken_scores_0
def compare_docx_files(
    result: Path, expected: Path, *,
    ignore_blanks: bool = True, ignore_case: bool = False, ignore_order: bool = False,
    content_only: bool = False, fuzzy_match: bool = False, delete_empty_lines: bool = False,
) -> float:  # fmt: skip
    """1 when the paragraphs of two .docx or two .odt files are the same; with `content_only` or
    `fuzzy_match` how alike they are. `ignore_blanks`: any space is one space, and where paragraphs
    end does not matter. `ignore_order` sorts them as they are compared: case and space first."""
    sides = _lines(result, expected, odt_files.texts)
    if sides is None:
        return 0.0
    way = Way(ignore_blanks, ignore_case, content_only, fuzzy_match)
    one, other = (
        [_plain(line, way) for line in lines if line.strip() or not delete_empty_lines]
        for lines in sides
    )
    if ignore_order:
        one, other = sorted(one), sorted(other)
    return _agreement(one, other, way)


@compat
@unreadable_scores_0
def compare_docx_files_compat(
    result: Path, expected: Path, *,
    ignore_blanks: bool = True, ignore_case: bool = False, ignore_order: bool = False,
    content_only: bool = False, fuzzy_match: bool = False, delete_empty_lines: bool = False,
) -> float:  # fmt: skip
    """Sorts before case and space are put aside; reads .odt files in part."""
    sides = _lines(result, expected, odt_files.shallow_texts)
    if sides is None:
        return 0.0
    one, other = map(sorted, sides) if ignore_order else sides
    if delete_empty_lines:
        one, other = ([line for line in lines if line.strip()] for lines in (one, other))
    return _agreement(one, other, Way(ignore_blanks, ignore_case, content_only, fuzzy_match))


def same_words(result: Path, expected: Path) -> bool:
    """Whether the bodies say the same but for space: what metrics of looks ask first."""
    return compare_docx_files(result, expected) == 1


@metric
@broken_scores_0
def compare_docx_files_and_ignore_new_lines(
    result: Path, expected: Path, *, ignore_blanks: bool = True
) -> float:
    """1 when the paragraphs of two .docx files are the same, empty ones left out. `ignore_blanks`:
    any space is one space."""
    if {result.suffix, expected.suffix} != {".docx"}:
        return 0.0
    one, other = (
        [line for line in word_files.texts(word_files.opened(path)) if line]
        for path in (result, expected)
    )
    return float(_joined(one) == _joined(other) if ignore_blanks else one == other)


@metric
@broken_scores_0
def compare_init_lines(result: Path, expected: Path) -> float:
    """1 when the document begins with the expected paragraphs."""
    found, wanted = (word_files.texts(word_files.opened(path)) for path in (result, expected))
    return float(found[: len(wanted)] == wanted)


@compat
@unreadable_scores_0
def compare_init_lines_compat(result: Path, expected: Path) -> float:
    """A document that ends early, or is empty, passes too."""
    one, other = (word_files.texts(word_files.opened(path)) for path in (result, expected))
    return float(all(a == b for a, b in zip(one, other, strict=False)))


@metric
@broken_scores_0
def compare_docx_lines(result: Path, expected: Path) -> float:
    """1 when the paragraphs with text are the same, each as often, in any order."""
    one, other = (sorted(_stripped(path)) for path in (result, expected))
    return float(one == other)


@compat
@unreadable_scores_0
def compare_docx_lines_compat(result: Path, expected: Path) -> float:
    """However often each is there."""
    return float(set(_stripped(result)) == set(_stripped(expected)))


@metric
@broken_scores_0
def compare_docx_tables(result: Path, expected: Path) -> float:
    """1 when the tables have the same rows, columns and texts of cells, but for space around."""
    one, other = (word_files.opened(path) for path in (result, expected))
    return float(
        [len(table.columns) for table in one.tables]
        == [len(table.columns) for table in other.tables]
        and word_files.table_texts(one) == word_files.table_texts(other)
    )


@compat
@unreadable_scores_0
def compare_docx_tables_compat(result: Path, expected: Path) -> float:
    """Raises IndexError where rows lack cells."""
    one, other = (word_files.opened(path).tables for path in (result, expected))
    if len(one) != len(other):
        return 0.0
    for a, b in zip(one, other, strict=True):
        rows, columns = len(a.rows), len(a.columns)
        if (rows, columns) != (len(b.rows), len(b.columns)):
            return 0.0
        for row, column in ((row, column) for row in range(rows) for column in range(columns)):
            if a.cell(row, column).text.strip() != b.cell(row, column).text.strip():
                return 0.0
    return 1.0


@metric
@broken_scores_0
def compare_references(
    result: Path, expected: Path, *, reference_indicator: str = "References",
    reference_base_result: float = 0.5, content_only: bool = True,
) -> float:  # fmt: skip
    """How alike the paragraphs after the last heading `reference_indicator` are: 0 up to
    `reference_base_result`, then evenly up to 1. 0 when their number differs. `content_only`
    changes nothing: only text is looked at."""
    if not 0 <= reference_base_result < 1:
        raise BadRules(f"reference_base_result is {reference_base_result}, not from 0 to below 1")
    if {result.suffix, expected.suffix} != {".docx"}:
        return 0.0
    one, other = (
        _after([line.strip() for line in _paragraphs(path)][::-1], reference_indicator)
        for path in (result, expected)
    )
    return _alike_references(one, other, reference_base_result)


@compat
@unreadable_scores_0
def compare_references_compat(
    result: Path, expected: Path, *, reference_indicator: str = "References",
    reference_base_result: float = 0.5, content_only: bool = True,
) -> float:  # fmt: skip
    """After the first such heading, which must stand alone to the letter. Raises ZeroDivisionError
    when nothing follows in either."""
    if {result.suffix, expected.suffix} != {".docx"}:
        return 0.0
    one, other = (
        paragraphs[paragraphs.index(reference_indicator) + 1 :]
        if reference_indicator in paragraphs else None
        for paragraphs in (_paragraphs(result), _paragraphs(expected))
    )  # fmt: skip
    one, other = (
        [line for line in lines if line.strip()] if lines is not None else None
        for lines in (one, other)
    )
    if one == other == []:
        raise ZeroDivisionError("no references")
    return _alike_references(one, other, reference_base_result)


@metric
@broken_scores_0
def evaluate_conversion(result: Path) -> float:
    """1 when the document has text and no word of two letters or more is all in capitals."""
    word = word_files.Word(result)
    said = " ".join(paragraph.text for paragraph in (*word.written, *word.in_tables()))
    shouted = any(len(one) > 1 and one.isupper() for one in re.findall(r"[^\W\d_]+", said))
    return float(bool(said.strip()) and not shouted)


@compat
@unreadable_scores_0
def evaluate_conversion_compat(result: Path) -> float:
    """Looks at runs, however they cut words; a document without text passes."""
    document = word_files.opened(result)
    cells = (cell for table in document.tables for row in table.rows for cell in row.cells)
    paragraphs = [*(one for cell in cells for one in cell.paragraphs), *document.paragraphs]
    return float(not any(run.text.isupper() for one in paragraphs for run in one.runs))


def _lines(result: Path, expected: Path, odt_texts: Any) -> tuple[list[str], list[str]] | None:
    """Paragraphs of both; None when they are not of one kind."""
    if result.suffix != expected.suffix or result.suffix not in (".docx", ".odt"):
        return None
    if result.suffix == ".docx":
        return _paragraphs(result), _paragraphs(expected)
    return odt_texts(odt_files.opened(result)), odt_texts(odt_files.opened(expected))


def _paragraphs(path: Path) -> list[str]:
    return word_files.texts(word_files.opened(path))


def _stripped(path: Path) -> list[str]:
    return [line.strip() for line in _paragraphs(path) if line.strip()]


def _plain(line: str, way: Way) -> str:
    if way.content_only or way.ignore_blanks:
        line = " ".join(line.split())
    return line.lower() if way.ignore_case else line


def _joined(lines: Iterable[str]) -> str:
    return re.sub(r"\s+", " ", "\n".join(lines)).strip()


def _agreement(one: list[str], other: list[str], way: Way) -> float:
    if way.ignore_case:
        one, other = ([line.lower() for line in lines] for lines in (one, other))
    if way.content_only or way.ignore_blanks:
        fuzzy = way.content_only or way.fuzzy_match
        texts = _joined(one), _joined(other)
        return _ratio(*texts) if fuzzy else float(texts[0] == texts[1])
    if len(one) != len(other):
        return 0.0
    if not way.fuzzy_match:
        return float(one == other)
    ratios = [_ratio(a, b) for a, b in zip(one, other, strict=True)]
    return sum(ratios) / len(ratios) if ratios else 1.0


def _ratio(one: str, other: str) -> float:
    return float(fuzz.ratio(one, other)) / 100


def _after(backwards: list[str], heading: str) -> list[str] | None:
    """What follows the last heading; None without one."""
    if heading not in backwards:
        return None
    return [line for line in backwards[: backwards.index(heading)][::-1] if line]


def _alike_references(one: list[str] | None, other: list[str] | None, base: float) -> float:
    if one is None or other is None:
        return float(one is other)
    if len(one) != len(other):
        return 0.0
    if not one:
        return 1.0
    found = sum(_ratio(a, b) for a, b in zip(one, other, strict=True)) / len(one)
    return (found - base) / (1 - base) if found >= base + 0.01 else 0.0
