"""Which open document a call means."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused

Call = Callable[..., Any]


def test_a_call_names_the_document_that_it_means(
    new_document: Callable[[str, str], Path], call: Call
) -> None:
    first, second = new_document("calc", "one.xlsx"), new_document("calc", "two.xlsx")
    call("calc.set_cell", cell="A1", value="first", document=str(first))
    call("calc.set_cell", cell="A1", value="second", document="two.xlsx")
    assert call("calc.read_range", range="A1", document="one.xlsx")["rows"] == [["first"]]
    assert call("calc.read_range", range="A1", document=str(second))["rows"] == [["second"]]


def test_a_document_that_is_not_open_is_named_with_those_that_are(book: Path, call: Call) -> None:
    with pytest.raises(
        Refused, match=r"no calc document 'other\.xlsx' is open; open: .*book\.xlsx"
    ):
        call("calc.info", document="other.xlsx")
    with pytest.raises(Refused, match=r"no writer document is open; open: .*book\.xlsx \(calc\)"):
        call("writer.info")


def test_a_file_name_that_two_documents_have_is_refused(
    book: Path, call: Call, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    second = tmp_path / "other" / "book.xlsx"
    call("office.new", kind="calc", path=str(second))
    try:
        with pytest.raises(Refused, match=r"several documents are called 'book\.xlsx'") as refused:
            call("calc.info", document="book.xlsx")
        assert refused.value.reason == "bad_value"
        assert call("calc.info", document=str(second))["path"] == str(second)
    finally:
        call("office.close", path=str(second))
