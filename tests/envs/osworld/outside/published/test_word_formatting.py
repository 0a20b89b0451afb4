"""How text looks: right, wrong, malformed, and where OSWorld's own metrics go wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from docx.enum.text import WD_COLOR_INDEX
from docx.shared import Pt, RGBColor

from envs.osworld.outside.metric_modules import Metric
from envs.osworld.outside.published.error_policy import BadRules
from envs.osworld.outside.published.word_formatting import (
    check_highlighted_words,
    check_highlighted_words_compat,
    check_italic_font_size_14,
    check_italic_font_size_14_compat,
    compare_font_names,
    compare_font_names_compat,
    compare_highlighted_text,
    compare_highlighted_text_compat,
    compare_subscript_contains,
    compare_subscript_contains_compat,
    evaluate_colored_words_in_tables,
    evaluate_colored_words_in_tables_compat,
    evaluate_strike_through_last_paragraph,
    evaluate_strike_through_last_paragraph_compat,
)
from tests.envs.osworld.outside.published.made_documents import odt, rows_of, word

Make = Callable[..., Path]
RED, BLUE = RGBColor(255, 0, 0), RGBColor(0, 0, 255)
SERIF = {"font_name": "Liberation Serif"}


@pytest.fixture
def made(tmp_path: Path) -> Make:
    """A document of one paragraph: runs of (text, looks)."""

    def make(name: str, *runs: tuple[str, dict[str, Any]], before: tuple[str, ...] = ()) -> Path:
        def write(document: Any) -> None:
            paragraph = document.add_paragraph()
            for text, looks in runs:
                run = paragraph.add_run(text)
                for look, value in looks.items():
                    setattr(run.font, look, value)

        return word(tmp_path / f"{name}.docx", *before, write=write)

    return make


@pytest.mark.parametrize(
    "metric",
    [
        check_highlighted_words, check_italic_font_size_14, compare_highlighted_text,
        compare_subscript_contains, evaluate_colored_words_in_tables,
        evaluate_strike_through_last_paragraph,
    ],
)  # fmt: skip
def test_what_is_no_document_scores_nothing(metric: Metric, tmp_path: Path) -> None:
    for kind in ("docx", "odt"):
        broken = tmp_path / f"broken.{kind}"
        broken.write_bytes(b"PK no document")
        assert metric(broken, broken) == 0
    assert compare_font_names(tmp_path / "broken.docx", SERIF) == 0


def test_all_text_must_be_in_the_font(made: Make, tmp_path: Path) -> None:
    serif = {"name": "Liberation Serif"}
    assert compare_font_names(made("all", ("a", serif), (" ", {}), ("b", serif)), SERIF) == 1
    assert compare_font_names(made("half", ("a", serif), ("b", {})), SERIF) == 0
    assert compare_font_names(word(tmp_path / "cells.docx", write=rows_of(["a"])), SERIF) == 0
    with pytest.raises(BadRules, match="font_name"):
        compare_font_names(made("any", ("a", {})), {"font": "Arial"})


def test_a_style_gives_its_font(tmp_path: Path) -> None:
    """OSWorld's sees only what runs say themselves, and passes a document without text."""

    def by_style(document: Any) -> None:
        document.styles["Normal"].font.name = "Liberation Serif"

    styled = word(tmp_path / "styled.docx", "One", write=by_style)
    assert (compare_font_names(styled, SERIF), compare_font_names_compat(styled, SERIF)) == (1, 0)
    empty = word(tmp_path / "empty.docx")
    assert (compare_font_names(empty, SERIF), compare_font_names_compat(empty, SERIF)) == (0, 1)


def test_what_stands_lower_is_found_by_its_characters(made: Make) -> None:
    """OSWorld's compares runs of the same number, whatever they say."""
    low: dict[str, Any] = {"subscript": True}
    gold = made("gold", ("H", {}), ("2", low), ("O", {}))
    assert compare_subscript_contains(gold, gold) == 1
    assert compare_subscript_contains(made("plain", ("H2O", {})), gold) == 0
    cut = made("cut", ("", {}), ("H", {}), ("2", low), ("O", {}))
    assert compare_subscript_contains(cut, gold) == 1
    assert compare_subscript_contains_compat(cut, gold) == 0
    whole = made("whole", ("H", low), ("2O", low))
    assert compare_subscript_contains(whole, gold) == 0
    assert compare_subscript_contains_compat(whole, gold) == 1


