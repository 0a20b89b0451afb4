"""How documents are laid out: right, wrong, malformed, and where OSWorld's metrics go wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_BREAK, WD_TAB_ALIGNMENT
from docx.shared import Cm

from envs.osworld.outside.metric_modules import Metric
from envs.osworld.outside.published.error_policy import BadRules
from envs.osworld.outside.published.word_pages import (
    check_tabstops,
    check_tabstops_compat,
    compare_line_spacing,
    compare_line_spacing_compat,
    contains_page_break,
    contains_page_break_compat,
    evaluate_alignment,
    evaluate_alignment_compat,
    evaluate_spacing,
    evaluate_spacing_compat,
    has_page_numbers_in_footers,
    has_page_numbers_in_footers_compat,
    is_first_line_centered,
    is_first_line_centered_compat,
)
from tests.envs.osworld.outside.published.made_documents import field, word

Make = Callable[..., Path]
TAB = "\t"


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.docx"
    path.write_bytes(b"PK no document")
    return path


@pytest.mark.parametrize(
    "metric",
    [evaluate_alignment, evaluate_spacing, has_page_numbers_in_footers, is_first_line_centered],
)
def test_what_is_no_document_scores_nothing(metric: Metric, broken: Path) -> None:
    assert metric(broken) == 0


def test_what_is_no_document_is_like_none(broken: Path) -> None:
    assert compare_line_spacing(broken, broken) == 0
    assert check_tabstops(broken, broken) == 0
    assert contains_page_break(broken, {"page_break_count": 0}) == 0


def test_page_breaks_are_counted(tmp_path: Path) -> None:
    """OSWorld's scores 0 where none is wanted and none is there."""

    def break_twice(document: Any) -> None:
        for _ in range(2):
            document.add_paragraph().add_run().add_break(WD_BREAK.PAGE)

    two, none = word(tmp_path / "two.docx", write=break_twice), word(tmp_path / "none.docx", "A")
    assert contains_page_break(two, {"page_break_count": 2}) == 1
    assert contains_page_break(two, {"page_break_count": 1}) == 0
    assert (contains_page_break(two), contains_page_break(none)) == (1, 0)
    assert contains_page_break(none, {"page_break_count": 0}) == 1
    assert contains_page_break_compat(none, {"page_break_count": 0}) == 0
    with pytest.raises(BadRules, match="page_break_count"):
        contains_page_break(two, {"page_break_count": "two"})


def test_a_page_number_is_a_field(tmp_path: Path) -> None:
    """OSWorld's takes any digit for one."""

    def footer(*parts: str) -> Callable[[Any], None]:
        def write(document: Any) -> None:
            paragraph = document.sections[0].footer.paragraphs[0]
            for part in parts:
                field(paragraph, part, "1") if part.isupper() else paragraph.add_run(part)

        return write

    right = word(tmp_path / "right.docx", "A", write=footer("Page ", "PAGE"))
    assert has_page_numbers_in_footers(right) == 1
    assert has_page_numbers_in_footers(word(tmp_path / "none.docx", "A")) == 0
    pages = word(tmp_path / "pages.docx", "A", write=footer("NUMPAGES"))
    typed = word(tmp_path / "typed.docx", "A", write=footer("Page 1"))
    for wrong in (pages, typed):
        assert has_page_numbers_in_footers(wrong) == 0
        assert has_page_numbers_in_footers_compat(wrong) == 1


def test_first_pages_need_their_numbers_too(tmp_path: Path) -> None:
    def write(document: Any) -> None:
        section = document.sections[0]
        field(section.footer.paragraphs[0], "PAGE", "1")
        section.different_first_page_header_footer = True
        section.first_page_footer.is_linked_to_previous = False

    assert has_page_numbers_in_footers(word(tmp_path / "first.docx", "A", write=write)) == 0


@pytest.fixture
def laid(tmp_path: Path) -> Make:
    """Paragraphs, one for each dictionary of formats; single space unless they say otherwise."""

    def make(name: str, *formats: dict[str, Any], before: tuple[str, ...] = ()) -> Path:
        def write(document: Any) -> None:
            document.styles["Normal"].paragraph_format.line_spacing = 1.0
            for number, paragraph_format in enumerate(formats):
                paragraph = document.add_paragraph(f"Line {number}")
                for key, value in paragraph_format.items():
                    setattr(paragraph.paragraph_format, key, value)

        return word(tmp_path / f"{name}.docx", *before, write=write)

    return make


