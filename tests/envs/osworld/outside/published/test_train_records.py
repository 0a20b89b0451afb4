"""Timetables: one record of each train."""

from __future__ import annotations

from pathlib import Path

import pytest

from envs.osworld.outside.published.error_policy import BadRules
from envs.osworld.outside.published.train_records import (
    check_no_duplicates,
    check_no_duplicates_compat,
    compare_unique_train_records,
    get_unique_train_ids,
    get_unique_train_ids_compat,
)
from tests.envs.osworld.outside.published.made_documents import word

RECORDS = ("06:00, T1, S1, 1", "06:10, T1, S2, 1", "06:20, T2, S1, 2")


@pytest.fixture
def original(tmp_path: Path) -> Path:
    return word(tmp_path / "original.docx", *RECORDS)


@pytest.fixture
def once(tmp_path: Path) -> Path:
    return word(tmp_path / "once.docx", *RECORDS[1:])


def test_any_one_record_of_each_train_is_right(once: Path, original: Path, tmp_path: Path) -> None:
    expected = [once, original]
    first = word(tmp_path / "first.docx", RECORDS[0], RECORDS[2])
    assert compare_unique_train_records(once, expected) == 1
    assert compare_unique_train_records(first, expected) == 1
    assert compare_unique_train_records(original, expected) == 0
    assert compare_unique_train_records(word(tmp_path / "1.docx", RECORDS[2]), expected) == 0
    invented = word(tmp_path / "invented.docx", "06:00, T1, S9, 1", RECORDS[2])
    assert compare_unique_train_records(invented, expected) == 0


def test_the_original_must_be_given(once: Path) -> None:
    with pytest.raises(BadRules, match="original"):
        compare_unique_train_records(once, [once])


def test_the_result_is_what_is_judged(once: Path, original: Path) -> None:
    """OSWorld's looks for duplicates in the expected file."""
    assert check_no_duplicates(once, original) == 1
    assert check_no_duplicates_compat(once, original) == 0
    assert check_no_duplicates(original, once) == 0
    assert check_no_duplicates_compat(original, once) == 1


def test_unique_trains_are_a_score(once: Path, original: Path) -> None:
    """OSWorld's gives the trains themselves, which is no score."""
    assert get_unique_train_ids(once) == 1
    assert get_unique_train_ids(original) == 0
    assert get_unique_train_ids_compat(original) == ({"T1", "T2"}, 2)


def test_what_is_no_document_scores_nothing(once: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.docx"
    broken.write_bytes(b"PK no document")
    assert compare_unique_train_records(broken, [once, once]) == 0
    assert check_no_duplicates(broken, once) == 0
    assert get_unique_train_ids(broken) == 0
