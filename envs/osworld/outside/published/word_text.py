"""OSWorld's metrics of what a text document says.

Guarantees: of tables only the metrics that name them see anything; formatting does not
matter to any.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from envs.osworld.outside.published import odt_files, word_files
from envs.osworld.outside.published.error_policy import (
    BadRules,
    broken_scores_0,
    unreadable_scores_0,
)


@dataclass(frozen=True, slots=True)
class Way:
    """How lines are compared."""

    ignore_blanks: bool
    ignore_case: bool
    content_only: bool
    fuzzy_match: bool


@broken_scores_0
def compare_docx_files(
    result: Path,
    expected: Path,
    *,
    ignore_blanks: bool = True,
    ignore_case: bool = False,
    ignore_order: bool = False,
    content_only: bool = False,
    fuzzy_match: bool = False,
    delete_empty_lines: bool = False,
) -> float:
    """1 when the paragraphs of two .docx or two .odt files are the same; with `content_only` or
    `fuzzy_match` how alike they are. `ignore_blanks`: any space is one space, and where paragraphs
    end does not matter. `ignore_order` sorts them as they are compared: case and space first."""
    sides = _lines(result, expected, odt_files.texts)
    if sides is None:
        return 0.0
    way = Way(ignore_blanks, ignore_case, content_only, fuzzy_match)
    actual, target = (
        [_plain(line, way) for line in lines if line.strip() or not delete_empty_lines]
        for lines in sides
    )
    if ignore_order:
        actual, target = sorted(actual), sorted(target)
    return _agreement(actual, target, way)


@unreadable_scores_0
def compare_docx_files_compat(
    result: Path,
    expected: Path,
    *,
    ignore_blanks: bool = True,
    ignore_case: bool = False,
    ignore_order: bool = False,
    content_only: bool = False,
    fuzzy_match: bool = False,
    delete_empty_lines: bool = False,
) -> float:
    """Sorts before case and space are put aside; reads .odt files in part."""
    sides = _lines(result, expected, odt_files.shallow_texts)
    if sides is None:
        return 0.0
    actual, target = map(sorted, sides) if ignore_order else sides
    if delete_empty_lines:
        actual, target = ([line for line in lines if line.strip()] for lines in (actual, target))
    return _agreement(actual, target, Way(ignore_blanks, ignore_case, content_only, fuzzy_match))


def same_words(result: Path, expected: Path) -> bool:
    """Whether the bodies say the same but for space: what metrics of formatting check first."""
    return compare_docx_files(result, expected) == 1


@broken_scores_0
def compare_docx_files_and_ignore_new_lines(
    result: Path, expected: Path, *, ignore_blanks: bool = True
) -> float:
    """1 when the paragraphs of two .docx files are the same, empty ones left out. `ignore_blanks`:
    any space is one space."""
    if {result.suffix, expected.suffix} != {".docx"}:
        return 0.0
    actual, target = (
        [line for line in word_files.texts(word_files.open_document(path)) if line]
        for path in (result, expected)
    )
    return float(_join_lines(actual) == _join_lines(target) if ignore_blanks else actual == target)


@broken_scores_0
def compare_init_lines(result: Path, expected: Path) -> float:
    """1 when the document begins with the expected paragraphs."""
    actual, target = (
        word_files.texts(word_files.open_document(path)) for path in (result, expected)
    )
    return float(actual[: len(target)] == target)


@unreadable_scores_0
def compare_init_lines_compat(result: Path, expected: Path) -> float:
    """A document that ends early, or is empty, passes too."""
    actual, target = (
        word_files.texts(word_files.open_document(path)) for path in (result, expected)
    )
    return float(all(a == b for a, b in zip(actual, target, strict=False)))


@broken_scores_0
def compare_docx_lines(result: Path, expected: Path) -> float:
    """1 when the paragraphs with text are the same, each as often, in any order."""
    actual, target = (sorted(_nonempty_lines(path)) for path in (result, expected))
    return float(actual == target)


@unreadable_scores_0
def compare_docx_lines_compat(result: Path, expected: Path) -> float:
    """However often each is there."""
    return float(set(_nonempty_lines(result)) == set(_nonempty_lines(expected)))


@broken_scores_0
def compare_docx_tables(result: Path, expected: Path) -> float:
    """1 when the tables have the same rows, columns and texts of cells, but for space around."""
    actual, target = (word_files.open_document(path) for path in (result, expected))
    return float(
        [len(table.columns) for table in actual.tables]
        == [len(table.columns) for table in target.tables]
        and word_files.table_texts(actual) == word_files.table_texts(target)
    )


@unreadable_scores_0
def compare_docx_tables_compat(result: Path, expected: Path) -> float:
    """Raises IndexError where rows lack cells."""
    actual, target = (word_files.open_document(path).tables for path in (result, expected))
    if len(actual) != len(target):
        return 0.0
    for a, b in zip(actual, target, strict=True):
        rows, columns = len(a.rows), len(a.columns)
        if (rows, columns) != (len(b.rows), len(b.columns)):
            return 0.0
        for row, column in ((row, column) for row in range(rows) for column in range(columns)):
            if a.cell(row, column).text.strip() != b.cell(row, column).text.strip():
                return 0.0
    return 1.0


@broken_scores_0
def compare_references(
    result: Path,
    expected: Path,
    *,
    reference_indicator: str = "References",
    reference_base_result: float = 0.5,
    content_only: bool = True,
) -> float:
    """How alike the paragraphs after the last heading `reference_indicator` are: 0 up to
    `reference_base_result`, then evenly up to 1. 0 when their number differs. `content_only`
    changes nothing: only text is looked at."""
    if not 0 <= reference_base_result < 1:
        raise BadRules(f"reference_base_result is {reference_base_result}, not from 0 to below 1")
    if {result.suffix, expected.suffix} != {".docx"}:
        return 0.0
    actual, target = (
        _after([line.strip() for line in _paragraphs(path)][::-1], reference_indicator)
        for path in (result, expected)
    )
    return _alike_references(actual, target, reference_base_result)


@unreadable_scores_0
def compare_references_compat(
    result: Path,
    expected: Path,
    *,
    reference_indicator: str = "References",
    reference_base_result: float = 0.5,
    content_only: bool = True,
) -> float:
    """After the first such heading, which must stand alone to the letter. Raises ZeroDivisionError
    when nothing follows in either."""
    if {result.suffix, expected.suffix} != {".docx"}:
        return 0.0
    actual, target = (
        paragraphs[paragraphs.index(reference_indicator) + 1 :]
        if reference_indicator in paragraphs
        else None
        for paragraphs in (_paragraphs(result), _paragraphs(expected))
    )
    actual, target = (
        [line for line in lines if line.strip()] if lines is not None else None
        for lines in (actual, target)
    )
    if actual == target == []:
        raise ZeroDivisionError("no references")
    return _alike_references(actual, target, reference_base_result)


@broken_scores_0
def evaluate_conversion(result: Path) -> float:
    """1 when the document has text and no word of two letters or more is all in capitals."""
    word = word_files.Word(result)
    text = " ".join(paragraph.text for paragraph in (*word.nonempty_paragraphs, *word.in_tables()))
    shouted = any(
        len(word_of_text) > 1 and word_of_text.isupper()
        for word_of_text in re.findall(r"[^\W\d_]+", text)
    )
    return float(bool(text.strip()) and not shouted)


@unreadable_scores_0
def evaluate_conversion_compat(result: Path) -> float:
    """Looks at runs, however they cut words; a document without text passes."""
    document = word_files.open_document(result)
    cells = (cell for table in document.tables for row in table.rows for cell in row.cells)
    paragraphs = [
        *(paragraph for cell in cells for paragraph in cell.paragraphs),
        *document.paragraphs,
    ]
    return float(not any(run.text.isupper() for paragraph in paragraphs for run in paragraph.runs))


def _lines(result: Path, expected: Path, odt_texts: Any) -> tuple[list[str], list[str]] | None:
    """Paragraphs of both; None when they are not of one kind."""
    if result.suffix != expected.suffix or result.suffix not in (".docx", ".odt"):
        return None
    if result.suffix == ".docx":
        return _paragraphs(result), _paragraphs(expected)
    return odt_texts(odt_files.open_odt(result)), odt_texts(odt_files.open_odt(expected))


def _paragraphs(path: Path) -> list[str]:
    return word_files.texts(word_files.open_document(path))


def _nonempty_lines(path: Path) -> list[str]:
    return [line.strip() for line in _paragraphs(path) if line.strip()]


def _plain(line: str, way: Way) -> str:
    if way.content_only or way.ignore_blanks:
        line = " ".join(line.split())
    return line.lower() if way.ignore_case else line


def _join_lines(lines: Iterable[str]) -> str:
    return re.sub(r"\s+", " ", "\n".join(lines)).strip()


def _agreement(first: list[str], second: list[str], way: Way) -> float:
    if way.ignore_case:
        first, second = ([line.lower() for line in lines] for lines in (first, second))
    if way.content_only or way.ignore_blanks:
        fuzzy = way.content_only or way.fuzzy_match
        texts = _join_lines(first), _join_lines(second)
        return _ratio(*texts) if fuzzy else float(texts[0] == texts[1])
    if len(first) != len(second):
        return 0.0
    if not way.fuzzy_match:
        return float(first == second)
    ratios = [_ratio(a, b) for a, b in zip(first, second, strict=True)]
    return sum(ratios) / len(ratios) if ratios else 1.0


def _ratio(first: str, second: str) -> float:
    return float(fuzz.ratio(first, second)) / 100


def _after(backwards: list[str], heading: str) -> list[str] | None:
    """What follows the last heading; None without one."""
    if heading not in backwards:
        return None
    return [line for line in backwards[: backwards.index(heading)][::-1] if line]


def _alike_references(first: list[str] | None, second: list[str] | None, base: float) -> float:
    if first is None or second is None:
        return float(first is second)
    if len(first) != len(second):
        return 0.0
    if not first:
        return 1.0
    ratio = sum(_ratio(a, b) for a, b in zip(first, second, strict=True)) / len(first)
    return (ratio - base) / (1 - base) if ratio >= base + 0.01 else 0.0