def test_the_last_words_must_be_struck_through(made: Make, tmp_path: Path) -> None:
    """OSWorld's looks at the very last paragraph, and passes it when it is empty."""
    gold = made("gold", ("Two", {}), before=("One",))
    struck = made("struck", ("T", {"strike": True}), ("wo", {"double_strike": True}),
                  before=("One",))  # fmt: skip
    assert evaluate_strike_through_last_paragraph(struck, gold) == 1
    half = made("half", ("T", {"strike": True}), ("wo", {}), before=("One",))
    assert evaluate_strike_through_last_paragraph(half, gold) == 0
    trailing = word(tmp_path / "trailing.docx", "One", "Two", "")
    assert evaluate_strike_through_last_paragraph(trailing, gold) == 0
    assert evaluate_strike_through_last_paragraph_compat(trailing, gold) == 1


def test_italics_must_stay_and_be_14(made: Make) -> None:
    """OSWorld's passes a document that has lost its italics."""
    gold = made("gold", ("a ", {}), ("b", {"italic": True, "size": Pt(14)}))
    assert check_italic_font_size_14(gold, gold) == 1
    small = made("small", ("a ", {}), ("b", {"italic": True, "size": Pt(12)}))
    assert check_italic_font_size_14(small, gold) == 0
    upright = made("upright", ("a b", {}))
    assert check_italic_font_size_14(upright, gold) == 0
    assert check_italic_font_size_14_compat(upright, gold) == 1


@pytest.fixture
def cell(tmp_path: Path) -> Make:
    def make(name: str, *runs: tuple[str, RGBColor | None]) -> Path:
        def write(document: Any) -> None:
            paragraph = document.add_table(1, 1).cell(0, 0).paragraphs[0]
            for text, color in runs:
                paragraph.add_run(text).font.color.rgb = color

        return word(tmp_path / f"{name}.docx", "Words", write=write)

    return make


def test_words_are_coloured_by_their_first_letter(cell: Make) -> None:
    gold = cell("gold", ("apple", RED), (" the", BLUE))
    assert evaluate_colored_words_in_tables(gold, gold) == 1
    wrong = cell("wrong", ("apple", BLUE), (" the", BLUE))
    assert evaluate_colored_words_in_tables(wrong, gold) == 0
    near = cell("near", ("apple", RGBColor(254, 0, 0)), (" the", BLUE))
    assert evaluate_colored_words_in_tables(near, gold) == 1
    assert evaluate_colored_words_in_tables(near, gold, threshold=0.01) == 0


def test_a_word_is_not_a_run(cell: Make) -> None:
    """OSWorld's takes each run for a word, fails without a colour, and passes an empty table."""
    gold = cell("gold", ("apple", RED), (" the", BLUE))
    cut = cell("cut", ("a", RED), ("pple", RED), (" the", BLUE))
    assert evaluate_colored_words_in_tables(cut, gold) == 1
    assert evaluate_colored_words_in_tables_compat(cut, gold) == 0
    plain = cell("plain", ("apple the", None))
    assert evaluate_colored_words_in_tables(plain, gold) == 0
    with pytest.raises(TypeError):
        evaluate_colored_words_in_tables_compat(plain, gold)
    gone = cell("gone")
    assert evaluate_colored_words_in_tables(gone, gold) == 0
    assert evaluate_colored_words_in_tables_compat(gone, gold) == 1


def test_highlighted_stretches_are_compared(made: Make) -> None:
    """OSWorld's compares runs."""
    yellow = {"highlight_color": WD_COLOR_INDEX.YELLOW}
    gold = made("gold", ("a ", {}), ("word", yellow))
    assert compare_highlighted_text(gold, gold) == 1
    assert compare_highlighted_text(made("none", ("a word", {})), gold) == 0
    cut = made("cut", ("a ", {}), ("wo", yellow), ("rd", yellow))
    assert compare_highlighted_text(cut, gold) == 1
    assert compare_highlighted_text_compat(cut, gold) == 0


def test_no_highlight_of_any_colour_or_style_passes(tmp_path: Path) -> None:
    """OSWorld's knows spans in yellow only."""
    gold = odt(tmp_path / "gold.odt", "One two.")
    assert check_highlighted_words(gold, gold) == 1
    assert check_highlighted_words(odt(tmp_path / "other.odt", "One."), gold) == 0
    marked = odt(tmp_path / "marked.odt", [("One", "yellow"), (" two.", "")])
    assert check_highlighted_words(marked, gold) == 0
    assert check_highlighted_words(marked, marked) == 1
    whole = odt(tmp_path / "whole.odt", ("One two.", "paragraph"))
    green = odt(tmp_path / "green.odt", [("One", "yellow"), (" two.", "")], highlight="#00ff00")
    for missed in (whole, green):
        assert check_highlighted_words(missed, gold) == 0
        assert check_highlighted_words_compat(missed, gold) == 1
