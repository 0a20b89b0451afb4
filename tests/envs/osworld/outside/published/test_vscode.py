"""Metrics of VS Code: settings, bindings, extensions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from envs.osworld.outside.published.vscode import (
    check_html_background_image,
    check_html_background_image_compat,
    check_json_keybindings,
    check_json_keybindings_compat,
    check_json_settings,
    check_json_settings_compat,
    compare_answer,
    compare_config,
    compare_config_compat,
    is_extension_installed,
    is_extension_installed_compat,
)

BINDING = {"key": "ctrl+j", "command": "focus"}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "file"


def test_a_binding_stands_among_others(file: Path) -> None:
    file.write_text(json.dumps([{"key": "a"}, BINDING]))
    assert check_json_keybindings(file, {"expected": BINDING}) == 1
    assert check_json_keybindings(file, {"expected": {"key": "ctrl+j"}}) == 0


def test_bindings_may_have_comments(file: Path) -> None:
    file.write_text(f"// one\n// two\n[{json.dumps(BINDING)},]")
    assert check_json_keybindings(file, {"expected": BINDING}) == 1
    assert check_json_keybindings_compat(file, {"expected": BINDING}) == 0
    file.write_text(f"// one\n[{json.dumps(BINDING)}]")
    assert check_json_keybindings_compat(file, {"expected": BINDING}) == 1


def test_settings_have_these_values_and_more(file: Path) -> None:
    file.write_text('{"a": 1, "b": [true]}')
    assert check_json_settings(file, {"expected": {"b": [True]}}) == 1
    assert check_json_settings(file, {"expected": {"a": 2}}) == 0
    assert check_json_settings(file, {"expected": {"c": None}}) == 0


def test_settings_may_have_comments(file: Path) -> None:
    file.write_text('{\n  // width\n  "a": 1,\n}')
    assert check_json_settings(file, {"expected": {"a": 1}}) == 1
    assert check_json_settings_compat(file, {"expected": {"a": 1}}) == 0


@pytest.mark.parametrize("content", [b"", b"5", b"[]", b"\xff", b'{"a": 1'])
def test_broken_settings_score_nothing(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    assert check_json_settings(file, {"expected": {"a": 1}}) == 0
    assert check_json_keybindings(file, {"expected": BINDING}) == 0
    assert compare_config(file, {"expected": "project"}) == 0


def test_settings_that_are_a_number_are_an_error_upstream(file: Path) -> None:
    file.write_text("5")
    with pytest.raises(TypeError):
        check_json_settings_compat(file, {"expected": {"a": 1}})


def test_a_config_is_the_text_as_it_is(file: Path) -> None:
    file.write_text("project")
    assert compare_config(file, {"expected": "project"}) == 1
    assert compare_config(file, {"expected": "proj"}) == 0
    assert compare_config(file, {"expected": "proj"}, containment_ok=True) == 1


def test_a_config_may_contain_the_settings(file: Path) -> None:
    file.write_text('{\n  "theme": "Dark", // mine\n  "other": 1\n}')
    rules = {"expected": '{"theme": "Dark"}\n'}
    assert compare_config(file, rules, containment_ok=True) == 1
    assert compare_config(file, {"expected": '{"theme": "Red"}'}, containment_ok=True) == 0
    assert compare_config(file, rules) == 0
    assert compare_config_compat(file, rules, containment_ok=True) == 0


def test_an_answer_is_the_same_text() -> None:
    assert compare_answer("42", {"expected": "42"}) == 1
    assert compare_answer("", {"expected": ""}) == 0


def test_an_extension_is_a_whole_line() -> None:
    there = {"type": "contain", "expected": "test.py"}
    assert is_extension_installed("/home:\ntest.py\n", there) == 1
    assert is_extension_installed("mytest.py\n", there) == 0
    assert is_extension_installed_compat("mytest.py\n", there) == 1
    assert is_extension_installed("mytest.py\n", {**there, "type": "not_contain"}) == 1


def test_an_unknown_rule_is_an_error() -> None:
    rule = {"type": "has", "expected": "a"}
    with pytest.raises(ValueError, match="'has'"):
        is_extension_installed("a", rule)
    with pytest.raises(NotImplementedError):
        is_extension_installed_compat("a", rule)


@pytest.mark.parametrize(
    "page",
    [
        "<style>body { background-image: url('bg.png') }</style>",
        "<style>body { background: #fff url(bg.png) }</style>",
        '<body style="background-image:url(&quot;bg.png&quot;)">',
    ],
)
def test_a_background_is_an_image(file: Path, page: str) -> None:
    file.write_text(page)
    assert check_html_background_image(file, {"value": "bg.png"}) == 1
    assert check_html_background_image(file, {"value": "g.png"}) == 0
    assert check_html_background_image_compat(file, {"value": "bg.png"}) == ("url('" in page)


def test_an_image_elsewhere_is_no_background(file: Path) -> None:
    file.write_text("<style>li { list-style-image: url('bg.png') }</style><img src='bg.png'>")
    assert check_html_background_image(file, {"value": "bg.png"}) == 0
