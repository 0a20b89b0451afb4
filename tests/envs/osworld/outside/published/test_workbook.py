"""How rules name the sheets of two workbooks."""

from __future__ import annotations

from pathlib import Path

import pytest
from openpyxl import Workbook

from envs.osworld.outside.published.workbook import Book, Books, NoSuchSheet, bare


def save(path: Path, *names: str) -> Book:
    book = Workbook()
    book.remove(book.worksheets[0])
    for name in names:
        book.create_sheet(name)
    book.save(path)
    return Book(path)


@pytest.fixture
def books(tmp_path: Path) -> Books:
    return Books(save(tmp_path / "a.xlsx", "One", "Two"), save(tmp_path / "b.xlsx", "Gold"))


@pytest.mark.parametrize(
    ("index", "name"), [(1, "Two"), ("RI0", "One"), ("RNTwo", "Two"), ("EI0", "Gold")]
)
def test_sheets_by_place_and_name(books: Books, index: int | str, name: str) -> None:
    assert books.sheet(index).name == name


def test_what_the_result_lacks_is_no_error_of_the_task(books: Books) -> None:
    for index in (2, "RI7", "RNGold"):
        with pytest.raises(NoSuchSheet):
            books.sheet(index)
    for wrong in ("EI1", "ENTwo", "XI0", "RIx"):
        with pytest.raises(ValueError, match="sheet"):
            books.sheet(wrong)
    with pytest.raises(ValueError, match="no expected workbook"):
        Books(books.result, None).sheet("EI0")


def test_a_sheet_knows_its_part_of_the_archive(books: Books) -> None:
    assert books.sheet("RI1").part == "xl/worksheets/sheet2.xml"


def test_references_without_marks() -> None:
    assert bare("'My Sheet'!$A$1") == "My Sheet!A1"
    assert bare(None) == ""
