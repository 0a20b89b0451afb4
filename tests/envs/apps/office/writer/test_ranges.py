"""Paragraphs, patterns and places that calls on a real document mean."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.envs.apps.office.real_office import Refused
from tests.envs.apps.office.writer.reading import WORDS, saved_texts

Call = Any


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"paragraph": 9}, "there is no paragraph 9; the document has 3"),
        ({"paragraph": 0}, "counted from 1"),
        ({"paragraph": 3, "last_paragraph": 2}, "before paragraph 3"),
        ({"last_paragraph": 2}, "needs paragraph"),
    ],
)
def test_a_wrong_paragraph_is_refused(
    call: Call, plain_text: Path, arguments: dict[str, int], words: str
) -> None:
    with pytest.raises(Refused, match=words):
        call("writer.read", **arguments)


def test_a_broken_pattern_is_explained(call: Call, plain_text: Path) -> None:
    with pytest.raises(Refused, match="regular expression it is wrong"):
        call("writer.find_replace", find="(alpha", replace="x", regex=True)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"where": "start"}, "NEWAlpha beta\ngamma delta alpha\nLast one"),
        ({"where": "end"}, "Alpha beta\ngamma delta alpha\nLast oneNEW"),
        ({"after_paragraph": 0}, "NEW\nAlpha beta\ngamma delta alpha\nLast one"),
        ({"after_paragraph": 1}, "Alpha beta\nNEW\ngamma delta alpha\nLast one"),
        ({"after_paragraph": 3}, "Alpha beta\ngamma delta alpha\nLast one\nNEW"),
    ],
)
def test_inserts_where_told(
    call: Call, plain_text: Path, arguments: dict[str, Any], expected: str
) -> None:
    call("writer.insert_text", text="NEW", **arguments)
    assert call("writer.read") == expected
    assert saved_texts(call) == expected.split("\n")


def test_inserts_at_the_cursor(call: Call, plain_text: Path) -> None:
    assert call("writer.select", pattern="delta") == "delta"
    call("writer.insert_text", text="!", where="cursor")
    assert call("writer.read", paragraph=2) == "gamma delta! alpha"


def test_inserted_headings_are_headings_and_what_follows_is_not(
    call: Call, plain_text: Path
) -> None:
    call("writer.insert_text", text="Part", after_paragraph=1, style="Heading 1")
    call("writer.insert_text", text="under it", after_paragraph=2)
    styles = [item["style"] for item in call("writer.info")["paragraphs"]]
    assert styles == ["Standard", "Heading 1", "Text body", "Standard", "Standard"]


def test_inserting_after_a_missing_paragraph_is_refused(call: Call, plain_text: Path) -> None:
    with pytest.raises(Refused, match="the document has 3"):
        call("writer.insert_text", text="x", after_paragraph=7)
    assert call("writer.read") == WORDS


def test_selecting_what_is_not_there_is_refused(call: Call, plain_text: Path) -> None:
    with pytest.raises(Refused, match="nothing matches 'zeta'"):
        call("writer.select", pattern="zeta")
