"""Cases of upstream's module table: how sheets look, and what lies on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from openpyxl.chart import BarChart, LineChart, Reference, ScatterChart, Series
from openpyxl.styles import Font, PatternFill
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.views import Pane

from tests.osworld.parity.case import ABSENT, Case
from tests.osworld.parity.cases_table import BOTH, table
from tests.osworld.parity.workbooks import pivoted, saved, written

Change = Callable[[Any], object]
RED, GREEN = "FFFF0000", "FF00FF00"


def cases(folder: Path) -> Iterator[Case]:
    for part in (_style, _conditions, _views, _lines, _charts, _sparklines, _validations,
                 _filters, _pivots):  # fmt: skip
        yield from part(folder)


class Pairs:
    """Makes cases of one rule with two changes of the same workbook."""

    def __init__(self, folder: Path, rule: dict[str, Any]) -> None:
        self._folder, self._rule = folder, rule

    def __call__(
        self, name: str, result: Change, expected: Change, differs: str = "", **more: Any
    ) -> Case:
        kind = self._rule["type"]
        paths = [
            saved(
                self._folder / f"{kind} {name}{side}.xlsx", change=lambda b, c=change: c(b.active)
            )
            for side, change in (("r", result), ("e", expected))
        ]
        return table(f"{kind}, {name}", *paths, self._rule | more, differs=differs)


def plain(sheet: Any) -> None:
    return None


def all_values(*cells: str, color: str = RED) -> Change:
    def change(sheet: Any) -> None:
        for cell in cells:
            sheet[cell].fill = PatternFill("solid", fgColor=color)

    return change


def lettered(*cells: str, **font: Any) -> Change:
    def change(sheet: Any) -> None:
        for row in sheet.iter_rows():
            for cell in row:
                own = font if cell.coordinate in cells else {"color": "FF000000"}
                cell.font = Font(name="Calibri", sz=11, **own)

    return change


def _style(folder: Path) -> Iterator[Case]:
    case = Pairs(folder, {"type": "style", **BOTH, "props": ["bgcolor"]})
    yield case("same fill", all_values("A2"), all_values("A2"))
    yield case("another fill", all_values("A2"), all_values("A2", color=GREEN))
    yield case("a fill more", all_values("A2", "A3"), all_values("A2"))
    yield case("no fill", plain, all_values("A2"))
    yield case("alpha", all_values("A2", color="00FF0000"), all_values("A2"), "color-alpha")
    yield case(
        "a plain cell more", lambda s: setattr(s["F9"], "font", Font(b=True)), plain, "style-area"
    )
    case = Pairs(folder, {"type": "style", **BOTH, "props": ["font_color"]})
    yield case("same color", lettered("B3", color=GREEN), lettered("B3", color=GREEN))
    yield case("another color", lettered("B3", color=GREEN), lettered("B2", color=GREEN))
    yield case("automatic", lambda s: setattr(s["A1"], "font", Font()), plain, "font-automatic")
    every = ["font_name", "font_size", "font_bold", "font_italic", "font_underline", "fill_type",
             "number_format", "merge"]  # fmt: skip
    bold = lettered("A1", b=True, u="single")
    yield case("every", bold, bold, props=every)
    yield case("every but one", bold, lettered("A1", b=True), props=every)


def _conditions(folder: Path) -> Iterator[Case]:
    rule = {"type": "style", **BOTH, "props": ["bgcolor"]}

    def case(
        name: str,
        fill: dict[str, Any],
        expected: dict[str, str],
        differs: str = "",
        area: str = "B2:B4",
    ) -> Case:
        """`fill`: a conditional format; `wanted`: fills by cell."""

        def conditional(book: Any, sheet: Any) -> None:
            look = book.add_format({"bg_color": "#FF0000"})
            sheet.conditional_format(area, {**fill, "format": look})

        def direct(book: Any, sheet: Any) -> None:
            for place, value in expected.items():
                sheet.write(place, value, book.add_format({"bg_color": "#FF0000"}))

        paths = [written(folder / f"{name}{side}.xlsx", make) for side, make in
                 (("r", conditional), ("e", direct))]  # fmt: skip
        return table(f"condition, {name}", *paths, rule, differs=differs)

    more: Any = {"type": "cell", "criteria": ">", "value": 2}
    yield case("cell", more, {"B2": 2.5, "B4": 3})
    yield case("another cell", more, {"B2": 2.5})
    yield case("between", {"type": "cell", "criteria": "between", "minimum": 3, "maximum": 2},
               {"B2": 2.5, "B4": 3})  # fmt: skip
    yield case("text equal", {"type": "cell", "criteria": "=", "value": '"Tea"'}, {"A2": "Tea"},
               area="A2:A4")  # fmt: skip
    formula: Any = {"type": "formula", "criteria": "=B2>2"}
    yield case("formula", formula, {"B2": 2.5, "B4": 3})
    largest: Any = {"type": "formula", "criteria": "=B2=MAX($B$2:$B$4)"}
    yield case("largest", largest, {"B4": 3})
    two: Any = {"type": "formula", "criteria": '=AND(B2>2,$A2="Tea")'}
    yield case("two cells", two, {"B2": 2.5}, "condition-arguments")
    limit: Any = {"type": "formula", "criteria": "=B2=$B$4"}
    yield case("one absolute cell", limit, {"B4": 3}, "condition-absolute")
    beside: Any = {"type": "formula", "criteria": "=$B2>2"}
    yield case("cell beside", beside, {"A2": "Tea", "A4": "Rice"}, "condition-beside", area="A2:A4")
    yield case("top", {"type": "top", "value": 1}, {"B4": 3}, "condition-kind")
    yield case("no formula", {"type": "formula", "criteria": "=B2>"}, {})
    yield case("twice", {"type": "duplicate"}, {})
    yield case("text", {"type": "text", "criteria": "containing", "value": "i"},
               {"A3": "Milk", "A4": "Rice"}, area="A2:A4")  # fmt: skip


def _views(folder: Path) -> Iterator[Case]:
    case = Pairs(folder, {"type": "freeze", **BOTH})

    def frozen(place: str) -> Change:
        return lambda sheet: setattr(sheet, "freeze_panes", place)

    def scroll(sheet: Any) -> None:
        sheet.sheet_view.pane = Pane(xSplit=1, ySplit=1, topLeftCell="D20", state="frozen",
                                     activePane="bottomRight")  # fmt: skip

    yield case("same", frozen("B2"), frozen("B2"))
    yield case("another", frozen("A2"), frozen("B2"))
    yield case("none", plain, frozen("B2"))
    yield case("scrolled", scroll, frozen("B2"), "freeze-scrolled")

    def zoomed(percent: int | None) -> Change:
        return lambda sheet: setattr(sheet.sheet_view, "zoomScale", percent)

    def zoom(name: str, percent: int | None, method: str, ref: Any) -> Case:
        path = saved(folder / f"{name}.xlsx", change=lambda book: zoomed(percent)(book.active))
        rule = {"type": "zoom", "sheet_idx": 0, "method": method, "ref": ref}
        return table(f"zoom, {name}", path, ABSENT, rule)

    yield zoom("less", 200, "lt", 260)
    yield zoom("not less", 260, "lt", 260)
    yield zoom("usual", None, "eq", 100)
    yield zoom("between", 80, "range.et", [80, 100])


def _lines(folder: Path) -> Iterator[Case]:
    def rows(*numbers: int, hidden: bool = True) -> Change:
        def change(sheet: Any) -> None:
            for number in numbers:
                sheet.row_dimensions[number].hidden = hidden
                sheet.row_dimensions[number].height = 15

        return change

    case = Pairs(folder, {"type": "row_props", **BOTH, "props": ["hidden"]})
    yield case("same", rows(2, 3), rows(2, 3))
    yield case("one less", rows(2), rows(2, 3))
    yield case("listed and plain", rows(3, hidden=False), lambda s: s.append([1]), "lines-listed")

    def columns(letter: str, **looks: Any) -> Change:
        def change(sheet: Any) -> None:
            for name, value in looks.items():
                setattr(sheet.column_dimensions[letter], name, value)

        return change

    case = Pairs(folder, {"type": "col_props", **BOTH, "props": ["hidden", "width"]})
    yield case("same", columns("B", hidden=True), columns("B", hidden=True))
    yield case("another", columns("B", hidden=True), columns("A", hidden=True))
    yield case("width", columns("B", width=20), columns("B", width=21))


def _charts(folder: Path) -> Iterator[Case]:
    def charted(
        kind: Any = BarChart, last: int = 4, title: str | None = "Prices", **looks: Any
    ) -> Change:
        def change(sheet: Any) -> None:
            chart = kind()
            values, names = (Reference(sheet, c, 2, c, last) for c in (2, 1))
            chart.append(Series(values, names) if kind is ScatterChart else Series(values))
            if kind is not ScatterChart:
                chart.set_categories(names)
            chart.title = title
            for name, value in looks.items():
                setattr(chart, name, value)
            sheet.add_chart(chart, "D2")

        return change

    case = Pairs(folder, {"type": "chart", **BOTH, "chart_props": ["type", "title"]})
    yield case("same", charted(), charted())
    yield case("another range", charted(last=3), charted())
    yield case("another type", charted(LineChart), charted())
    yield case("another title", charted(title="Price"), charted())
    yield case("no title", charted(title=None), charted())
    yield case("none", plain, charted())
    yield case("direction", charted(barDir="bar"), charted(), chart_props=["direction"])
    yield case("direction of lines", charted(LineChart), charted(LineChart), "chart-direction",
               chart_props=["direction"])  # fmt: skip
    yield case("legend", charted(legend=None), charted(), chart_props=["legend"])
    yield case("size", charted(width=20), charted(), "chart-size", chart_props=["width"])
    scatter = charted(ScatterChart)
    yield case("scatter", scatter, scatter)
    yield case("another scatter", charted(ScatterChart, last=3), scatter, "chart-scatter")
    twice: Change = lambda sheet: [charted()(sheet), charted()(sheet)]  # noqa: E731
    yield case("twice", twice, charted(), "chart-twice")
    yield case("axis", charted(), charted(), chart_props=["xtitle", "ytitle", "ztitle"])


def _sparklines(folder: Path) -> Iterator[Case]:
    def lined(name: str, place: str, area: str) -> Path:
        path = folder / f"spark {name}.xlsx"
        return written(path, lambda book, sheet: sheet.add_sparkline(place, {"range": area}))

    gold, rule = lined("gold", "D2", "Sheet1!B2:B4"), {"type": "sparkline", **BOTH}
    yield table("sparkline, same", lined("same", "D2", "Sheet1!B2:B4"), gold, rule)
    yield table("sparkline, place", lined("place", "D3", "Sheet1!B2:B4"), gold, rule)
    yield table("sparkline, range", lined("range", "D2", "Sheet1!B2:B3"), gold, rule)
    yield table("sparkline, none", saved(folder / "no spark.xlsx"), gold, rule)


def _validations(folder: Path) -> Iterator[Case]:
    listed = {
        "ranges": {"method": "spreadsheet_range", "ref": ["D2:D29", "D1:D1048576"]},
        "type": {"method": "eq", "ref": "list"},
        "formula1": {"method": "str_set_eq", "ref": ["Pass", "Fail", "Held"]},
    }
    whole = {"type": {"method": "eq", "ref": "whole"}}

    def case(name: str, added: list[dict[str, Any]], differs: str = "", props: Any = None) -> Case:
        def change(book: Any) -> None:
            for item in added:
                validation = DataValidation(**{k: v for k, v in item.items() if k != "at"})
                validation.add(item.get("at", "D2:D29"))
                book.active.add_data_validation(validation)

        rule = {"type": "data_validation", "sheet_idx": 0, "dv_props": props or [listed]}
        path = saved(folder / f"valid {name}.xlsx", change=change)
        return table(f"validation, {name}", path, ABSENT, rule, differs=differs)

    good = {"type": "list", "formula1": '"Held,Pass,Fail"'}
    number = {"type": "whole", "formula1": "1", "formula2": "9", "at": "E2"}
    yield case("as asked", [good])
    yield case("column", [good | {"at": "D1:D100"}])
    yield case("too few cells", [good | {"at": "D2:D9"}])
    yield case("another list", [good | {"formula1": '"Pass,Fail"'}])
    yield case("none", [])
    yield case("one more", [good, number])
    yield case("both", [good, number], props=[listed, whole])
    yield case("one twice", [good, good], "validation-missing", props=[listed, whole])
    yield case("no list", [{"type": "list"}], "value-kind")


def _filters(folder: Path) -> Iterator[Case]:
    def chosen(*values: str, area: str = "A1:B4", order: str = "") -> Change:
        def change(sheet: Any) -> None:
            sheet.auto_filter.ref = area
            if values:
                sheet.auto_filter.add_filter_column(0, list(values))
            if order:
                sheet.auto_filter.add_sort_condition(order, descending=True)

        return change

    case = Pairs(folder, {"type": "filter", **BOTH})
    yield case("same", chosen("Tea", "Milk"), chosen("Milk", "Tea"))
    yield case("another", chosen("Tea"), chosen("Milk"))
    yield case("another range", chosen(area="A1:B3"), chosen())
    yield case("dollars", chosen(area="$A$1:$B$4"), chosen(), "reference-form")
    yield case("none", plain, chosen())
    yield case("sorted", chosen(order="B2:B4"), chosen(order="B2:B4"))
    yield case("not sorted", chosen(), chosen(order="B2:B4"))


def _pivots(folder: Path) -> Iterator[Case]:
    names = ["col_fields", "filter", "row_fields", "data_fields"]
    rule = {"type": "pivot_table", "sheet_idx0": "RNSheet2", "sheet_idx1": "ENSheet2",
            "pivot_props": names}  # fmt: skip
    gold = pivoted(folder / "pivot gold.xlsx")

    def case(name: str, differs: str = "", expected: Path = gold, **looks: Any) -> Case:
        path = pivoted(folder / f"pivot {name}.xlsx", **looks)
        return table(f"pivot, {name}", path, expected, rule, differs=differs)

    yield case("same")
    yield case("another sum", subtotal="count")
    yield case("one hidden", hidden="Tea")
    turned = pivoted(folder / "pivot turned gold.xlsx", hidden="Tea", turned=True)
    yield case("items in another order", "pivot-numbers", expected=turned, hidden="Tea")
    yield case("another item", "pivot-numbers", expected=turned, hidden="Rice")
    none = saved(folder / "no pivot.xlsx", change=lambda book: book.create_sheet("Sheet2"))
    yield table("pivot, none", none, gold, rule)
