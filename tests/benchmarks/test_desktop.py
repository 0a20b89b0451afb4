"""What the desktop benchmark does to a sheet."""

from __future__ import annotations

import random

from benchmarks.desktop import CALC, EMPTY, random_click


def test_clicks_are_within_the_sheet_and_reproducible() -> None:
    clicks = [random_click(random.Random(seed)) for seed in range(200)]
    assert clicks == [random_click(random.Random(seed)) for seed in range(200)]
    for click in clicks:
        assert click.target is not None
        assert click.target.x is not None
        assert click.target.y is not None
        assert 60 <= click.target.x <= 1100
        assert 200 <= click.target.y <= 600


def test_the_workbook_has_a_row_of_titles_and_two_hundred_of_numbers() -> None:
    workbook, opened = CALC.config
    rows = workbook["parameters"]["sheets"]["Sheet1"]
    assert rows[0] == ["Item", "Amount"]
    assert len(rows) == 201
    assert opened["parameters"]["path"] == workbook["parameters"]["path"]
    assert EMPTY.config == []