def test_the_first_line_is_the_first_with_text(laid: Make, tmp_path: Path) -> None:
    """OSWorld's is the very first paragraph, by its own alignment."""
    center = {"alignment": WD_ALIGN_PARAGRAPH.CENTER}
    assert is_first_line_centered(laid("center", center)) == 1
    assert is_first_line_centered(laid("left", {})) == 0
    after = laid("after", center, before=("",))
    assert (is_first_line_centered(after), is_first_line_centered_compat(after)) == (1, 0)

    def by_style(document: Any) -> None:
        document.styles["Normal"].paragraph_format.alignment = WD_ALIGN_PARAGRAPH.CENTER

    styled = word(tmp_path / "styled.docx", "One", write=by_style)
    assert (is_first_line_centered(styled), is_first_line_centered_compat(styled)) == (1, 0)
    empty = word(tmp_path / "empty.docx")
    assert is_first_line_centered(empty) == 0
    with pytest.raises(IndexError):
        is_first_line_centered_compat(empty)


def test_spacing_holds_wherever_it_is_said(laid: Make) -> None:
    """OSWorld's sees only what paragraphs say themselves."""
    gold = laid("gold", {"line_spacing": 2.0}, {"line_spacing": 1.0})
    assert compare_line_spacing(gold, gold) == 1
    other = laid("other", {"line_spacing": 1.5}, {"line_spacing": 1.0})
    assert compare_line_spacing(other, gold) == 0
    implied = laid("implied", {"line_spacing": 2.0}, {})
    assert compare_line_spacing(implied, gold) == 1
    assert compare_line_spacing_compat(implied, gold) == 0


def test_introduction_body_and_end_have_their_spacing(laid: Make) -> None:
    two, half = {"line_spacing": 2.0}, {"line_spacing": 1.5}
    right = laid("right", {}, two, half, before=("",))
    assert evaluate_spacing(right) == 1
    assert evaluate_spacing_compat(right) == 0
    assert evaluate_spacing(laid("wrong", two, {}, half)) == 0
    short = laid("short", {}, two)
    assert evaluate_spacing(short) == 0
    with pytest.raises(IndexError):
        evaluate_spacing_compat(short)


def test_a_tab_follows_the_third_word(tmp_path: Path) -> None:
    """OSWorld's passes any sentence."""
    right = word(tmp_path / "right.docx", "One two three\tfour. Five six seven\teight nine.")
    assert evaluate_alignment(right) == 1
    without = word(tmp_path / "without.docx", "One two three four.")
    assert (evaluate_alignment(without), evaluate_alignment_compat(without)) == (0, 1)


@pytest.fixture
def tabbed(tmp_path: Path) -> Make:
    def make(
        at: float, text: str = "One two three\tfour five.", kind: Any = WD_TAB_ALIGNMENT.RIGHT
    ) -> Path:
        def write(document: Any) -> None:
            stops = document.add_paragraph(text).paragraph_format.tab_stops
            stops.add_tab_stop(Cm(at), kind)

        return word(tmp_path / f"{at} {kind} {text.index(TAB)}.docx", write=write)

    return make


def test_tab_stops_lose_by_how_far_they_are_off(tabbed: Make) -> None:
    # The text of python-docx's page is six inches, 15.24 cm, wide.
    assert check_tabstops(tabbed(15), tabbed(15)) == 1
    assert check_tabstops(tabbed(13), tabbed(15)) == pytest.approx(1 - 2 / 15.24, abs=1e-3)
    assert check_tabstops(tabbed(15, kind=WD_TAB_ALIGNMENT.LEFT), tabbed(15)) == 0
    four = tabbed(15, "One two three four\tfive.")
    assert check_tabstops(four, tabbed(15)) == 1
    assert check_tabstops(four, tabbed(15), word_number_split_by_tabstop=3) == 0


def test_a_score_of_tab_stops_is_never_below_0(tabbed: Make, tmp_path: Path) -> None:
    """OSWorld's is, and divides by zero without text."""
    assert check_tabstops(tabbed(50), tabbed(15)) == 0
    assert check_tabstops_compat(tabbed(50), tabbed(15)) < 0
    empty = word(tmp_path / "empty.docx")
    assert check_tabstops(empty, empty) == 0
    with pytest.raises(ZeroDivisionError):
        check_tabstops_compat(empty, empty)
