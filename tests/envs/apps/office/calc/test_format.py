"""Formatting of cells in a real spreadsheet."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]
Workbook = Callable[[], Any]


def test_cells_are_formatted(people: Path, call: Call, workbook: Workbook) -> None:
    call(
        "calc.format_range",
        range="A1:B1",
        bold=True,
        italic=True,
        underline=True,
        strikethrough=True,
        font="DejaVu Sans",
        size=14,
        color="#112233",
        background="yellow",
        align="center",
        vertical="top",
        wrap=True,
        rotation=45,
    )
    cell = workbook()["Sheet1"]["B1"]
    font = cell.font
    assert (font.b, font.i, font.u, font.strike) == (True, True, "single", True)
    assert (font.name, font.sz, font.color.rgb) == ("DejaVu Sans", 14, "FF112233")
    assert cell.fill.fgColor.rgb == "FFFFFF00"
    alignment = cell.alignment
    assert (alignment.horizontal, alignment.vertical) == ("center", "top")
    assert (alignment.wrap_text, alignment.text_rotation) == (True, 45)


def test_what_is_left_out_stays(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.format_range", range="A1", bold=True, background="#FF0000")
    call("calc.format_range", range="A1", italic=True, background="none")
    cell = workbook()["Sheet1"]["A1"]
    assert (cell.font.b, cell.font.i) == (True, True)
    assert cell.fill.fill_type is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({}, "nothing to format"),
        ({"color": "blurple"}, "'blurple' is not a color; write #RRGGBB"),
        ({"size": 0}, "1 to 500 points"),
    ],
)
def test_formats_that_cannot_be_are_refused(
    people: Path, call: Call, arguments: dict[str, Any], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("calc.format_range", range="A1", **arguments)


def borders(sheet: Any, address: str) -> str:
    border = sheet[address].border
    return "".join(
        side[0] for side in ("top", "bottom", "left", "right") if getattr(border, side).style
    )


def test_borders_are_drawn_and_taken_away(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.set_borders", range="A1:B2", color="red")
    call("calc.set_borders", range="E1:G3", where="outline", points=2)
    call("calc.set_borders", range="I1:J2", where="bottom")
    call("calc.set_borders", range="L1:M2")
    call("calc.set_borders", range="L1:M2", where="none")
    sheet = workbook()["Sheet1"]
    assert borders(sheet, "A1") == borders(sheet, "B2") == "tblr"
    assert sheet["A1"].border.top.color.rgb == "FFFF0000"
    assert (borders(sheet, "E1"), borders(sheet, "F2"), borders(sheet, "G3")) == ("tl", "", "br")
    assert (borders(sheet, "I1"), borders(sheet, "J2")) == ("", "b")
    assert borders(sheet, "L1") == ""


def test_borders_of_an_unknown_colour_are_refused(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="is not a color"):
        call("calc.set_borders", range="A1", color="12345")


@pytest.mark.parametrize(
    ("format", "value", "shows"),
    [
        ("percent", 0.256, "25.60%"),
        ("currency", 1234.5, "$1,234.50"),
        ("date", 45306, "2024-01-15"),
        ("DD/MM/YYYY", 45306, "15/01/2024"),
        ("0.000", 2, "2.000"),
        ('#,##0 "pcs"', 1234, "1,234 pcs"),
        ("general", 2.5, "2.5"),
    ],
)
def test_number_formats_say_how_values_are_shown(
    book: Path, call: Call, format: str, value: float, shows: str
) -> None:
    call("calc.set_cell", cell="AB3", value=value)
    call("calc.set_number_format", range="AB:AB", format=format)
    assert call("calc.read_range", range="AB3", show="text")["rows"] == [[shows]]
    assert call("calc.read_range", range="AB3")["rows"] == [[value]]


def test_a_number_format_reaches_the_file(book: Path, call: Call, workbook: Workbook) -> None:
    assert call("calc.set_number_format", range="A1", format="0.000") == "0.000"
    assert workbook()["Sheet1"]["A1"].number_format == "0.000"


def test_a_format_code_that_cannot_be_is_refused(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match="is not a format code; names: general, integer"):
        call("calc.set_number_format", range="A1", format="0.0[zz]")


def test_cells_are_merged_and_split(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.merge_cells", range="A7:C7", center=True)
    call("calc.merge_cells", range="A9:A10")
    call("calc.unmerge_cells", range="A9:A10")
    sheet = workbook()["Sheet1"]
    assert [str(merged) for merged in sheet.merged_cells.ranges] == ["A7:C7"]
    assert sheet["A7"].alignment.horizontal == "center"


def test_one_cell_is_not_merged(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="'A7' is one cell"):
        call("calc.merge_cells", range="A7")


def test_unmerging_needs_an_address(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="is not an address"):
        call("calc.unmerge_cells", range="")
