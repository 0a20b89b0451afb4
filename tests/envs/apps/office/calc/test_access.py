from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.apps.office.calc.access import (
    consecutive_runs,
    is_formula,
    parse_cell,
    text_of,
    to_json_value,
)
from envs.apps.office.registry import OfficeError
from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]


@given(st.sets(st.integers(0, 60)))
def test_runs_cover_the_indexes_and_nothing_else(indexes: set[int]) -> None:
    runs = consecutive_runs(sorted(indexes))
    assert {index for first, last in runs for index in range(first, last + 1)} == indexes
    assert all(after[0] > before[1] + 1 for before, after in pairwise(runs))


@pytest.mark.parametrize(
    ("value", "text", "json_value"),
    [
        (3.0, "3", 3),
        (0.5, "0.5", 0.5),
        ("", "", None),
        ("a", "a", "a"),
        (None, "", None),
        (1e300, str(int(1e300)), 1e300),
    ],
)
def test_values_as_text_and_for_json(value: Any, text: str, json_value: Any) -> None:
    assert text_of(value) == text
    assert to_json_value(value) == json_value
    assert type(to_json_value(value)) is type(json_value)


@pytest.mark.parametrize(
    ("value", "expected"), [("=A1", True), ("=", False), ("A1", False), (1, False), (None, False)]
)
def test_a_formula_begins_with_an_equals_sign(value: Any, expected: bool) -> None:
    assert is_formula(value) is expected


def test_one_cell_is_wanted() -> None:
    assert str(parse_cell("Data.$B$2")) == "Data.B2"
    with pytest.raises(OfficeError, match="must be one cell"):
        parse_cell("B2:B3")


def test_a_call_has_a_most_of_cells(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match="has 200001 cells; at most 200000 go in one call"):
        call("calc.fill_series", range="A1:A200001")


def test_columns_go_by_header_or_letter(people: Path, call: Call) -> None:
    call("calc.sort", by=["Pay"])
    call("calc.sort", by=["B", "Name"])
    assert call("calc.read_column", column="A") == ["Name", "Bob", "Dee", "Ann", "Cy"]
    with pytest.raises(Refused, match="A1:C5 has no column 'Size'; its header: Name, Team, Pay"):
        call("calc.sort", by=["Size"])
