"""Making, opening, closing and listing documents."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]


@pytest.mark.parametrize(
    ("kind", "name", "starts"),
    [
        ("calc", "new.xlsx", b"PK"),
        ("calc", "new.ods", b"PK"),
        ("calc", "new.xls", b"\xd0\xcf"),
        ("writer", "new.docx", b"PK"),
        ("writer", "new.odt", b"PK"),
        ("writer", "new.doc", b"\xd0\xcf"),
        ("writer", "new.rtf", b"{\\rtf"),
        ("impress", "new.pptx", b"PK"),
        ("impress", "new.odp", b"PK"),
        ("impress", "new.ppt", b"\xd0\xcf"),
    ],
)
def test_a_new_document_is_a_file_and_open(
    call: Call, tmp_path: Path, kind: str, name: str, starts: bytes
) -> None:
    path = tmp_path / name
    assert call("office.new", kind=kind, path=str(path)) == {"title": name, "kind": kind}
    assert path.read_bytes().startswith(starts)
    listed = {item["path"]: item for item in call("office.list_documents")}
    assert listed[str(path)]["kind"] == kind
    call("office.close", path=str(path))
    assert str(path) not in {item["path"] for item in call("office.list_documents")}


def test_what_is_there_is_not_written_over(book: Path, call: Call) -> None:
    with pytest.raises(Refused, match=r"book\.xlsx exists; use office\.open"):
        call("office.new", kind="calc", path=str(book))


def test_a_format_of_another_kind_is_refused(call: Call, tmp_path: Path) -> None:
    before = call("office.list_documents")
    with pytest.raises(Refused, match=r"a calc file ends in one of \.xlsx, \.ods, \.xls"):
        call("office.new", kind="calc", path=str(tmp_path / "book.docx"))
    with pytest.raises(Refused, match="there is no folder"):
        call("office.new", kind="calc", path=str(tmp_path / "nowhere" / "book.xlsx"))
    assert call("office.list_documents") == before


def test_closing_saves_only_when_asked(book: Path, call: Call) -> None:
    call("calc.set_cell", cell="A1", value="kept")
    call("office.close", path=str(book), save=True)
    call("office.open", path=str(book))
    call("calc.set_cell", cell="A1", value="lost")
    call("office.close", path=str(book))
    call("office.open", path=str(book))
    assert call("calc.read_range", range="A1")["rows"] == [["kept"]]


def test_what_is_not_there_is_neither_opened_nor_closed(call: Call, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="there is no file"):
        call("office.open", path=str(tmp_path / "none.xlsx"))
    with pytest.raises(Refused, match="is not open"):
        call("office.close", path=str(tmp_path / "none.xlsx"))
