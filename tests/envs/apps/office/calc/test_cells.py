from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]
Workbook = Callable[[], Any]


def values(call: Call, address: str | None = None, show: str = "values") -> Any:
    return call("calc.read_range", range=address, show=show)["rows"]


def test_what_is_written_is_read(book: Path, call: Call, workbook: Workbook) -> None:
    rows = [["text", 1, 2.5, None], ["=B1*2", True, "007", "'quoted"], ["", -1, 1e20, "é\n2"]]
    assert call("calc.write_range", cell="B2", rows=rows) == "Sheet1.B2:E4"
    assert values(call, "B2:E4") == [
        ["text", 1, 2.5, None],
        [0, 1, "007", "'quoted"],
        [None, -1, 1e20, "é\n2"],
    ]
    sheet = workbook()["Sheet1"]
    assert sheet["B3"].value == "=B1*2"
    assert sheet["D3"].value == "007"
    assert sheet["E2"].value is None


TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"), min_size=1, max_size=20
).filter(lambda text: not text.startswith("="))


@given(
    st.lists(
        st.tuples(
            TEXT,
            st.integers(-(2**53), 2**53),
            st.floats(allow_nan=False, allow_infinity=False),
        ),
        min_size=1,
        max_size=5,
    )
)
@settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_any_text_and_number_survives_a_cell(
    book: Path, call: Call, rows: list[tuple[str, int, float]]
) -> None:
    written = call("calc.write_range", cell="A1", rows=rows)
    assert values(call, written) == [list(row) for row in rows]


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_what_is_no_number_is_refused(book: Path, call: Call, value: float) -> None:
    with pytest.raises(Refused, match="not a number that a cell can have"):
        call("calc.set_cell", cell="A1", value=value)


def test_rows_of_unequal_length_are_refused(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match=r"equally long; theirs are \[1, 2\]") as refused:
        call("calc.write_range", cell="A1", rows=[[1, 2], [3]])
    assert refused.value.reason == "bad_value"


def test_a_block_past_the_sheets_end_is_refused(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match="do not fit"):
        call("calc.write_range", cell="XFD1", rows=[[1, 2]])


def test_read_range_cuts_whole_columns_and_long_tables(people: Path, call: Call) -> None:
    result = call("calc.read_range", range="B:C", max_rows=2)
    assert result == {
        "range": "Sheet1.B1:C2",
        "rows": [["Team", "Pay"], ["Red", 30]],
        "rows_left_out": 3,
    }


def test_read_range_shows_values_formulas_and_text(people: Path, call: Call) -> None:
    call("calc.set_cell", cell="D2", value="=C2/4")
    call("calc.set_number_format", range="D2", format="0.000")
    assert values(call, "D2") == [[7.5]]
    assert values(call, "D2", "formulas") == [["=C2/4"]]
    assert values(call, "D2", "text") == [["7.500"]]


def test_errors_are_read_as_shown(book: Path, call: Call) -> None:
    call("calc.set_cell", cell="A1", value="=1/0")
    assert values(call, "A1") == [["#DIV/0!"]]


def test_read_range_names_the_sheets_there_are(people: Path, call: Call) -> None:
    call("calc.add_sheet", name="My data")
    with pytest.raises(Refused, match="no sheet 'Q5'; sheets: Sheet1, 'My data'") as refused:
        call("calc.read_range", range="Q5.A1")
    assert refused.value.reason == "not_found"


def test_read_range_refuses_what_is_no_address(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="'A1-B2' is not an address; write B2"):
        call("calc.read_range", range="A1-B2")


def test_other_sheets_and_far_columns_are_reached(book: Path, call: Call) -> None:
    call("calc.add_sheet", name="It's far")
    call("calc.set_cell", cell="'It''s far'!AMJ3", value=5)
    assert values(call, "'It''s far'.AMI3:AMJ3") == [[None, 5]]
    assert call("calc.info")["active_sheet"] == "Sheet1"


def test_read_column_reads_to_the_last_used_row(people: Path, call: Call) -> None:
    assert call("calc.read_column", column="c") == ["Pay", 30, 10, 20, 40]


def test_read_column_refuses_a_range(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="'A1' is not a column"):
        call("calc.read_column", column="A1")


@pytest.mark.parametrize(
    ("value", "shows"),
    [
        (3, "3"),
        (True, "TRUE"),
        (None, ""),
        ("2024-01-15", "2024-01-15"),
        ("=SUM(C2:C3,C5)", "80"),
        ('=IF(A2="Ann","x,y","z")', "x,y"),
        ("=Sheet1!C2+1", "31"),
        ("=SUM({1,2;3,4})", "10"),
        ("=FOO(1)", "#NAME?"),
        ("=", "="),
    ],
)
def test_set_cell_gives_what_the_cell_shows(
    people: Path, call: Call, value: Any, shows: str
) -> None:
    assert call("calc.set_cell", cell="E1", value=value) == {"cell": "Sheet1.E1", "shows": shows}


def test_typed_text_becomes_a_date_only_when_asked(
    book: Path, call: Call, workbook: Workbook
) -> None:
    call("calc.set_cell", cell="A1", value="2024-01-15")
    call("calc.set_cell", cell="A2", value="2024-01-15", typed=True)
    call("calc.set_cell", cell="A3", value="15%", typed=True)
    sheet = workbook()["Sheet1"]
    assert sheet["A1"].value == "2024-01-15"
    assert str(sheet["A2"].value) == "2024-01-15 00:00:00"
    assert sheet["A3"].value == 0.15


