"""Metrics of documents' text: right, wrong, malformed, and OSWorld's own errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.metric_modules import Metric
from envs.osworld.outside.published.error_policy import BadRules
from envs.osworld.outside.published.word_text import (
    compare_docx_files,
    compare_docx_files_and_ignore_new_lines,
    compare_docx_files_compat,
    compare_docx_lines,
    compare_docx_lines_compat,
    compare_docx_tables,
    compare_docx_tables_compat,
    compare_init_lines,
    compare_init_lines_compat,
    compare_references,
    compare_references_compat,
    evaluate_conversion,
    evaluate_conversion_compat,
)
from tests.envs.osworld.outside.published.made_documents import odt, rows_of, word

PAIRS = (
    compare_docx_files,
    compare_docx_files_and_ignore_new_lines,
    compare_docx_lines,
    compare_docx_tables,
    compare_init_lines,
    compare_references,
)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return word(tmp_path / "gold.docx", "One two.", "Three")


@pytest.mark.parametrize("metric", PAIRS)
def test_the_same_document_is_right(metric: Metric, gold: Path) -> None:
    assert metric(gold, gold) == 1


@pytest.mark.parametrize("metric", [*PAIRS, evaluate_conversion])
def test_what_is_no_document_scores_nothing(metric: Metric, gold: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.docx"
    broken.write_bytes(b"PK no document")
    assert metric(*[broken, gold][: 1 if metric is evaluate_conversion else 2]) == 0


def test_other_words_score_nothing(gold: Path, tmp_path: Path) -> None:
    other = word(tmp_path / "other.docx", "One two.", "Four")
    for metric in PAIRS[:3]:
        assert metric(other, gold) == 0
    assert compare_init_lines(other, gold) == 0


def test_options_say_what_does_not_matter(gold: Path, tmp_path: Path) -> None:
    loose = word(tmp_path / "loose.docx", "THREE ", "", "One  two.")
    assert compare_docx_files(loose, gold) == 0
    assert compare_docx_files(loose, gold, ignore_case=True, ignore_order=True) == 1
    tight = {"ignore_blanks": False, "delete_empty_lines": True}
    spaced = word(tmp_path / "spaced.docx", "One two.", "", "Three")
    assert compare_docx_files(spaced, gold, ignore_blanks=False) == 0
    assert compare_docx_files(spaced, gold, **tight) == 1


def test_likeness_is_a_part_of_one(tmp_path: Path) -> None:
    first, other = (word(tmp_path / f"{text}.docx", text) for text in ("abcd", "abce"))
    # Of eight letters six agree.
    assert compare_docx_files(first, other, fuzzy_match=True) == 0.75
    assert compare_docx_files(first, other, content_only=True) == 0.75
    assert compare_docx_files(first, other, fuzzy_match=True, ignore_blanks=False) == 0.75


def test_an_option_that_there_is_not_is_an_error(gold: Path, tmp_path: Path) -> None:
    with pytest.raises(BadRules, match="ignore_all"):
        compare_docx_files(gold, gold, ignore_all=True)
    with pytest.raises(BadRules, match="reference_base_result"):
        compare_references(gold, gold, reference_base_result=1)


def test_lines_are_sorted_as_they_are_compared(tmp_path: Path) -> None:
    """OSWorld's sorts "b", "A" and "B", "a" by their capitals."""
    first, other = word(tmp_path / "1.docx", "b", "A"), word(tmp_path / "2.docx", "B", "a")
    options = {"ignore_order": True, "ignore_case": True}
    assert compare_docx_files(first, other, **options) == 1
    assert compare_docx_files_compat(first, other, **options) == 0


def test_files_of_two_kinds_are_not_the_same(gold: Path, tmp_path: Path) -> None:
    assert compare_docx_files(odt(tmp_path / "a.odt", "One two.", "Three"), gold) == 0
    assert compare_docx_files_and_ignore_new_lines(tmp_path / "a.odt", gold) == 0


def test_empty_lines_may_be_left_out(gold: Path, tmp_path: Path) -> None:
    gaps = word(tmp_path / "gaps.docx", "One two.", "", "Three")
    assert compare_docx_files_and_ignore_new_lines(gaps, gold, ignore_blanks=False) == 1
    spaced = word(tmp_path / "spaced.docx", "One  two.", "Three")
    assert compare_docx_files_and_ignore_new_lines(spaced, gold, ignore_blanks=False) == 0
    assert compare_docx_files_and_ignore_new_lines(spaced, gold) == 1


