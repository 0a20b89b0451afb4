"""OSWorld's metrics of VS Code's settings, of what its commands print, and of an HTML page."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from envs.osworld.outside.published.error_policy import Unreadable, read_text, unreadable_scores_0
from envs.osworld.outside.published.jsonc import parse_jsonc, read_jsonc

BACKGROUND = r"background(?:-image)?\s*:[^;{{}}]*url\(\s*(['\"]?){value}\1\s*\)"


@unreadable_scores_0
def check_json_keybindings(result: Path, expected: Mapping[str, Any], **options: Any) -> float:
    """1 when this binding, with these keys and no others, is one of the file's."""
    bindings = read_jsonc(result)
    return float(isinstance(bindings, list) and expected["expected"] in bindings)


def check_json_keybindings_compat(
    result: Path, expected: Mapping[str, Any], **options: Any
) -> float:
    """A comment is understood only as the whole first line."""
    try:
        text = result.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return 0.0
    for part in (text, text.partition("\n")[2]):
        bindings = _json(part)
        if isinstance(bindings, list):
            return float(expected["expected"] in bindings)
    return 0.0


@unreadable_scores_0
def check_json_settings(result: Path, expected: Mapping[str, Any], **options: Any) -> float:
    """1 when the settings have these values; they may have more."""
    return _has(read_jsonc(result), expected["expected"])


def check_json_settings_compat(result: Path, expected: Mapping[str, Any], **options: Any) -> float:
    """Settings with a comment or a trailing comma score 0. Raises TypeError for a file that holds
    a number."""
    try:
        settings = json.loads(result.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return 0.0
    target = expected["expected"]
    return float(all(key in settings and settings[key] == target[key] for key in target))


@unreadable_scores_0
def compare_config(result: Path, expected: Mapping[str, str], **options: Any) -> float:
    """1 when the file is this text. With the option `containment_ok` it may hold more: settings in
    JSON, if the text is an object, otherwise text."""
    actual, target = read_text(result), expected["expected"]
    if actual == target or not options.get("containment_ok"):
        return float(actual == target)
    try:
        settings = parse_jsonc(target)
    except Unreadable:
        return float(target.strip() in actual)
    return _has(parse_jsonc(actual), settings)


def compare_config_compat(result: Path, expected: Mapping[str, str], **options: Any) -> float:
    """The text as it is, whatever the options say. Raises UnicodeDecodeError."""
    return float(result.read_text(encoding="utf-8") == expected["expected"])


def compare_answer(result: str, expected: Mapping[str, str], **options: Any) -> float:
    """1 when both are the same text, and not empty."""
    return float(bool(result) and result == expected["expected"])


def is_extension_installed(result: str, expected: Mapping[str, str], **options: Any) -> float:
    """1 when a line of the printed list is this name ("contain"), or none is ("not_contain")."""
    listed = expected["expected"] in (line.strip() for line in result.splitlines())
    if expected["type"] not in ("contain", "not_contain"):
        raise ValueError(f"type is {expected['type']!r}, not 'contain' or 'not_contain'")
    return float(listed == (expected["type"] == "contain"))


def is_extension_installed_compat(
    result: str, expected: Mapping[str, str], **options: Any
) -> float:
    """Looks for the name anywhere, within another too. Raises NotImplementedError."""
    if expected["type"] not in ("contain", "not_contain"):
        raise NotImplementedError
    return float((expected["expected"] in result) == (expected["type"] == "contain"))


@unreadable_scores_0
def check_html_background_image(result: Path, expected: Mapping[str, str]) -> float:
    """1 when a style of the page, in <style> or in an element, has this background image."""
    from bs4 import BeautifulSoup

    page = BeautifulSoup(read_text(result), "html.parser")
    styles = [style.text for style in page.find_all("style")]
    styles += [str(element["style"]) for element in page.find_all(style=True)]
    declared = re.compile(BACKGROUND.format(value=re.escape(expected["value"])), re.IGNORECASE)
    return float(any(map(declared.search, styles)))


def check_html_background_image_compat(result: Path, expected: Mapping[str, str]) -> float:
    """Only in <style>, with single quotes and one space. Raises UnicodeDecodeError."""
    from bs4 import BeautifulSoup

    page = BeautifulSoup(result.read_text(encoding="utf-8"), "html.parser")
    declared = f"background-image: url('{expected['value']}')"
    return float(any(declared in style.text for style in page.find_all("style")))


def _has(actual: Any, expected: Mapping[str, Any]) -> float:
    return float(
        isinstance(actual, dict)
        and all(key in actual and actual[key] == expected[key] for key in expected)
    )


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
