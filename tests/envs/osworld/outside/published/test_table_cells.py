"""Rules of `compare_table` about what cells hold."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from envs.osworld.outside.compat.table import compare_table_compat
from envs.osworld.outside.published.table import compare_table
from tests.envs.osworld.outside.published.table_scores import BOTH, Change, Scores, cell, plain
from tests.osworld.parity.workbooks import saved


def test_data(tmp_path: Path) -> None:
    score = Scores(tmp_path, "sheet_data")
    assert score(plain, plain) == (1, 1)
    assert score(cell("B2", 2.500001), plain) == (1, 1)
    assert score(cell("B2", 2.6), plain) == (0, 0)
    assert score(cell("C9", 1), plain) == (0, 0)
    assert score(cell("B2", 2.52), plain, precision=1) == (1, 1)
    assert score(cell("A2", "TEA"), plain) == (0, 0)


def test_data_in_any_case_where_the_rule_says_so(tmp_path: Path) -> None:
    assert Scores(tmp_path, "sheet_data", ignore_case=True)(cell("A2", "TEA"), plain) == (1, 0)


def test_numbers_are_rounded_in_any_column(tmp_path: Path) -> None:
    score = Scores(tmp_path, "sheet_data")
    assert score(cell("A9", 3.00000001), cell("A9", 3)) == (1, 0)
    whole: Change = lambda sheet: [cell(f"B{row}", row)(sheet) for row in (2, 3, 4)]  # noqa: E731
    nearly: Change = lambda sheet: [whole(sheet), cell("B3", 3.00000001)(sheet)]  # noqa: E731
    assert score(nearly, whole) == (1, 0)


def test_the_first_row_is_data_too(tmp_path: Path) -> None:
    score = Scores(tmp_path, "sheet_data")
    assert score(cell("B1", 3.00000001), cell("B1", 3)) == (1, 0)
    unnamed: Change = lambda sheet: [cell("C1", "Unnamed: 2")(sheet), cell("C2", 1)(sheet)]  # noqa: E731
    assert score(unnamed, cell("C2", 1)) == (0, 1)


def test_not_available_is_not_blank(tmp_path: Path) -> None:
    assert Scores(tmp_path, "sheet_data")(plain, cell("C2", "NA")) == (0, 0)
    headed: Change = lambda sheet: cell("C1", "Note")(sheet)  # noqa: E731
    noted: Change = lambda sheet: [headed(sheet), cell("C2", "NA")(sheet)]  # noqa: E731
    assert Scores(tmp_path, "sheet_data")(headed, noted) == (0, 1)


def test_a_padded_number_is_another_text(tmp_path: Path) -> None:
    assert Scores(tmp_path, "sheet_data")(cell("B2", "02.5"), plain) == (0, 1)
    assert Scores(tmp_path, "sheet_data")(cell("B2", "2.5"), plain) == (1, 1)


def test_dates_and_truths(tmp_path: Path) -> None:
    score, day = Scores(tmp_path, "sheet_data"), datetime.datetime(2024, 1, 2)
    assert score(cell("C2", day), cell("C2", day))[0] == 1
    assert score(cell("C2", day), cell("C2", day + datetime.timedelta(1)))[0] == 0
    assert score(cell("C2", True), cell("C2", 1))[0] == 0


def test_printed_values(tmp_path: Path) -> None:
    paths = [saved(tmp_path / f"{name}.xlsx") for name in ("found", "wanted")]
    rules = [{"type": "sheet_print", **BOTH}]
    (tmp_path / "wanted-Sheet1.csv").write_text("Id\n0007\n")
    assert compare_table(*paths, rules=rules) == 0
    (tmp_path / "found-Sheet1.csv").write_text('"Id" \n0007\n\n')
    assert compare_table(*paths, rules=rules) == 1
    assert compare_table_compat(*paths, rules=rules) == 0
    (tmp_path / "found-Sheet1.csv").write_text("Id\n7\n")
    assert compare_table(*paths, rules=rules) == 0


def test_fuzzy_ranges(tmp_path: Path) -> None:
    def score(result: Any, expected: Any, kind: str, **part: Any) -> tuple[float, float]:
        rules = [{"range": ["A2:A2"], "type": kind, **part}]
        return Scores(tmp_path, "sheet_fuzzy", rules=rules)(
            cell("A2", result), cell("A2", expected)
        )

    assert score("12 Mill Rd", "12 mil rd", "fuzzy_match", ignore_case=True) == (1, 1)
    assert score("12 Mill Rd", "Oak Lane", "fuzzy_match") == (0, 0)
    assert score("(555) 12", "55512", "includes", ignore_chars=" ()") == (1, 1)
    assert score("555", "55512", "included_by") == (1, 1)
    with pytest.raises(ValueError, match="no comparison 'like'"):
        score("a", "b", "like")


def test_fuzzy_values_as_they_read(tmp_path: Path) -> None:
    def score(result: Any, expected: Any, **part: Any) -> tuple[float, float]:
        rules = [{"range": ["A2:A2"], "type": "exact_match", **part}]
        return Scores(tmp_path, "sheet_fuzzy", rules=rules)(
            cell("A2", result), cell("A2", expected)
        )

    assert score("3", 3) == (1, 0)
    assert score("None", None) == (0, 1)
    assert score(True, False) == (0, 1)
    words = {"normalization": [["St", "Street"]]}
    assert score("2 Main St", "2 Main Street", **words) == (1, 0)
