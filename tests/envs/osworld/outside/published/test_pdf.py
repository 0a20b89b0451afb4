"""Metrics of PDF files: right, wrong, malformed, and OSWorld's own errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from envs.osworld.outside.published.epub import compare_epub
from envs.osworld.outside.published.error_policy import BadRules
from envs.osworld.outside.published.media_tags import check_mp3_meta
from envs.osworld.outside.published.pdf import (
    check_pdf_pages,
    compare_pdf_images,
    compare_pdfs,
    compare_pdfs_compat,
    is_gold_text_included_in_pdf,
    is_gold_text_included_in_pdf_compat,
)
from tests.envs.osworld.outside.published.made_files import (
    book,
    colored_page,
    pdf,
    pdf_of_pictures,
)

CHAPTERS = {"x1.html": "<p>One</p>", "x2.html": "<p>Two</p>"}
TITLE = {"title": {"method": "eq", "ref": "Missing You"}}


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken"
    path.write_bytes(b"nothing of the kind")
    return path


def test_broken_files_score_nothing(broken: Path, tmp_path: Path) -> None:
    good = pdf(tmp_path / "good.pdf", "text")
    assert check_pdf_pages(broken, {"relation": "ge", "ref_value": 0}) == 0
    assert compare_pdfs(broken, good) == 0
    assert compare_pdf_images(broken, good) == 0
    assert compare_epub(broken, book(tmp_path / "good.epub", CHAPTERS)) == 0
    assert check_mp3_meta(broken, TITLE) == 0
    expected = tmp_path / "gold.json"
    expected.write_text("{}")
    assert is_gold_text_included_in_pdf(broken, expected) == 0


def test_pages_are_counted(tmp_path: Path) -> None:
    two = pdf(tmp_path / "two.pdf", "One", "Two")
    assert check_pdf_pages(two, {"relation": "eq", "ref_value": 2}) == 1
    assert check_pdf_pages(two, {"relation": "lt", "ref_value": 2}) == 0
    with pytest.raises(BadRules, match="about"):
        check_pdf_pages(two, {"relation": "about", "ref_value": 2})


def test_texts_of_pdf_files_are_compared(tmp_path: Path) -> None:
    gold, near = pdf(tmp_path / "gold.pdf", "abcd"), pdf(tmp_path / "near.pdf", "abce")
    assert compare_pdfs(gold, gold) == 1
    assert compare_pdfs(near, gold) == 0.75
    assert compare_pdfs([gold, near], [gold, gold]) == 0.875
    assert compare_pdfs(gold, [gold, gold]) == 0.5
    with pytest.raises(BadRules, match="no file"):
        compare_pdfs(gold, [])


def test_pages_without_text_are_looked_at(tmp_path: Path) -> None:
    """OSWorld's takes any two such files for the same."""
    red, blue = (colored_page(tmp_path / f"{color}.pdf", color) for color in ("red", "blue"))
    assert compare_pdfs(red, red) == 1
    assert (compare_pdfs(blue, red), compare_pdfs_compat(blue, red)) == (0, 1)


def test_pictures_of_pdf_files_are_compared(tmp_path: Path) -> None:
    gold = pdf_of_pictures(tmp_path / "gold.pdf", "ellipse", "rectangle")
    assert compare_pdf_images(gold, gold) == 1
    half = pdf_of_pictures(tmp_path / "half.pdf", "ellipse", "ellipse")
    assert compare_pdf_images(half, gold) == 0.5
    assert compare_pdf_images(pdf_of_pictures(tmp_path / "less.pdf", "ellipse"), gold) == 0


def test_values_are_found_over_line_breaks(tmp_path: Path) -> None:
    """OSWorld's finds them only within a line."""
    form, expected = pdf(tmp_path / "form.pdf", "Name: Ada\nLovelace"), tmp_path / "gold.json"
    expected.write_text(json.dumps({"name": "Ada Lovelace"}))
    assert is_gold_text_included_in_pdf(form, expected) == 1
    assert is_gold_text_included_in_pdf_compat(form, expected) == 0
    expected.write_text(json.dumps({"name": "Ben"}))
    assert is_gold_text_included_in_pdf(form, expected) == 0
    expected.write_text("[]")
    with pytest.raises(BadRules, match="not a JSON object"):
        is_gold_text_included_in_pdf(form, expected)
