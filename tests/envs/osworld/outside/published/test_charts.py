"""Charts are compared by their ranges and properties."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openpyxl.chart import BarChart, LineChart, Reference, ScatterChart, Series

from envs.osworld.outside.compat.table import compare_table_compat
from envs.osworld.outside.published.table import compare_table
from tests.envs.osworld.outside.published.table_scores import BOTH, Change, Scores, plain
from tests.osworld.parity.workbooks import saved


def test_charts(tmp_path: Path) -> None:
    def charted(kind: Any, last: int = 4, width: float = 15) -> Change:
        def change(sheet: Any) -> None:
            chart = kind()
            values, names = (Reference(sheet, c, 2, c, last) for c in (2, 1))
            chart.append(Series(values, names) if kind is ScatterChart else Series(values))
            chart.width = width
            sheet.add_chart(chart, "D2")

        return change

    score = Scores(tmp_path, "chart", chart_props=["type"])
    assert score(charted(BarChart), charted(BarChart)) == (1, 1)
    assert score(charted(BarChart, 3), charted(BarChart)) == (0, 0)
    assert score(plain, charted(BarChart)) == (0, 0)
    assert score(charted(ScatterChart, 3), charted(ScatterChart)) == (0, 1)
    wider = score(charted(BarChart, width=20), charted(BarChart), chart_props=["width"])
    assert wider == (0, 1)
    with pytest.raises(ValueError, match="no property beauty"):
        score(plain, plain, chart_props=["beauty"])


def test_each_chart_counts_with_the_direction_it_has(tmp_path: Path) -> None:
    def charted(*kinds: Any) -> Change:
        def change(sheet: Any) -> None:
            for kind in kinds:
                chart = kind()
                chart.add_data(Reference(sheet, 2, 2, 2, 4))
                sheet.add_chart(chart, "D2")

        return change

    score = Scores(tmp_path, "chart", chart_props=["type"])
    assert score(charted(BarChart, BarChart), charted(BarChart)) == (0, 1)
    paths = [
        saved(tmp_path / "lines.xlsx", change=lambda book: charted(LineChart)(book.active))
    ] * 2
    rules = [{"type": "chart", **BOTH, "chart_props": ["direction"]}]
    assert compare_table(*paths, rules=rules) == 1
    with pytest.raises(AttributeError):
        compare_table_compat(*paths, rules=rules)


def test_a_sheet_that_there_is_not_has_no_charts_either(tmp_path: Path) -> None:
    first = saved(tmp_path / "one.xlsx")
    two = saved(tmp_path / "two.xlsx", change=lambda book: book.create_sheet("Sheet2"))
    rules = [{"type": "chart", "sheet_idx0": "RNSheet2", "sheet_idx1": "ENSheet2"}]
    assert compare_table(two, two, rules=rules) == 1
    assert compare_table(first, two, rules=rules) == 0
    assert compare_table_compat(first, two, rules=rules) == 1
