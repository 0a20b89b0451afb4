"""The figures of the page are those of the JSON files."""

from __future__ import annotations

import pytest

from benchmarks.figures_page import BLOCKS, PAGE, Row, fill_in, read_results, render_block
from benchmarks.result import Result

RESULT: Result = {
    "commit": "abc",
    "device": "2 x CPU",
    "calibration": {},
    "figures": {
        "browser.act_ms": {"p50": 9.792, "p95": 14.37, "n": 5, "unit": "ms"},
        "browser.count": {"p50": 16.0, "unit": "sessions"},
        "browser.rate": {"p50": 13304.2, "unit": "tokens/s"},
    },
}


def test_a_row_shows_medians_p95_aim_and_where_they_come_from() -> None:
    row = Row(
        label="act; count; rate",
        part="browser",
        figures=("browser.act_ms", "browser.count", "browser.rate"),
        aim="7 ms",
    )
    assert render_block((row,), {"browser": RESULT}).splitlines()[2:] == [
        "| act; count; rate | 9.79 ms; 16 sessions; 13,304 tokens/s | 14.4 ms | 7 ms "
        "| `deskhand bench browser`, [JSON](results/bench/browser.json) |",
        "",
        "Measured on 2 x CPU: browser at commit abc.",
    ]


def test_a_row_without_a_result_is_left_out() -> None:
    row = Row(label="act", part="desktop", figures=("desktop.act_ms",))
    assert len(render_block((row,), {"browser": RESULT}).splitlines()) == 2


def test_the_page_shows_the_figures_of_the_files() -> None:
    text = PAGE.read_text()
    assert fill_in(text, read_results()) == text, "run: deskhand bench all"


def test_all_rows_name_figures_that_exist() -> None:
    results = read_results()
    for row in (row for rows in BLOCKS.values() for row in rows):
        assert set(row.figures) <= set(results[row.part]["figures"]), row.label


def test_a_page_without_a_block_is_refused() -> None:
    with pytest.raises(ValueError, match="no block of figures 'loop'"):
        fill_in("# Deskhand", {})
