"""Cases of upstream's module table: CSV files, and what workbooks hold."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from tests.osworld.parity.case import ABSENT, Case
from tests.osworld.parity.workbooks import ROWS, renumbered, saved, written

BOTH = {"sheet_idx0": 0, "sheet_idx1": "EI0"}


def cases(folder: Path) -> Iterator[Case]:
    for part in (_csv, _cities, _names, _data, _sheets, _print, _fuzzy, _cells):
        yield from part(folder)


def table(name: str, result: Any, expected: Any, *rules: Any, differs: str = "") -> Case:
    return Case(
        name=name, metric="compare_table", module="table", result=result, expected=expected,
        options={"rules": list(rules)}, differs=differs,
    )  # fmt: skip


def _csv(folder: Path) -> Iterator[Case]:
    def case(
        name: str, actual: str | bytes, reference: Any, differs: str = "", **options: bool
    ) -> Case:
        paths = []
        for number, content in enumerate(
            [actual, *([reference] if isinstance(reference, str) else reference)]
        ):
            path = folder / f"{name}{number}.csv"
            path.write_bytes(content.encode() if isinstance(content, str) else content)
            paths.append(path)
        return Case(
            name=name, metric="compare_csv", module="table", result=paths[0], differs=differs,
            expected=paths[1] if isinstance(reference, str) else paths[1:], options=options,
        )  # fmt: skip

    gold = "Name,Price\nTea,2.50\n"
    yield case("same", gold, gold)
    yield case("line ends", gold.replace("\n", "\r\n"), gold)
    yield case("no last end", gold.rstrip(), gold)
    yield case("one of", gold, ["a,b\n", gold])
    yield case("none of", gold, ["a,b\n", "c,d\n"])
    yield case("another", gold, gold.replace("2.50", "2.5"))
    yield case("case", gold.upper(), gold)
    yield case("any case", gold.upper(), gold, ignore_case=True)
    yield case("blanks", gold.replace("\n", " \n"), gold)
    yield case("any blanks", gold.replace("\n", " \n"), gold, strict=False)
    yield case("quotes", gold.replace("Tea", '"Tea"'), gold, "csv-quotes")
    yield case("mark", "\ufeff" + gold, gold, "byte-order-mark")
    yield case("blank last line", gold + "\n", gold, "csv-blank-end")
    yield case("blank line between", gold.replace("\n", "\n\n", 1), gold)
    yield case("latin", gold.encode() + b"\xe9", gold + "é")
    yield case("no text", b"\x00\xff", gold)


def _cities(folder: Path) -> Iterator[Case]:
    names = [f"City {number:02d}, Land" for number in range(21)]
    rules = {
        "expected": [["nowhere", f"City {n:02d}"] if n % 2 else f"City {n:02d}" for n in range(21)]
    }

    def case(name: str, cities: list[Any], differs: str = "", rules: Any = rules) -> Case:
        rows = [["Year", "Conference", "City"], *([2012 + n, "X", c] for n, c in enumerate(cities))]
        return Case(
            name=name, metric="compare_conference_city_in_order", module="table",
            result=saved(folder / f"{name}.xlsx", rows), expected=rules, differs=differs,
        )  # fmt: skip

    yield case("in order", names)
    yield case("turned", names[::-1])
    yield case("one less", names[:-1])
    yield case("blank", [*names[:3], None, *names[4:]])
    parts = {"expected": ["LA", *rules["expected"][1:]]}
    yield case("part of a word", ["LAS VEGAS", *names[1:]], "city-part", parts)
    yield case("three", names[:3], "city-count", {"expected": rules["expected"][:3]})
    (folder / "no.xlsx").write_text("City")
    yield Case(
        name="no workbook", metric="compare_conference_city_in_order", module="table",
        result=folder / "no.xlsx", expected=rules, differs="malformed",
    )  # fmt: skip


def _names(folder: Path) -> Iterator[Case]:
    first_book = saved(folder / "names1.xlsx", change=lambda book: book.create_sheet("S1"))
    two = saved(folder / "names2.xlsx", change=lambda book: [book.create_sheet(n) for n in "ST"])
    yield table("same names", two, two, {"type": "sheet_name"})
    yield table("a sheet less", first_book, two, {"type": "sheet_name"})
    (folder / "text.xlsx").write_text("Name")
    yield table("no workbook", folder / "text.xlsx", two, {"type": "sheet_name"})
    yield table("no rules", first_book, two)


def _data(folder: Path) -> Iterator[Case]:
    gold = saved(folder / "gold.xlsx")
    rule = {"type": "sheet_data", **BOTH}

    def case(name: str, rows: Any, differs: str = "", reference: Any = gold, **more: Any) -> Case:
        actual = saved(folder / f"data {name}.xlsx", rows)
        if isinstance(reference, list):
            reference = saved(folder / f"data {name} gold.xlsx", reference)
        return table(f"data, {name}", actual, reference, rule | more, differs=differs)

    def with_price(value: Any) -> list[list[Any]]:
        return [*ROWS[:2], ["Milk", value], ROWS[3]]

    yield case("same", ROWS)
    yield case("rounded", with_price(1.250001))
    yield case("too far", with_price(1.2502))
    yield case("less precise", with_price(1.2502), precision=2)
    yield case("another", with_price(1.5))
    yield case("text", with_price("1.25"))
    yield case("padded text", with_price("01.25"), "data-padded")
    yield case("blank", with_price(None))
    yield case("a row more", [*ROWS, ["Salt", 1]])
    yield case("a row less", ROWS[:-1])
    yield case("moved", [[None, None], *ROWS])
    yield case(
        "other case", [[str(v).upper() if i == 0 else v for i, v in enumerate(r)] for r in ROWS]
    )
    shout = [[v.upper() if isinstance(v, str) else v for v in row] for row in ROWS]
    yield case("any case", shout, "data-case", ignore_case=True)
    whole = [["N"], [1], [2]]
    yield case("nearly whole", [["N"], [1.00000001], [2]], "data-types", whole)
    mixed = [["T", "N"], ["x", "Total"], ["y", 1.5]]
    yield case("mixed column", [*mixed[:2], ["y", 1.500000001]], "data-mixed", mixed)
    yield case("not available", [["A", "B"], ["x", None]], "data-na", [["A", "B"], ["x", "NA"]])
    yield case("an error", [["A", "B"], ["x", None]], "data-na", [["A", "B"], ["x", "#DIV/0!"]])
    dates = [["D"], [datetime.datetime(2024, 1, 2)]]
    yield case("dates", dates, reference=dates)
    yield case("another date", [["D"], [datetime.datetime(2024, 1, 3)]], reference=dates)
    yield case("number for date", [["D"], [45293]], reference=dates)
    truths = [["T"], [True], [False]]
    yield case("truth", truths, reference=truths)
    yield case("number for truth", [["T"], [1], [0]], reference=truths)
    among_texts = [["T"], [True], ["x"]]
    yield case("number for truth among texts", [["T"], [1], ["x"]], "data-truth", among_texts)
    numbers = [[1.0, 2], [3, 4.5]]
    yield case("no header", numbers, reference=numbers)
    yield case("header not rounded", [[1.00000001, 2], [3, 4.5]], "data-header", numbers)
    yield case("nothing", [], reference=[])
    yield case("same names", [["A", "A"], [1, 2]], reference=[["A", "A"], [1, 2]])
    yield case(
        "name of a pandas column",
        [["A", None], [1, 2]],
        "data-header",
        [["A", "Unnamed: 1"], [1, 2]],
    )


def _sheets(folder: Path) -> Iterator[Case]:
    """How rules name sheets."""

    def copied(name: str, title: str) -> Path:
        return saved(
            folder / f"{name}.xlsx",
            change=lambda book: setattr(book.copy_worksheet(book.active), "title", title),
        )

    two, other, first_book = (
        copied("two", "Sheet2"),
        copied("other", "Copy"),
        saved(folder / "one.xlsx"),
    )

    def rule(first: Any, second: Any) -> dict[str, Any]:
        return {"type": "sheet_data", "sheet_idx0": first, "sheet_idx1": second}

    yield table("both of the result", two, first_book, rule(0, 1))
    yield table("by name", two, two, rule("RNSheet2", "ENSheet2"))
    yield table("no such name", other, two, rule("RNSheet2", "ENSheet2"))
    yield table("by place", other, two, rule("RI1", "EI1"))
    yield table("no such place", first_book, two, rule("RI1", "EI1"))
    yield table("no second sheet", first_book, first_book, rule(0, 1), differs="second-sheet")
    first = {"type": "freeze", "sheet_idx0": "RNSheet2", "sheet_idx1": "ENSheet2"}
    yield table("no sheet to freeze", first_book, two, first)
    chart = {"type": "chart", "sheet_idx0": "RNSheet2", "sheet_idx1": "ENSheet2"}
    yield table("no sheet of charts", first_book, two, chart, differs="no-sheet")


def _print(folder: Path) -> Iterator[Case]:
    book = saved(folder / "print.xlsx")
    names = {"sheet_idx0": "RNSheet1", "sheet_idx1": "ENSheet1"}

    def case(name: str, actual: str | None, reference: str, differs: str = "", **more: Any) -> Case:
        paths = [folder / f"{name}{side}.xlsx" for side in "re"]
        for path, content in zip(paths, (actual, reference), strict=True):
            path.write_bytes(book.read_bytes())
            if content is not None:
                path.with_name(f"{path.stem}-Sheet1.csv").write_bytes(content.encode())
        return table(f"print, {name}", *paths, {"type": "sheet_print", **names, **more},
                     differs=differs)  # fmt: skip

    gold = "Old,New\n12,0000012\n"
    yield case("same", gold, gold)
    yield case("ends", gold.replace("\n", " \r\n") + "\n\n", gold)
    yield case("another", gold.replace("0000012", "12"), gold)
    yield case("any case", gold.upper(), gold, ignore_case=True)
    yield case("not printed", None, gold)
    yield case("quoted", gold.replace("Old", '"Old"'), gold, "csv-quotes")
    yield case("mark", "\ufeff" + gold, gold, "byte-order-mark")


def _fuzzy(folder: Path) -> Iterator[Case]:
    names = {"sheet_idx0": "RNSheet1", "sheet_idx1": "ENSheet1"}

    def case(
        name: str, actual: Any, reference: Any, kind: str, differs: str = "", **more: Any
    ) -> Case:
        paths = [
            saved(folder / f"fuzzy {name}{number}.xlsx", [["x"], [value]])
            for number, value in enumerate((actual, reference))
        ]
        part = {"range": ["A1:A1", "A2:B2"], "type": kind, **more}
        return table(f"fuzzy, {name}", *paths, {"type": "sheet_fuzzy", **names, "rules": [part]},
                     differs=differs)  # fmt: skip

    yield case("same", "Tea", "Tea", "exact_match")
    yield case("another", "Tea", "Tee", "exact_match")
    yield case("numbers", 3, 3.0, "exact_match")
    yield case("other numbers", 3, 3.5, "exact_match")
    yield case("number as text", "3", 3, "exact_match", "fuzzy-number")
    yield case("blank", None, None, "exact_match")
    yield case("none as text", "None", None, "exact_match", "fuzzy-blank")
    yield case("truth", True, False, "exact_match", "fuzzy-truth")
    yield case("includes", "+1 (555) 12-34", "5551234", "includes", ignore_chars=" ()-",
               trim_leadings="+ ")  # fmt: skip
    yield case("does not include", "555", "5551234", "includes")
    yield case("within", "555", "5551234", "included_by")
    yield case("trimmed", "  Tea ", "Tea", "exact_match", "inline-blanks",
               trim_leadings=" ", trim_trailings=" ")  # fmt: skip
    yield case("any case", "TEA", "tea", "exact_match", ignore_case=True)
    yield case("alike", "12 Mill Road", "12 Mil Road", "fuzzy_match")
    yield case("less alike", "12 Mill Road", "12 Mil Road", "fuzzy_match", threshold=98)
    words = [["Rd", "Road"], ["St", "Street"]]
    yield case("short word", "2 Main Rd", "2 Main Road", "exact_match", normalization=words)
    yield case("short in long", "2 Main St", "2 Main Street", "exact_match", "fuzzy-words",
               normalization=words)  # fmt: skip
    yield case("another word", "2 Main St", "2 Main Road", "exact_match", normalization=words)


def _cells(folder: Path) -> Iterator[Case]:
    def fill(book: Any, sheet: Any) -> None:
        sheet.write_formula("C2", "=B2*2", None, 5)
        sheet.write_formula("C3", '="A"&"B"', None, "AB")
        sheet.write_boolean("C4", True)
        look = book.add_format({"bold": True, "bg_color": "#0000FF", "font_color": "#FFFFFF"})
        sheet.merge_range("A6:B6", "Total", look)
        sheet.write_datetime(
            "A7", datetime.datetime(2024, 1, 2), book.add_format({"num_format": 14})
        )

    path = written(folder / "cells.xlsx", fill)

    def case(
        name: str, place: str, prop: str, method: str, ref: Any, differs: str = "", **more: Any
    ) -> Case:
        rule = {"type": "check_cell", "sheet_idx": more.get("sheet", 0), "coordinate": place}
        rule["props"] = {prop: {"method": method, "ref": ref}}
        return table(f"cell, {name}", more.get("path", path), ABSENT, rule, differs=differs)

    yield case("text", "A2", "value", "eq", "Tea")
    yield case("another text", "A2", "value", "eq", "Coffee")
    yield case("pattern", "A2", "value", "re.I", "^t")
    yield case("number", "B2", "value", "approx:0.1", 2.55)
    yield case("far number", "B2", "value", "approx:0.01", 2.55)
    yield case("pattern of a number", "B2", "value", "re", "2")
    yield case("calculated", "C2", "value", "eq", 5)
    yield case("calculated text", "C3", "value", "eq", "AB")
    yield case("blank", "Z9", "value", "eq", "x")
    yield case("null", "Z9", "value", "eq", None)
    yield case("date", "A7", "value", "eq", 45293)
    yield case("truth", "C4", "value", "eq", True, "fuzzy-truth")
    yield case("first of merged", "A6", "merge", "eq", False)
    yield case("merged", "B6", "merge", "eq", True)
    yield case("not merged", "C6", "merge", "eq", True)
    yield case("fill", "A6", "bgcolor", "eq", "FF0000FF")
    yield case("color", "A6", "font_color", "eq", "FFFFFFFF")
    yield case("bold", "A6", "font_bold", "eq", True)
    yield case("not bold", "A1", "font_bold", "eq", True)
    yield case("font", "A1", "font_name", "eq", "Calibri")
    yield case("size", "A1", "font_size", "ge", 11)
    yield case("format", "B2", "number_format", "eq", "General")
    yield case("no sheet", "A1", "value", "eq", "Name", sheet="RNSheet9")
    moved = renumbered(saved(folder / "moved.xlsx"))
    yield case("moved sheet", "A1", "value", "eq", "Name", "sheet-id", path=moved)
    linked = saved(folder / "linked.xlsx", change=_add_link)
    yield case("link", "A1", "hyperlink", "eq", "https://example.com/", "link-object", path=linked)
    clear = saved(folder / "clear.xlsx", change=_paint)
    yield case("alpha", "A1", "bgcolor", "eq", "FFFF0000", "color-alpha", path=clear)


def _add_link(book: Workbook) -> None:
    book.active["A1"].hyperlink = "https://example.com/"


def _paint(book: Workbook) -> None:
    from openpyxl.styles import PatternFill

    book.active["A1"].fill = PatternFill("solid", fgColor="FF0000")
