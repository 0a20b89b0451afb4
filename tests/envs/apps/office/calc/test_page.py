from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]
Workbook = Callable[[], Any]


def test_print_areas_are_set_and_lifted(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.set_print_area", ranges=["A1:C3"])
    assert workbook()["Sheet1"].print_area == "'Sheet1'!$A$1:$C$3"
    call("calc.set_print_area", ranges=[])
    assert not workbook()["Sheet1"].print_area


def test_a_print_area_on_another_sheet_is_refused(people: Path, call: Call) -> None:
    call("calc.add_sheet", name="Two")
    with pytest.raises(Refused, match=r"ranges of 'Two' only, not of \['Sheet1'\]"):
        call("calc.set_print_area", ranges=["Sheet1.A1:C3"], sheet="Two")


def test_rows_repeat_on_every_page(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.repeat_rows", rows="1:2")
    assert workbook()["Sheet1"].print_title_rows == "$1:$2"
    call("calc.repeat_rows", rows=None)
    assert not workbook()["Sheet1"].print_title_rows


def test_repeated_rows_must_be_rows(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="must be rows"):
        call("calc.repeat_rows", rows="A1:B2")


def test_a_page_is_set_up_for_one_sheet_only(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.add_sheet", name="Two")
    call(
        "calc.page_setup",
        sheet="Two",
        orientation="landscape",
        paper="A4",
        margins_cm=2.54,
        fit_pages_wide=1,
        fit_pages_high=0,
        center=True,
        grid=True,
        header="Pay slips",
        footer="",
    )
    saved = workbook()
    sheet, other = saved["Two"], saved["Sheet1"]
    assert (sheet.page_setup.orientation, int(sheet.page_setup.paperSize)) == ("landscape", 9)
    assert (sheet.page_setup.fitToWidth, sheet.page_setup.fitToHeight) == (1, 0)
    assert sheet.page_margins.left == pytest.approx(1, abs=0.01)
    assert sheet.print_options.horizontalCentered
    assert sheet.print_options.gridLines
    assert sheet.oddHeader.center.text.endswith("Pay slips")
    assert sheet.oddFooter.center.text is None
    assert other.page_setup.orientation == "portrait"
    assert other.oddHeader.center.text is None or "Pay slips" not in other.oddHeader.center.text


def test_a_page_keeps_what_is_not_named(people: Path, call: Call, workbook: Workbook) -> None:
    call("calc.page_setup", orientation="landscape", margins_cm=1)
    call("calc.page_setup", center=True)
    sheet = workbook()["Sheet1"]
    assert sheet.page_setup.orientation == "landscape"
    assert sheet.page_margins.right == pytest.approx(1 / 2.54, abs=0.01)


def test_margins_that_cannot_be_are_refused(people: Path, call: Call) -> None:
    with pytest.raises(Refused, match="margins_cm must be 0 to 10, not 50"):
        call("calc.page_setup", margins_cm=50)
