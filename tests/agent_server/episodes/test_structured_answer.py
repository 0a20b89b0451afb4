"""Answers that a program can read: what fits a schema, and what is said of what does not."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_server.episodes.structured_answer import (
    AnswerMisfit,
    check_schema,
    describe_schema,
    read_answer,
)

PRICE: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "cents": {"type": "integer", "minimum": 0}},
    "required": ["name", "cents"],
    "additionalProperties": False,
}
FITTING = '{"name": "Blue Shirt", "cents": 1250}'


@pytest.mark.parametrize(
    "text", [FITTING, f"```json\n{FITTING}\n```", f"```\n{FITTING}```", f"  {FITTING}\n"]
)
def test_an_answer_that_fits_is_read(text: str) -> None:
    assert read_answer(text, PRICE) == {"name": "Blue Shirt", "cents": 1250}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "it is no JSON"),
        ("The shirt costs $12.50", "it is no JSON"),
        ('{"name": "Blue Shirt"}', "'cents' is a required property"),
        ('{"name": "Blue Shirt", "cents": -1}', "cents: -1 is less than the minimum of 0"),
        ('{"name": "B", "cents": 1, "x": 1}', "Additional properties are not allowed"),
        (f"Here it is: {FITTING}", "it is no JSON"),
    ],
)
def test_what_does_not_fit_is_told(text: str | None, reason: str) -> None:
    with pytest.raises(AnswerMisfit, match=reason):
        read_answer(text, PRICE)


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        ({"type": "thing"}, "no JSON Schema: type: 'thing' is not"),
        ({"$ref": "http://evil.test/schema"}, "refers to another document"),
        ({"items": [{"$ref": "file:///etc/passwd"}]}, "no JSON Schema|refers to another document"),
        ({"description": "x" * 30_000}, "more than 20000"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(schema: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_schema(schema)


def test_a_schema_may_refer_to_itself() -> None:
    schema = {"$defs": {"n": {"type": "integer"}}, "items": {"$ref": "#/$defs/n"}, "type": "array"}
    check_schema(schema)
    assert read_answer("[1, 2]", schema) == [1, 2]
    assert '"$ref":"#/$defs/n"' in describe_schema(schema)


@given(st.text())
def test_no_text_breaks_the_reader(text: str) -> None:
    with contextlib.suppress(AnswerMisfit):
        assert isinstance(read_answer(text, PRICE), dict)
