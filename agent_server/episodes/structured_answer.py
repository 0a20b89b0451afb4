"""Answers as JSON that fits a schema (JSON Schema, draft 2020-12), for programs that read them.

An agent is told the schema with its instruction. An answer that does not fit is refused once, with
the reason; the next one ends the episode whatever it is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import jsonschema
import orjson

MAX_SCHEMA = 20_000
"""Bytes of a schema as JSON."""
MAX_REASON = 300
_FENCED = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)
"""Many models put JSON into a code block, whatever they are told."""


class AnswerMisfit(ValueError):
    """The answer is no JSON, or does not fit; the message says where."""


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raises ValueError for what is no schema, refers to other documents, or is too large."""
    text = orjson.dumps(schema)
    if len(text) > MAX_SCHEMA:
        raise ValueError(f"the schema has {len(text)} bytes, more than {MAX_SCHEMA}")
    try:
        jsonschema.Draft202012Validator.check_schema(schema)
    except jsonschema.SchemaError as error:
        raise ValueError(f"no JSON Schema: {_locate(error)}") from error
    for reference in _list_references(schema):
        if not reference.startswith("#"):
            raise ValueError(f"the schema refers to another document: {reference[:80]}")


def describe_schema(schema: Mapping[str, Any]) -> str:
    """What an agent is told."""
    return f"Give your answer as JSON that fits this JSON Schema: {orjson.dumps(schema).decode()}"


def read_answer(answer: str | None, schema: Mapping[str, Any]) -> Any:
    """The value of an answer that fits. Raises AnswerMisfit."""
    fenced = _FENCED.match(answer or "")
    text = fenced.group(1) if fenced else answer or ""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise AnswerMisfit(f"it is no JSON: {error}"[:MAX_REASON]) from error
    misfit = jsonschema.exceptions.best_match(
        jsonschema.Draft202012Validator(schema).iter_errors(value)
    )
    if misfit is not None:
        raise AnswerMisfit(_locate(misfit))
    return value


def _locate(error: jsonschema.ValidationError | jsonschema.SchemaError) -> str:
    place = ".".join(str(part) for part in error.absolute_path)
    return f"{place}: {error.message}"[:MAX_REASON] if place else error.message[:MAX_REASON]


def _list_references(value: Any) -> list[str]:
    """Of a schema and all that it holds."""
    if isinstance(value, Mapping):
        own = [value[key] for key in ("$ref", "$dynamicRef") if isinstance(value.get(key), str)]
        return own + [text for part in value.values() for text in _list_references(part)]
    if isinstance(value, list):
        return [text for part in value for text in _list_references(part)]
    return []
