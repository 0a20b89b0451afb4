"""Metrics of JSON and YAML: files, and objects that a getter or a program gave."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from envs.osworld.outside.published.error_policy import scores_0_on
from envs.osworld.outside.published.value_rules import fulfils, fulfils_compat

Rule = Mapping[str, Any]
NOT_TO_BE_HAD = "__EVALUATION_FAILED__"
"""What a getter gives when the expected value itself could not be found."""
_NOTHING = object()


def check_json(result: Path, rules: Mapping[str, Sequence[Rule]], is_yaml: bool = False) -> float:
    """1 when the value at each `key` (a path of names) fulfils its rule of `expect`, and none
    fulfils one of `unexpect`."""
    stored = _read_file(result, is_yaml)
    if stored is None:
        return 0.0

    def holds(rule: Rule) -> bool:
        value = _at(stored, rule["key"])
        return value is not _NOTHING and fulfils(value, rule)

    return float(
        all(holds(rule) for rule in rules.get("expect", ()))
        and not any(holds(rule) for rule in rules.get("unexpect", ()))
    )


def check_json_compat(
    result: Path, rules: Mapping[str, Sequence[Rule]], is_yaml: bool = False
) -> float:
    """A rule that the value is of no kind for scores 0, of `unexpect` too; what is not there counts
    as null."""
    stored = _read_file(result, is_yaml)
    if stored is None and is_yaml:
        return 0.0
    try:
        for rule in rules.get("expect", ()):
            value = _at(stored, rule["key"])
            if value is _NOTHING or not fulfils_compat(value, rule):
                return 0.0
        for rule in rules.get("unexpect", ()):
            value = _at(stored, rule["key"], (KeyError, TypeError))
            if fulfils_compat(None if value is _NOTHING else value, rule):
                return 0.0
    except (TypeError, AttributeError, ValueError, IndexError):
        return 0.0
    return 1.0


def check_direct_json_object(result: Any, rules: Mapping[str, Any]) -> float:
    """1 when the object has each value of `expected` under its name; more names do not matter.

    `expect_in_result`: of a list, one of its values is enough; a text may be within a longer one.
    `ignore_list_order`: lists are equal in any order. A text is read as JSON, single quotes or
    double.
    """
    expected = rules["expected"]
    if not isinstance(expected, Mapping):
        raise ValueError("'expected' must be an object")
    data = _read(result) if isinstance(result, str) else result
    if not isinstance(data, Mapping) or NOT_TO_BE_HAD in expected.values():
        return 0.0
    same: Callable[[Any, Any], bool] = operator.eq
    if rules.get("expect_in_result"):
        same = _is_among
    elif rules.get("ignore_list_order"):
        same = _equal_in_any_order
    return float(all(same(data.get(name), value) for name, value in expected.items()))


def check_direct_json_object_compat(result: Any, rules: Mapping[str, Any]) -> float:
    """Single quotes always become double ones. `ignore_list_order` is looked for in `expected`,
    where it is compared as well and so fails."""
    data = json.loads(result.strip().replace("'", '"')) if isinstance(result, str) else result
    expected = rules.get("expected")
    if data is None or not isinstance(expected, Mapping) or NOT_TO_BE_HAD in expected.values():
        return 0.0
    if not expected:
        return 1.0
    if not isinstance(data, Mapping) or expected.get("ignore_list_order"):
        return 0.0
    same = _offers_text if rules.get("expect_in_result") else operator.eq
    return float(all(same(data.get(name), value) for name, value in expected.items()))


@scores_0_on(ValueError, RecursionError)
def is_included_all_json_objects(result: Path, expected: Path) -> float:
    """1 when the file has each value of `expected` under its name; more names do not matter."""
    actual, target = (json.loads(path.read_text(encoding="utf-8")) for path in (result, expected))
    return float(isinstance(actual, dict) and _includes(actual, target))


def is_included_all_json_objects_compat(result: Path, expected: Path) -> float:
    """The other way round: `expected` may have more names."""
    actual, target = (json.loads(path.read_text(encoding="utf-8")) for path in (result, expected))
    return float(_includes(target, actual))


def _includes(whole: Mapping[str, Any], part: Mapping[str, Any]) -> bool:
    return all(name in whole and whole[name] == value for name, value in part.items())


def _read_file(path: Path, is_yaml: bool) -> Any:
    """None also for what cannot be read."""
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        return yaml.safe_load(text) if is_yaml else json.loads(text)
    except (ValueError, yaml.YAMLError, RecursionError):
        return None


def _at(
    stored: Any,
    key: Sequence[str | int],
    missing: tuple[type[Exception], ...] = (KeyError, IndexError, TypeError),
) -> Any:
    """`_NOTHING` where a step raises one of `missing`."""
    for part in key:
        try:
            stored = stored[part]
        except missing:
            return _NOTHING
    return stored


def _read(text: str) -> Any:
    for written in (text, text.replace("'", '"')):
        try:
            return json.loads(written)
        except (ValueError, RecursionError):
            continue
    return None


def _is_among(value: Any, expected: Any) -> bool:
    if isinstance(expected, list):
        return any(
            choice == value or (isinstance(value, list) and choice in value) for choice in expected
        )
    if isinstance(expected, str) and isinstance(value, str | list):
        return expected in value
    return bool(value == expected)


def _offers_text(value: Any, expected: Any) -> bool:
    """Of texts and lists only."""
    return (
        isinstance(expected, str | list)
        and isinstance(value, str | list)
        and _is_among(value, expected)
    )


def _equal_in_any_order(value: Any, expected: Any) -> bool:
    if isinstance(value, list) and isinstance(expected, list):
        return sorted(map(repr, value)) == sorted(map(repr, expected))
    return bool(value == expected)
