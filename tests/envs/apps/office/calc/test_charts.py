from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]
Workbook = Callable[[], Any]

KINDS = {
    "column": "BarChart",
    "bar": "BarChart",
    "line": "LineChart",
    "line_points": "LineChart",
    "area": "AreaChart",
    "pie": "PieChart",
    "donut": "DoughnutChart",
    "scatter": "ScatterChart",
    "scatter_lines": "ScatterChart",
    "net": "RadarChart",
}


@pytest.fixture
def sales(book: Path, call: Call) -> Path:
    """A workbook whose A1:C4 has two columns of numbers with labels."""
    rows = [["Month", "In", "Out"], ["Jan", 3, 1], ["Feb", 4, 2], ["Mar", 6, 5]]
    call("calc.write_range", cell="A1", rows=rows)
    return book


def charts(saved: Any, sheet: str = "Sheet1") -> list[Any]:
    result: list[Any] = saved[sheet]._charts
    return result


def text_of(title: Any) -> str:
    return "".join(run.t for part in title.tx.rich.p for run in part.r or [])


@pytest.mark.parametrize(("kind", "expected"), KINDS.items())
def test_each_kind_of_chart_reaches_the_file(
    sales: Path, call: Call, workbook: Workbook, kind: str, expected: str
) -> None:
    call("calc.create_chart", range="A1:C4", kind=kind)
    (chart,) = charts(workbook())
    assert type(chart).__name__ == expected
    numbers = [series.val or series.yVal for series in chart.ser]
    assert [item.numRef.f for item in numbers] == ["Sheet1!$B$2:$B$4", "Sheet1!$C$2:$C$4"]


def test_bars_lie_and_columns_stand(sales: Path, call: Call, workbook: Workbook) -> None:
    call("calc.create_chart", range="A1:C4", kind="bar")
    call("calc.create_chart", range="A1:C4", kind="column", stacked="percent", cell="H20")
    first, second = charts(workbook())
    assert {first.barDir, second.barDir} == {"bar", "col"}
    assert "percentStacked" in {first.grouping, second.grouping}


def test_titles_and_legend_are_set_and_changed(sales: Path, call: Call, workbook: Workbook) -> None:
    name = call(
        "calc.create_chart",
        range="A1:C4",
        title="Money",
        x_title="Month",
        y_title="Euro",
        legend="top",
        name="Flow",
    )
    assert name == "Flow"
    (chart,) = charts(workbook())
    assert text_of(chart.title) == "Money"
    assert (text_of(chart.x_axis.title), text_of(chart.y_axis.title)) == ("Month", "Euro")
    assert chart.legend.position == "t"
    call("calc.edit_chart", legend="left", title="Cash", y_title="")
    (chart,) = charts(workbook())
    assert (chart.legend.position, text_of(chart.title)) == ("l", "Cash")
    assert chart.y_axis.title is None
    call("calc.edit_chart", name="Flow", legend="none", data_labels="value")
    (chart,) = charts(workbook())
    assert chart.legend is None
    assert chart.ser[0].dLbls.showVal


def test_series_can_be_rows(sales: Path, call: Call, workbook: Workbook) -> None:
    call("calc.create_chart", range="A1:C4", series_in="rows")
    (chart,) = charts(workbook())
    assert [series.val.numRef.f for series in chart.ser] == [
        f"Sheet1!$B${row}:$C${row}" for row in (2, 3, 4)
    ]


def test_one_column_is_a_series_without_labels(sales: Path, call: Call, workbook: Workbook) -> None:
    call("calc.create_chart", range="B1:B4", kind="line")
    (chart,) = charts(workbook())
    assert [series.val.numRef.f for series in chart.ser] == ["Sheet1!$B$2:$B$4"]


def test_a_chart_goes_where_it_is_told(sales: Path, call: Call, workbook: Workbook) -> None:
    call("calc.add_sheet", name="Charts")
    call("calc.create_chart", range="A1:C4", cell="Charts.C5", width_cm=10, height_cm=5)
    (chart,) = charts(workbook(), "Charts")
    corner = chart.anchor._from
    assert (corner.col, corner.row) == (2, 4)


def test_names_last_when_sheets_move_and_charts_go(
    sales: Path, call: Call, workbook: Workbook
) -> None:
    call("calc.add_sheet", name="Two")
    call("calc.create_chart", range="A1:C4", name="First")
    call("calc.create_chart", range="A1:C4", name="Second")
    call("calc.move_sheet", name="Sheet1", position=2)
    assert call("calc.info")["sheets"][1]["charts"] == ["First", "Second"]
    call("calc.delete_chart", name="First", sheet="Sheet1")
    assert len(charts(workbook())) == 1
    call("calc.delete_chart", sheet="Sheet1")
    assert charts(workbook()) == []


def test_names_last_when_the_file_is_opened_again(sales: Path, call: Call) -> None:
    call("calc.create_chart", range="A1:C4", name="Flow")
    call("office.close", path=str(sales), save=True)
    call("office.open", path=str(sales))
    assert call("calc.info")["sheets"][0]["charts"] == ["Flow"]
    call("calc.edit_chart", name="Flow", legend="bottom")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"range": "A1"}, "is one cell; a chart needs a range"),
        ({"range": "A1:C4", "name": "There"}, "there is a chart 'There' already"),
        ({"range": "A1:C4", "width_cm": 0}, "more than 0"),
        ({"range": "A1:C4", "kind": "pie", "x_title": "x"}, "has no axes"),
    ],
)
def test_charts_that_cannot_be_are_refused(
    sales: Path, call: Call, arguments: dict[str, Any], words: str
) -> None:
    call("calc.create_chart", range="A1:C4", name="There")
    with pytest.raises(Refused, match=words):
        call("calc.create_chart", **arguments)
    assert call("calc.info")["sheets"][0]["charts"] == ["There"]


def test_an_unknown_chart_is_refused_with_the_known(sales: Path, call: Call) -> None:
    call("calc.create_chart", range="A1:C4", name="One")
    call("calc.create_chart", range="A1:C4", name="Two")
    with pytest.raises(Refused, match="say which chart; on sheet 'Sheet1': One, Two"):
        call("calc.edit_chart", legend="top")
    with pytest.raises(Refused, match="no chart 'Three'; on sheet 'Sheet1': One, Two"):
        call("calc.delete_chart", name="Three")
