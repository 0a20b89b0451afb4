"""The metric of electronic books."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.published.epub import compare_epub, compare_epub_compat
from tests.envs.osworld.outside.published.made_files import (
    book,
)

CHAPTERS = {"x1.html": "<p>One</p>", "x2.html": "<p>Two</p>"}


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
