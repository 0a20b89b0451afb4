from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]


def test_info_tells_what_there_is(people: Path, call: Call) -> None:
    call("calc.add_sheet", name="Other one")
    call("calc.define_name", name="Wages", range="C2:C5")
    call("calc.create_chart", range="A1:C5", name="Pay chart")
    call("calc.goto", range="B2:C3")
    result = call("calc.info")
    assert result["path"] == str(people)
    assert result["modified"] is True
    assert result["active_sheet"] == "Sheet1"
    assert result["selection"] == "Sheet1.B2:C3"
    assert result["names"] == {"Wages": "$Sheet1.$C$2:$C$5"}
    assert result["sheets"] == [
        {"name": "Sheet1", "used": "Sheet1.A1:C5", "charts": ["Pay chart"]},
        {"name": "Other one", "used": "'Other one'.A1"},
    ]


def test_a_call_without_a_spreadsheet_says_what_is_open(letter: Path, call: Call) -> None:
    with pytest.raises(Refused, match=r"no calc document is open; open: letter\.docx \(writer\)"):
        call("calc.info")


def test_save_writes_the_documents_own_file(people: Path, call: Call) -> None:
    assert call("calc.save") == str(people)
    assert openpyxl.load_workbook(people)["Sheet1"]["C5"].value == 40
    assert call("calc.info")["modified"] is False


def test_save_as_changes_the_documents_file(people: Path, call: Call, tmp_path: Path) -> None:
    other = tmp_path / "other.xlsx"
    assert call("calc.save_as", path=str(other)) == str(other)
    assert call("calc.info")["path"] == str(other)
    assert openpyxl.load_workbook(other)["Sheet1"]["A2"].value == "Ann"
    call("office.close", path=str(other))


@pytest.mark.parametrize(
    ("name", "reason", "words"),
    [
        ("book.docx", "bad_value", r"ends in one of \.xlsx, \.ods, \.xls"),
        ("nowhere/book.xlsx", "not_found", "there is no folder"),
    ],
)
def test_save_as_refuses_what_cannot_be_written(
    people: Path, call: Call, tmp_path: Path, name: str, reason: str, words: str
) -> None:
    with pytest.raises(Refused, match=words) as refused:
        call("calc.save_as", path=str(tmp_path / name))
    assert refused.value.reason == reason


def test_exports_leave_the_document_its_file(people: Path, call: Call, tmp_path: Path) -> None:
    call("calc.export_pdf", path=str(tmp_path / "out.pdf"))
    assert (tmp_path / "out.pdf").read_bytes().startswith(b"%PDF-")
    assert call("calc.info")["path"] == str(people)


def test_export_pdf_refuses_another_extension(people: Path, call: Call, tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"does not end in \.pdf"):
        call("calc.export_pdf", path=str(tmp_path / "out.xlsx"))


def test_export_csv_writes_the_sheet_asked_for(people: Path, call: Call, tmp_path: Path) -> None:
    call("calc.add_sheet", name="Two words")
    call("calc.write_range", cell="'Two words'.A1", rows=[["é", "a;b"], [0.5, None]])
    out = tmp_path / "out.csv"
    assert call("calc.export_csv", path=str(out), sheet="Two words", separator=";") == str(out)
    assert out.read_text(encoding="utf-8") == 'é;"a;b"\n0.5;\n'
    call("calc.export_csv", path=str(out))
    assert out.read_text(encoding="utf-8").splitlines()[1] == "Ann,Red,30"


def test_csv_files_hold_what_cells_show(people: Path, call: Call, tmp_path: Path) -> None:
    call("calc.write_range", cell="A1", rows=[["=DATE(2024,1,31)", 1234.5, 0.125, "=1/3", "x"]])
    for cells, shown_as in (("A1", "YYYY-MM-DD"), ("B1", "#,##0.00"), ("C1:D1", "0.0%")):
        call("calc.set_number_format", range=cells, format=shown_as)
    for tool in ("calc.export_csv", "calc.save_as"):
        out = tmp_path / f"{tool}.csv"
        call(tool, path=str(out))
        assert out.read_text().splitlines()[0] == '2024-01-31,"1,234.50",12.5%,33.3%,x', tool


def test_export_csv_names_the_sheets_there_are(people: Path, call: Call, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no sheet 'Q5'; sheets: Sheet1") as refused:
        call("calc.export_csv", path=str(tmp_path / "out.csv"), sheet="Q5")
    assert refused.value.reason == "not_found"


def test_undo_takes_the_last_changes_back(people: Path, call: Call) -> None:
    call("calc.set_cell", cell="A2", value="Zoe")
    call("calc.undo")
    assert call("calc.read_range", range="A2")["rows"] == [["Ann"]]


def test_undo_says_when_nothing_is_left(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match="only 0 changes"):
        call("calc.undo")
