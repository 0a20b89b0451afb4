"""`compare_table`: which workbook and sheet a rule means."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envs.osworld.outside.compat.table import compare_table_compat
from envs.osworld.outside.published.table import compare_conference_city_in_order, compare_table
from tests.envs.osworld.outside.published.table_scores import BOTH, cell
from tests.osworld.parity.workbooks import renumbered, saved, written


def test_names_of_sheets_and_what_is_no_workbook(tmp_path: Path) -> None:
    first = saved(tmp_path / "one.xlsx")
    two = saved(tmp_path / "two.xlsx", change=lambda book: book.create_sheet("Sheet2"))
    names = [{"type": "sheet_name"}]
    assert compare_table(two, two, rules=names) == 1
    assert compare_table(first, two, rules=names) == 0
    second = [{"type": "sheet_data", "sheet_idx0": "RNSheet2", "sheet_idx1": "ENSheet2"}]
    assert compare_table(first, two, rules=second) == 0
    with pytest.raises(ValueError, match="no sheet 'ENSheet2'"):
        compare_table(two, first, rules=second)
    with pytest.raises(ValueError, match="names no sheet"):
        compare_table(two, first, rules=[{"type": "freeze", "sheet_idx0": "X", "sheet_idx1": 0}])
    with pytest.raises(ValueError, match="no rule beauty"):
        compare_table(first, first, rules=[{"type": "beauty"}])
    for content in (b"", b"PK\x03\x04 and no more", b"Name,Price\n"):
        (tmp_path / "no.xlsx").write_bytes(content)
        assert compare_table(tmp_path / "no.xlsx", first, rules=names) == 0


def test_a_result_without_the_second_sheet_scores_0(tmp_path: Path) -> None:
    first = saved(tmp_path / "one.xlsx")
    rules = [{"type": "sheet_data", "sheet_idx0": 0, "sheet_idx1": 1}]
    assert compare_table(first, first, rules=rules) == 0
    with pytest.raises(AttributeError):
        compare_table_compat(first, first, rules=rules)


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


def test_a_cell_at_the_far_end_costs_no_more(tmp_path: Path) -> None:
    paths = [
        saved(tmp_path / f"{n}.xlsx", change=lambda book: cell("XFD1048576", "end")(book.active))
        for n in range(2)
    ]
    for kind in ("sheet_data", "style", "col_props"):
        assert compare_table(*paths, rules=[{"type": kind, **BOTH, "props": []}]) == 1
