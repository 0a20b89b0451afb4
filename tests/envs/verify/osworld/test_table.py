"""`compare_table`: values, sheets and single cells; answers in cells; cities."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pytest

from envs.verify.osworld.spreadsheet_answers import compare_spreadsheet
from envs.verify.osworld.table import compare_conference_city_in_order, compare_table
from envs.verify.osworld.table_compat import compare_table_compat
from tests.envs.verify.osworld.table_scores import BOTH, Change, Scores, cell, plain
from tests.osworld.parity.workbooks import renumbered, saved, written


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


def test_names_of_sheets_and_what_is_no_workbook(tmp_path: Path) -> None:
    one = saved(tmp_path / "one.xlsx")
    two = saved(tmp_path / "two.xlsx", change=lambda book: book.create_sheet("Sheet2"))
    names = [{"type": "sheet_name"}]
    assert compare_table(two, two, rules=names) == 1
    assert compare_table(one, two, rules=names) == 0
    second = [{"type": "sheet_data", "sheet_idx0": "RNSheet2", "sheet_idx1": "ENSheet2"}]
    assert compare_table(one, two, rules=second) == 0
    with pytest.raises(ValueError, match="no sheet 'ENSheet2'"):
        compare_table(two, one, rules=second)
    with pytest.raises(ValueError, match="names no sheet"):
        compare_table(two, one, rules=[{"type": "freeze", "sheet_idx0": "X", "sheet_idx1": 0}])
    with pytest.raises(ValueError, match="no rule beauty"):
        compare_table(one, one, rules=[{"type": "beauty"}])
    for content in (b"", b"PK\x03\x04 and no more", b"Name,Price\n"):
        (tmp_path / "no.xlsx").write_bytes(content)
        assert compare_table(tmp_path / "no.xlsx", one, rules=names) == 0


def test_a_result_without_the_second_sheet_scores_0(tmp_path: Path) -> None:
    one = saved(tmp_path / "one.xlsx")
    rules = [{"type": "sheet_data", "sheet_idx0": 0, "sheet_idx1": 1}]
    assert compare_table(one, one, rules=rules) == 0
    with pytest.raises(AttributeError):
        compare_table_compat(one, one, rules=rules)


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
    def score(found: Any, wanted: Any, kind: str, **part: Any) -> tuple[float, float]:
        rules = [{"range": ["A2:A2"], "type": kind, **part}]
        return Scores(tmp_path, "sheet_fuzzy", rules=rules)(cell("A2", found), cell("A2", wanted))

    assert score("12 Mill Rd", "12 mil rd", "fuzzy_match", ignore_case=True) == (1, 1)
    assert score("12 Mill Rd", "Oak Lane", "fuzzy_match") == (0, 0)
    assert score("(555) 12", "55512", "includes", ignore_chars=" ()") == (1, 1)
    assert score("555", "55512", "included_by") == (1, 1)
    with pytest.raises(ValueError, match="no comparison 'like'"):
        score("a", "b", "like")


def test_fuzzy_values_as_they_read(tmp_path: Path) -> None:
    def score(found: Any, wanted: Any, **part: Any) -> tuple[float, float]:
        rules = [{"range": ["A2:A2"], "type": "exact_match", **part}]
        return Scores(tmp_path, "sheet_fuzzy", rules=rules)(cell("A2", found), cell("A2", wanted))

    assert score("3", 3) == (1, 0)
    assert score("None", None) == (0, 1)
    assert score(True, False) == (0, 1)
    words = {"normalization": [["St", "Street"]]}
    assert score("2 Main St", "2 Main Street", **words) == (1, 0)


def test_single_cells(tmp_path: Path) -> None:
    def fill(book: Any, sheet: Any) -> None:
        sheet.write_formula("C2", "=B2*2", None, 5)
        sheet.merge_range("A6:B6", "Total", book.add_format({"bold": True, "bg_color": "#0000FF"}))

    path = written(tmp_path / "a.xlsx", fill)

    def score(place: str, prop: str, method: str, ref: Any) -> float:
        props = {prop: {"method": method, "ref": ref}}
        rule = {"type": "check_cell", "sheet_idx": 0, "coordinate": place, "props": props}
        return compare_table(path, rules=[rule])

    assert score("C2", "value", "approx:0.1", 5.05) == 1
    assert score("C2", "value", "re", "5") == 0
    assert score("B6", "merge", "eq", True) == 1
    assert score("A6", "bgcolor", "eq", "FF0000FF") == 1
    assert score("A6", "font_color", "eq", "FF000000") == 1
    assert score("ZZ99", "value", "eq", "x") == 0
    with pytest.raises(ValueError, match="no property 'beauty'"):
        score("A6", "beauty", "eq", 1)


def test_a_link_is_where_it_leads(tmp_path: Path) -> None:
    address = "https://example.com/"
    path = saved(
        tmp_path / "a.xlsx", change=lambda book: setattr(book.active["A1"], "hyperlink", address)
    )
    props = {"hyperlink": {"method": "eq", "ref": address}}
    rules = [{"type": "check_cell", "sheet_idx": 0, "coordinate": "A1", "props": props}]
    assert compare_table(path, rules=rules) == 1
    assert compare_table_compat(path, rules=rules) == 0


def test_a_sheet_is_found_whatever_its_id(tmp_path: Path) -> None:
    path = renumbered(saved(tmp_path / "a.xlsx"))
    props = {"value": {"method": "eq", "ref": "Name"}}
    rules = [{"type": "check_cell", "sheet_idx": 0, "coordinate": "A1", "props": props}]
    assert compare_table(path, rules=rules) == 1
    assert compare_table_compat(path, rules=rules) == 0


def test_cities(tmp_path: Path) -> None:
    rows = [["Year", "What", "City"], [2012, "X", "Lake Tahoe"], [2013, "X", "LAS VEGAS"]]
    path = saved(tmp_path / "a.xlsx", rows)
    right = {"expected": [["Stateline", "Lake Tahoe"], "LAS VEGAS"]}
    assert compare_conference_city_in_order(path, right) == 1
    assert compare_conference_city_in_order(path, {"expected": right["expected"][::-1]}) == 0
    assert compare_conference_city_in_order(path, {"expected": ["Lake Tahoe", "LA"]}) == 0
    (tmp_path / "b.xlsx").write_text("City")
    assert compare_conference_city_in_order(tmp_path / "b.xlsx", right) == 0


def test_answers_in_cells(tmp_path: Path) -> None:
    gold = saved(tmp_path / "gold.xlsx", [["A", 1.234, None], ["B", 2, "x"]])
    found = saved(tmp_path / "found.xlsx", [["other", 1.2341, ""], ["B", "2", "x"]])
    for position in ("B1:C2", "'Sheet1'!B1:C2", "Sheet1'!B1:C2", "'Sheet1!B1','Sheet1!C1:C2'"):
        assert compare_spreadsheet(found, gold, position, "Cell-Level Manipulation") == 1
    assert compare_spreadsheet(found, gold, "A1:B1") == 0
    with pytest.raises(ValueError, match="no sheet 'Sheet9'"):
        compare_spreadsheet(found, gold, "'Sheet9'!A1")
    (tmp_path / "no.xlsx").write_text("A,1.234")
    assert compare_spreadsheet(tmp_path / "no.xlsx", gold, "A1") == 0


def test_a_cell_at_the_far_end_costs_no_more(tmp_path: Path) -> None:
    paths = [
        saved(tmp_path / f"{n}.xlsx", change=lambda book: cell("XFD1048576", "end")(book.active))
        for n in range(2)
    ]
    for kind in ("sheet_data", "style", "col_props"):
        assert compare_table(*paths, rules=[{"type": kind, **BOTH, "props": []}]) == 1
