"""Changing the case of letters in a real document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import docx
import pytest

from tests.envs.apps.office.real_office import Refused

Call = Any


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ("upper", "DON'T STOP STRAßE, 🎉ÉTÉ"),
        ("lower", "don't stop straße, 🎉été"),
        ("title", "Don't Stop Straße, 🎉Été"),
        ("sentence", "Don't stop straße, 🎉été"),
    ],
)
def test_changes_case_and_nothing_else(call: Call, letter: Path, case: str, expected: str) -> None:
    call("writer.insert_text", text="don't stop straße, 🎉été")
    call("writer.format", pattern="n't st|🎉", bold=True)
    assert call("writer.change_case", case=case) == (0 if case == "lower" else 1)
    (paragraph,) = docx.Document(call("writer.save")).paragraphs
    assert paragraph.text == expected
    assert [run.text.lower() for run in paragraph.runs if run.bold] == ["n't st", "🎉"]


def test_changes_case_in_tables_or_in_one_paragraph(call: Call, plain_text: Path) -> None:
    call("writer.insert_table", rows=[["cell"]])
    assert call("writer.change_case", case="upper", paragraph=3) == 1
    assert call("writer.read", paragraph=3) == "LAST ONE"
    call("writer.change_case", case="upper")
    assert call("writer.read_table") == [["CELL"]]


def test_changing_the_case_of_a_missing_paragraph_is_refused(call: Call, plain_text: Path) -> None:
    with pytest.raises(Refused, match="no paragraph 5"):
        call("writer.change_case", case="upper", paragraph=5)
