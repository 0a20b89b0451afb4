"""Texts, numbers and archives against what they should be."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from envs.osworld.outside.published.text_files import (
    compare_result_files,
    compare_result_files_compat,
    compare_text_file,
    compare_zip_files,
    compare_zip_files_compat,
)
from tests.osworld.pdf import pdf


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "found", tmp_path / "wanted"


def _zip(path: Path, **files: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)


@pytest.mark.parametrize(
    ("text", "options", "score"),
    [
        ("One two\n", {}, 1),
        ("One two\r\n", {}, 1),
        ("One two", {}, 0),
        ("\tOne\n two", {"ignore_blanks": True}, 1),
        ("ONE two\n", {"ignore_case": True}, 1),
        ("ONE two\n", {"ignore_blanks": True}, 0),
    ],
)
def test_texts_are_the_same_but_for_what_is_ignored(
    pair: tuple[Path, Path], text: str, options: dict[str, bool], score: float
) -> None:
    result, expected = pair
    result.write_bytes(text.encode())
    expected.write_text("One two\n")
    assert compare_text_file(result, expected, **options) == score


@pytest.mark.parametrize(
    ("text", "score", "upstream"),
    [
        ("12.5", 1, 1),
        ("12.50003", 1, 1),
        ("12.6", 0, 0),
        ("The median is 12.5.", 1, 1),
        ("The median is 12.50.", 1, 1),
        ("median,12.500", 1, 1),
        ("The median is 12.4999999", 1, 0),
        ("112.57", 0, 1),
        ("x12.5", 0, 1),
        ("", 0, 0),
    ],
)
def test_a_number_stands_in_the_result(
    pair: tuple[Path, Path], text: str, score: float, upstream: float
) -> None:
    result, expected = pair
    result.write_text(text)
    expected.write_text("12.5\n")
    assert compare_result_files(result, expected) == score
    assert compare_result_files_compat(result, expected) == upstream


def test_thousands_may_have_commas(pair: tuple[Path, Path]) -> None:
    result, expected = pair
    expected.write_text("1234.5")
    result.write_text("1,234.5 pounds")
    assert compare_result_files(result, expected) == 1


def test_words_are_the_same_but_for_blanks_around(pair: tuple[Path, Path]) -> None:
    result, expected = pair
    expected.write_text("as it is")
    for text, score in ((" as it is\n", 1), ("as it is not", 0)):
        result.write_text(text)
        assert compare_result_files(result, expected) == score


def test_a_file_that_is_no_text_scores_nothing(pair: tuple[Path, Path]) -> None:
    result, expected = pair
    result.write_bytes(b"\xff\xfe")
    expected.write_text("12.5")
    assert compare_text_file(result, expected) == 0
    assert compare_result_files(result, expected) == 0
    assert compare_zip_files(result, expected) == 0


def test_archives_hold_the_same_files(pair: tuple[Path, Path]) -> None:
    result, expected = pair
    _zip(expected, **{"a.txt": b"one", "b.pdf": pdf("A long essay on health")})
    _zip(result, **{"b.pdf": pdf("A long essay on wealth"), "a.txt": b"one"})
    assert compare_zip_files(result, expected) == 1
    _zip(result, **{"b.pdf": pdf("A long essay on health"), "a.txt": b"two"})
    assert compare_zip_files(result, expected) == 0
    _zip(result, **{"a.txt": b"one"})
    assert compare_zip_files(result, expected) == 0


def test_folders_of_an_archive_do_not_matter(pair: tuple[Path, Path]) -> None:
    result, expected = pair
    _zip(expected, **{"in/a.txt": b"one"})
    _zip(result, **{"in/": b"", "in/a.txt": b"one"})
    assert compare_zip_files(result, expected) == 1
    assert compare_zip_files_compat(result, expected) == 0


def test_a_pdf_of_few_letters_is_compared_too(pair: tuple[Path, Path]) -> None:
    result, expected = pair
    _zip(expected, **{"a.pdf": pdf("abcdefgh" * 40)})
    _zip(result, **{"a.pdf": pdf("i" + "abcdefgh" * 40 + "i")})
    assert compare_zip_files(result, expected) == 1
    assert compare_zip_files_compat(result, expected) == 0


def test_a_broken_archive_scores_nothing(pair: tuple[Path, Path]) -> None:
    result, expected = pair
    _zip(expected, **{"a.pdf": pdf("text")})
    _zip(result, **{"a.pdf": b"%PDF-"})
    assert compare_zip_files(result, expected) == 0
    result.write_bytes(expected.read_bytes()[:-30])
    assert compare_zip_files(result, expected) == 0
    with pytest.raises(zipfile.BadZipFile):
        compare_zip_files_compat(result, expected)


def test_a_zip_bomb_is_not_unpacked(pair: tuple[Path, Path]) -> None:
    result, expected = pair
    _zip(expected, **{"a.pdf": b"%PDF-", "a.txt": b"one"})
    _zip(result, **{"a.pdf": bytes(70 * 1024 * 1024), "a.txt": bytes(9 * 1024 * 1024)})
    assert compare_zip_files(result, expected) == 0
