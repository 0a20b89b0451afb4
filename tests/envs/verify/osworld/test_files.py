"""PDF files, electronic books, sound files: right, wrong, malformed, and OSWorld's own errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from envs.verify.osworld.broken_files import BadRules
from envs.verify.osworld.epub import compare_epub, compare_epub_compat
from envs.verify.osworld.media_tags import check_mp3_meta
from envs.verify.osworld.pdf import (
    check_pdf_pages,
    compare_pdf_images,
    compare_pdfs,
    compare_pdfs_compat,
    is_gold_text_included_in_pdf,
    is_gold_text_included_in_pdf_compat,
)
from tests.envs.verify.osworld.made_files import book, colored_page, mp3, pdf, pdf_of_pictures

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
    with pytest.raises(BadRules, match="no JSON object"):
        is_gold_text_included_in_pdf(form, expected)


def test_books_are_compared_part_by_part(tmp_path: Path) -> None:
    gold = book(tmp_path / "gold.epub", CHAPTERS)
    same = book(tmp_path / "same.epub", {**CHAPTERS, "x1.html": "<p>\nOne</p>"}, identifier="7")
    assert compare_epub(same, gold) == 1
    other = book(tmp_path / "other.epub", {**CHAPTERS, "x2.html": "<p>Three</p>"})
    assert 0.5 < compare_epub(other, gold) < 1


def test_a_chapter_that_is_missing_counts(tmp_path: Path) -> None:
    """OSWorld's compares as far as both books go."""
    gold = book(tmp_path / "gold.epub", CHAPTERS)
    less = book(tmp_path / "less.epub", {"x1.html": "<p>One</p>"})
    # Contents, package and one of two pages.
    assert compare_epub(less, gold) == 0.75
    assert compare_epub_compat(less, gold) == 1


def test_pages_may_be_in_a_folder(tmp_path: Path) -> None:
    """OSWorld's fails to write them, or writes where their names lead."""
    nested = book(tmp_path / "nested.epub", {"../text/x1.html": "<p>One</p>"})
    assert compare_epub(nested, nested) == 1
    with pytest.raises(FileNotFoundError):
        compare_epub_compat(nested, nested)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["nested.epub"]


def test_tags_follow_their_rules(tmp_path: Path) -> None:
    song = mp3(tmp_path / "song.mp3", title="Missing You", artist="Cheng Xiang")
    assert check_mp3_meta(song, TITLE) == 1
    assert check_mp3_meta(song, {"artist": {"method": "re.I", "ref": "^cheng"}}) == 1
    assert check_mp3_meta(song, {**TITLE, "album": {"method": "eq", "ref": "One"}}) == 0
    with pytest.raises(ValueError, match="nearly"):
        check_mp3_meta(song, {"title": {"method": "nearly", "ref": ""}})


def test_a_file_without_tags_has_empty_ones(tmp_path: Path) -> None:
    """OSWorld's fails."""
    assert check_mp3_meta(mp3(tmp_path / "bare.mp3"), TITLE) == 0