def test_a_beginning_needs_all_its_lines(gold: Path, tmp_path: Path) -> None:
    """OSWorld's compares as far as both go: an empty document passes."""
    assert compare_init_lines(word(tmp_path / "long.docx", "One two.", "Three", "More"), gold) == 1
    empty = word(tmp_path / "empty.docx")
    assert compare_init_lines(empty, gold) == 0
    assert compare_init_lines_compat(empty, gold) == 1


def test_a_line_twice_is_not_once(gold: Path, tmp_path: Path) -> None:
    """OSWorld's compares sets."""
    assert compare_docx_lines(word(tmp_path / "turned.docx", "Three", "One two."), gold) == 1
    twice = word(tmp_path / "twice.docx", "Three", "Three", "One two.")
    assert compare_docx_lines(twice, gold) == 0
    assert compare_docx_lines_compat(twice, gold) == 1


def test_tables_are_compared_cell_by_cell(tmp_path: Path) -> None:
    gold = word(tmp_path / "gold.docx", write=rows_of(["a", "b"], ["1", "2"]))
    assert compare_docx_tables(word(tmp_path / "1.docx", write=rows_of([" a", "b"], ["1", "2"])),
                               gold) == 1  # fmt: skip
    assert compare_docx_tables(word(tmp_path / "2.docx", write=rows_of(["a", "b"], ["1", "3"])),
                               gold) == 0  # fmt: skip
    assert compare_docx_tables(word(tmp_path / "3.docx", write=rows_of(["a", "b"])), gold) == 0


def test_a_row_may_lack_cells(tmp_path: Path) -> None:
    """OSWorld's raises IndexError."""

    def remove_cell(document: object) -> None:
        rows_of(["a", "b"], ["1", "2"])(document)
        row = document.tables[0]._tbl.tr_lst[1]  # type: ignore[attr-defined]
        row.remove(row.tc_lst[1])

    torn = word(tmp_path / "torn.docx", write=remove_cell)
    assert compare_docx_tables(torn, torn) == 1
    with pytest.raises(IndexError):
        compare_docx_tables_compat(torn, torn)


def test_references_score_from_the_base_up(tmp_path: Path) -> None:
    gold = word(tmp_path / "gold.docx", "References", "abcd")
    near = word(tmp_path / "near.docx", "Text", "References", "abce", "")
    # 0.75 alike: half of the way from 0.5 to 1.
    assert compare_references(near, gold) == pytest.approx(0.5)
    assert compare_references(near, gold, reference_base_result=0.75) == 0
    assert compare_references(word(tmp_path / "none.docx", "abcd"), gold) == 0


def test_the_last_heading_of_references_counts(tmp_path: Path) -> None:
    """OSWorld's takes the first, in the table of contents."""
    gold = word(tmp_path / "gold.docx", "Text", "References", "abcd")
    listed = word(tmp_path / "listed.docx", "References", "1", "References ", "abcd")
    assert compare_references(listed, gold) == 1
    assert compare_references_compat(listed, gold) == 0


def test_nothing_may_follow_the_heading(tmp_path: Path) -> None:
    """OSWorld's divides by zero."""
    bare = word(tmp_path / "bare.docx", "References")
    assert compare_references(bare, bare) == 1
    with pytest.raises(ZeroDivisionError):
        compare_references_compat(bare, bare)


def test_capitals_are_told_by_words(tmp_path: Path) -> None:
    """OSWorld's looks at runs, and passes a document without text."""
    first = word(tmp_path / "one.docx", "one WORD")
    assert (evaluate_conversion(first), evaluate_conversion_compat(first)) == (0, 1)
    letter = word(tmp_path / "letter.docx", "I")
    assert (evaluate_conversion(letter), evaluate_conversion_compat(letter)) == (1, 0)
    empty = word(tmp_path / "empty.docx")
    assert (evaluate_conversion(empty), evaluate_conversion_compat(empty)) == (0, 1)
    assert evaluate_conversion(word(tmp_path / "cell.docx", "a", write=rows_of(["WORD"]))) == 0
    assert evaluate_conversion(word(tmp_path / "lower.docx", "All of it.")) == 1
