"""Parts of evaluators in OSWorld's format: each {"func", "result", "expected"?, "options"?}."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tasksets.desktop.template import HOME, Json


def all_of(*parts: Mapping[str, Any]) -> Json:
    """An evaluator that requires every part."""
    return {
        "func": [part["func"] for part in parts],
        "result": [part["result"] for part in parts],
        "expected": [part.get("expected") for part in parts],
        "options": [part.get("options") or {} for part in parts],
        "conj": "and",
    }


def check_file(func: str, path: str, rules: Any, **options: Any) -> Json:
    """A metric on one file of the machine."""
    return {
        "func": func,
        "result": {"type": "vm_file", "path": path},
        "expected": {"type": "rule", "rules": rules},
        "options": options,
    }


def folder_is(path: str, files: Mapping[str, str | None]) -> Json:
    """A folder holds exactly these text files and folders (text None)."""
    return {
        "func": "folder_is",
        "result": {"type": "vm_folder", "path": path},
        "expected": {"type": "rule", "rules": files},
    }


def mail_is(folders: Mapping[str, Sequence[Json]]) -> Json:
    """The mail folders hold exactly these messages."""
    return {
        "func": "mail_is",
        "result": {"type": "mailboxes"},
        "expected": {"type": "rule", "rules": folders},
    }


def exact_match(result: Json, expected: Any) -> Json:
    """What a getter returns equals a value."""
    return {
        "func": "exact_match",
        "result": result,
        "expected": {"type": "rule", "rules": {"expected": expected}},
    }


def answer_is(expected: str | float | Sequence[str], tolerance: float = 0) -> Json:
    """The agent's answer; of several texts any one."""
    return {
        "func": "same_answer",
        "result": {"type": "answer"},
        "expected": {"type": "rule", "rules": {"expected": expected, "tolerance": tolerance}},
    }


def only_changed(
    added: Sequence[str] = (), changed: Sequence[str] = (), removed: Sequence[str] = ()
) -> Json:
    """No other file of the home folder than these was touched; absolute paths."""
    rules = {
        kind: [path.removeprefix(f"{HOME}/") for path in paths]
        for kind, paths in (("added", added), ("changed", changed), ("removed", removed))
    }
    return {
        "func": "only_changed",
        "result": {"type": "home_changes"},
        "expected": {"type": "rule", "rules": rules},
    }
