from __future__ import annotations

import random
from collections import Counter

from tasksets.desktop.calc_workbook import (
    fill_cells,
    formula_cell,
    open_workbook,
    sample_amounts,
    sample_sales,
    select_cells,
    workbook_check,
    workbook_path,
)

PATH = "/home/user/Documents/book.xlsx"


def test_a_workbook_is_made_and_opened() -> None:
    assert workbook_path("book") == PATH
    create, show = open_workbook(PATH, {"A": [[1, None]]})
    assert create["parameters"] == {"path": PATH, "sheets": {"A": [[1, None]]}}
    assert show == {"type": "open", "parameters": {"path": PATH}}


def test_the_check_compares_cells_formatting_and_other_files() -> None:
    evaluator = workbook_check(PATH, {"A": [[formula_cell(3)]]})
    assert evaluator["func"] == ["workbook_is", "workbook_looks", "only_changed"]
    assert evaluator["expected"][0]["rules"] == {"A": [[{"value": 3, "formula": True}]]}
    assert evaluator["expected"][2]["rules"]["changed"] == ["Documents/book.xlsx"]


def test_references_add_a_part_of_their_own() -> None:
    evaluator = workbook_check(PATH, {}, references={"A": {"B2": ["A1:A9"]}})
    assert evaluator["func"] == ["workbook_is", "workbook_looks", "formulas_use", "only_changed"]
    assert evaluator["expected"][2]["rules"] == {"A": {"B2": ["A1:A9"]}}


def test_cells_are_selected_through_the_name_box() -> None:
    assert select_cells("B2:C9") == {
        "type": "type",
        "target": {"named": "Formula Tool Bar", "role": "box"},
        "text": "B2:C9",
        "clear": True,
        "submit": True,
    }
    assert [action["type"] for action in fill_cells("B2", "=A1")] == ["type", "type", "key"]


def test_sales_have_each_city_at_least_twice_and_amounts_differ() -> None:
    for seed in range(50):
        rows, cities = sample_sales(random.Random(seed))
        assert rows[0] == ["Name", "City", "Amount"]
        counts = Counter(row[1] for row in rows[1:])
        assert set(counts) == set(cities)
        assert min(counts.values()) >= 2
        assert (
            len({row[2] for row in rows[1:]}) == len(rows) - 1 == len({row[0] for row in rows[1:]})
        )


def test_amounts_keep_to_their_bounds_and_differ() -> None:
    for seed in range(50):
        header, *rows = sample_amounts(random.Random(seed), 3, 5)
        assert header == ["Item", "Amount"]
        assert 3 <= len(rows) <= 5
        assert len({row[1] for row in rows}) == len(rows)
