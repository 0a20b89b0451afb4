"""Metrics of JSON values."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.osworld.outside.published.json_values import (
    check_direct_json_object,
    check_direct_json_object_compat,
    check_json,
    check_json_compat,
    is_included_all_json_objects,
    is_included_all_json_objects_compat,
)

NO_TEXT = b"\xff\xfe\x00"


def file(folder: Path, content: str | bytes, name: str = "a") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_json_files(tmp_path: Path) -> None:
    path = file(tmp_path, json.dumps({"a": {"b": "dark"}}))
    dark = {"key": ["a", "b"], "method": "re", "ref": "dark"}
    assert check_json(path, {"expect": [dark]}) == 1
    assert check_json(path, {"unexpect": [dark]}) == 0
    assert check_json(path, {"expect": [dark | {"key": ["a", "b", "c"]}]}) == 0
    assert check_json(file(tmp_path, "a:\n  b: dark\n"), {"expect": [dark]}, is_yaml=True) == 1
    for content in ("{", "[" * 100_000, NO_TEXT, ""):
        assert check_json(file(tmp_path, content), {"expect": [dark]}) == 0


def test_what_is_not_there_is_not_unwanted(tmp_path: Path) -> None:
    rules = {"unexpect": [{"key": ["theme"], "method": "re", "ref": "dark"}]}
    assert check_json(file(tmp_path, "{}"), rules) == 1
    assert check_json_compat(file(tmp_path, "{}"), rules) == 0


def test_json_objects() -> None:
    assert check_direct_json_object({"a": 1, "b": 2}, {"expected": {"a": 1}}) == 1
    assert check_direct_json_object({"a": 2}, {"expected": {"a": 1}}) == 0
    assert check_direct_json_object("Traceback", {"expected": {"a": 1}}) == 0
    offered = {"expected": {"a": ["x", "y"], "b": "z"}, "expect_in_result": True}
    assert check_direct_json_object("{'a': 'y', 'b': 'xyz'}", offered) == 1
    assert check_direct_json_object({"a": "x"}, offered) == 0
    with pytest.raises(ValueError, match="must be an object"):
        check_direct_json_object({}, {"expected": ["a"]})


def test_lists_in_any_order_where_the_rules_say_so() -> None:
    rules = {"expected": {"a": ["x", "y"]}, "ignore_list_order": True}
    assert check_direct_json_object({"a": ["y", "x"]}, rules) == 1
    assert check_direct_json_object({"a": ["y", "x", "x"]}, rules) == 0
    assert check_direct_json_object_compat({"a": ["y", "x"]}, rules) == 0


def test_an_apostrophe_is_no_quote() -> None:
    rules = {"expected": {"a": "it's"}}
    assert check_direct_json_object('{"a": "it\'s"}', rules) == 1
    with pytest.raises(ValueError, match="Expecting"):
        check_direct_json_object_compat('{"a": "it\'s"}', rules)


def test_the_result_includes_what_is_expected(tmp_path: Path) -> None:
    less, more = file(tmp_path, '{"a": 1}'), file(tmp_path, '{"a": 1, "b": 2}', "b")
    assert is_included_all_json_objects(more, less) == 1
    assert is_included_all_json_objects(less, more) == 0
    assert is_included_all_json_objects_compat(less, more) == 1
    assert is_included_all_json_objects(file(tmp_path, "{"), more) == 0


@given(st.text())
def test_any_answer_is_no_error(text: str) -> None:
    assert check_direct_json_object(text, {"expected": {"a": "\0"}}) == 0