def test_set_cell_refuses_a_range(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match="'A1:B2' must be one cell"):
        call("calc.set_cell", cell="A1:B2", value=1)


def test_write_column_goes_down(book: Path, call: Call) -> None:
    assert call("calc.write_column", cell="C3", values=[1, "b", None]) == "Sheet1.C3:C5"
    assert values(call, "C3:C5") == [[1], ["b"], [None]]


def test_write_column_refuses_no_values(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match="empty"):
        call("calc.write_column", cell="C3", values=[])


def test_fill_formula_moves_relative_references(
    people: Path, call: Call, workbook: Workbook
) -> None:
    result = call("calc.fill_formula", range="D2:E5", formula="=$C2*2+ROUND(C$1048576,0)")
    assert result == {"range": "Sheet1.D2:E5", "first": "60"}
    assert values(call, "D2:E5") == [[60, 60], [20, 20], [40, 40], [80, 80]]
    assert workbook()["Sheet1"]["E4"].value == "=$C4*2+ROUND(D$1048576,0)"


def test_fill_formula_refuses_text(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="does not begin with ="):
        call("calc.fill_formula", range="D2:D5", formula="C2*2")


def test_fill_series_goes_down_or_across(book: Path, call: Call) -> None:
    call("calc.fill_series", range="A1:B3", start=10, step=-5)
    call("calc.fill_series", range="D1:F1", step=0.5, across=True)
    assert values(call) == [
        [10, 10, None, 1, 1.5, 2],
        [5, 5, None, None, None, None],
        [0, 0, None, None, None, None],
    ]


def test_fill_series_refuses_a_whole_column(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match="1048576 cells; at most 200000"):
        call("calc.fill_series", range="A:A")


def test_clear_range_keeps_formatting_unless_told(
    people: Path, call: Call, workbook: Workbook
) -> None:
    call("calc.format_range", range="A2:B2", bold=True)
    call("calc.clear_range", range="A2")
    call("calc.clear_range", range="B2", what="formatting")
    call("calc.clear_range", range="C2", what="all")
    sheet = workbook()["Sheet1"]
    assert (sheet["A2"].value, sheet["A2"].font.bold) == (None, True)
    assert (sheet["B2"].value, sheet["B2"].font.bold) == ("Red", False)
    assert sheet["C2"].value is None


def test_copy_range_takes_formulas_and_formatting(
    people: Path, call: Call, workbook: Workbook
) -> None:
    call("calc.set_cell", cell="D2", value="=C2*2")
    call("calc.format_range", range="D2", italic=True)
    call("calc.add_sheet", name="Two")
    call("calc.copy_range", range="C2:D2", to="Two.B3")
    sheet = workbook()["Two"]
    assert (sheet["B3"].value, sheet["C3"].value) == (30, "=B3*2")
    assert sheet["C3"].font.italic


def test_copy_range_needs_one_cell_to_go_to(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="must be one cell"):
        call("calc.copy_range", range="A1:B2", to="D1:E2")


def test_move_range_takes_references_along(people: Path, call: Call) -> None:
    call("calc.set_cell", cell="E1", value="=SUM(C2:C5)")
    call("calc.move_range", range="C1:C5", to="H1")
    assert values(call, "E1", "formulas") == [["=SUM(H2:H5)"]]
    assert values(call, "C1:C5") == [[None]] * 5


def test_move_range_needs_one_cell_to_go_to(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="must be one cell"):
        call("calc.move_range", range="A1:B2", to="D")


def test_transpose_range_exchanges_rows_and_columns(people: Path, call: Call) -> None:
    assert call("calc.transpose_range", range="A1:C5", to="AA1") == "Sheet1.AA1:AE3"
    assert values(call, "AA1:AE3")[2] == ["Pay", 30, 10, 20, 40]


def test_transpose_range_takes_a_failed_formula_as_it_is_shown(people: Path, call: Call) -> None:
    call("calc.set_cell", cell="B2", value="=1/0")
    call("calc.transpose_range", range="A1:C2", to="F1")
    assert values(call, "F1:G3") == [["Name", "Ann"], ["Team", "#DIV/0!"], ["Pay", 30]]


def test_a_comment_is_replaced_and_removed(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.set_comment", cell="A2", text="first")
    call("calc.set_comment", cell="A2", text="second")
    call("calc.set_comment", cell="A3", text="gone")
    call("calc.set_comment", cell="A3", text="")
    sheet = workbook()["Sheet1"]
    assert "second" in sheet["A2"].comment.text
    assert "first" not in sheet["A2"].comment.text
    assert sheet["A3"].comment is None


def test_a_comment_needs_one_cell(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="must be one cell"):
        call("calc.set_comment", cell="A1:A2", text="x")


def test_set_link_makes_a_hyperlink(book: Path, call: Call, workbook: Workbook) -> None:
    call("calc.set_link", cell="A1", url="https://example.org/a", text="Example")
    cell = workbook()["Sheet1"]["A1"]
    assert (cell.value, cell.hyperlink.target) == ("Example", "https://example.org/a")


def test_set_link_needs_one_cell(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match="must be one cell"):
        call("calc.set_link", cell="A:A", url="https://example.org")
