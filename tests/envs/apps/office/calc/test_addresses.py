from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.apps.office.calc.addresses import (
    LAST_COLUMN,
    LAST_ROW,
    Area,
    column_index,
    column_name,
    parse_area,
)
from envs.apps.office.registry import OfficeError

columns = st.integers(0, LAST_COLUMN)
rows = st.integers(0, LAST_ROW)
sheets = st.none() | st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="[]*?:/\\"), min_size=1
).filter(lambda name: name == name.strip() and "'" not in (name[0], name[-1]))


@st.composite
def areas(draw: st.DrawFn) -> Area:
    left, right = sorted((draw(columns), draw(columns)))
    top, bottom = sorted((draw(rows), draw(rows)))
    return Area(left, top, right, bottom, draw(sheets))


@given(areas())
def test_an_area_survives_being_written_and_read(area: Area) -> None:
    assert parse_area(str(area)) == area


@given(columns, columns, st.sampled_from(["Data", "My sheet", "It's"]))
def test_whole_columns_survive(first: int, second: int, sheet: str) -> None:
    area = Area(min(first, second), 0, max(first, second), LAST_ROW, sheet)
    assert parse_area(str(area)) == area


@given(rows, rows)
def test_whole_rows_survive(first: int, second: int) -> None:
    area = Area(0, min(first, second), LAST_COLUMN, max(first, second))
    assert parse_area(str(area)) == area


@given(columns)
def test_a_column_survives(index: int) -> None:
    assert column_index(column_name(index)) == index


@given(st.text(max_size=12))
def test_any_text_is_an_area_or_refused(text: str) -> None:
    with contextlib.suppress(OfficeError):
        area = parse_area(text)
        assert 0 <= area.left <= area.right <= LAST_COLUMN
        assert 0 <= area.top <= area.bottom <= LAST_ROW


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("B2", Area(1, 1, 1, 1)),
        ("$b$2:C5", Area(1, 1, 2, 4)),
        ("C5:B2", Area(1, 1, 2, 4)),
        ("AA10", Area(26, 9, 26, 9)),
        ("AMJ1", Area(1023, 0, 1023, 0)),
        ("XFD1048576", Area(LAST_COLUMN, LAST_ROW, LAST_COLUMN, LAST_ROW)),
        ("Data.B2:C5", Area(1, 1, 2, 4, "Data")),
        ("Data!B2", Area(1, 1, 1, 1, "Data")),
        ("$Data.$B$2", Area(1, 1, 1, 1, "Data")),
        ("'My sheet'.B2", Area(1, 1, 1, 1, "My sheet")),
        ("My sheet!B2", Area(1, 1, 1, 1, "My sheet")),
        ("'It''s'!B2", Area(1, 1, 1, 1, "It's")),
        ("Q1.2024!B2", Area(1, 1, 1, 1, "Q1.2024")),
        ("B:D", Area(1, 0, 3, LAST_ROW)),
        ("B", Area(1, 0, 1, LAST_ROW)),
        ("Data.3:5", Area(0, 2, LAST_COLUMN, 4, "Data")),
        ("3", Area(0, 2, LAST_COLUMN, 2)),
    ],
)
def test_addresses_as_people_write_them(text: str, area: Area) -> None:
    assert parse_area(text) == area


@pytest.mark.parametrize("text", ["", "B0", "ABCD1", "XFE1", "A1048577", "A1:B", "A1 B2", ".A1"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(OfficeError) as refused:
        parse_area(text)
    assert refused.value.reason == "bad_value"


def test_columns_are_lettered_beyond_z() -> None:
    assert [column_name(n) for n in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
