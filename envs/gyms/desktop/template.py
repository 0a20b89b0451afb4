"""How a desktop task is written: a function from a seeded generator to a draft.

A draft is data in OSWorld's format: setup steps, evaluator, and the oracle's actions. The evaluator
is strict: what the task asks for must be there, and nothing else may have changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
HOME = "/home/user"
DOCUMENTS = f"{HOME}/Documents"


@dataclass(frozen=True, slots=True)
class Draft:
    """`api` and `gui` are the oracle's actions (envs.actions as JSON; a target may be
    {"named": "Save", "role": "button"}); `gui` None where no person would use the GUI. `over`:
    edits of files, as {"path", "append": text}, that a verifier must notice, beyond the generic
    ones."""

    instruction: str
    config: Sequence[Json]
    evaluator: Json
    api: Sequence[Json]
    gui: Sequence[Json] | None = None
    over: Sequence[Json] = ()


@dataclass(frozen=True, slots=True)
class Template:
    name: str
    apps: tuple[str, ...]
    draw: Callable[[random.Random], Draft]
    max_steps: int


TEMPLATES: dict[str, Template] = {}


def template(
    *apps: str, max_steps: int = 15
) -> Callable[[Callable[[random.Random], Draft]], Callable[[random.Random], Draft]]:
    """Registers a function under its own name; `apps` as OSWorld's related_apps."""

    def register(draw: Callable[[random.Random], Draft]) -> Callable[[random.Random], Draft]:
        name = draw.__name__
        if name in TEMPLATES:
            raise ValueError(f"there are two templates {name}")
        TEMPLATES[name] = Template(name, apps, draw, max_steps)
        return draw

    return register


def tool(name: str, /, **arguments: Any) -> Json:
    """An oracle's tool action."""
    return {"type": "tool", "name": name, "arguments": arguments}


def click(named: str, role: str | None = None, **more: Any) -> Json:
    target = {"named": named} | ({"role": role} if role else {})
    return {"type": "click", "target": target, **more}


def key(*keys: str) -> Json:
    return {"type": "key", "keys": list(keys)}


def typed(text: str, submit: bool = False) -> Json:
    """Text typed where the focus is."""
    return {"type": "type", "text": text, "submit": submit}


def wait(ms: int) -> Json:
    return {"type": "wait", "ms": ms}


def done(answer: str | None = None) -> Json:
    return {"type": "done"} if answer is None else {"type": "done", "answer": answer}


def both(*parts: Mapping[str, Any]) -> Json:
    """An evaluator that wants every part: each {"func", "result", "expected"?, "options"?}."""
    return {
        "func": [part["func"] for part in parts],
        "result": [part["result"] for part in parts],
        "expected": [part.get("expected") for part in parts],
        "options": [part.get("options") or {} for part in parts],
        "conj": "and",
    }


def check(func: str, path: str, rules: Any, **options: Any) -> Json:
    """One part of an evaluator: a metric on a file of the machine."""
    return {
        "func": func,
        "result": {"type": "vm_file", "path": path},
        "expected": {"type": "rule", "rules": rules},
        "options": options,
    }


def nothing_else(
    added: Sequence[str] = (), changed: Sequence[str] = (), removed: Sequence[str] = ()
) -> Json:
    """One part of an evaluator: no other file of the home folder was touched."""
    rules = {
        kind: [path.removeprefix(f"{HOME}/") for path in paths]
        for kind, paths in (("added", added), ("changed", changed), ("removed", removed))
    }
    return {
        "func": "only_changed",
        "result": {"type": "home_changes"},
        "expected": {"type": "rule", "rules": rules},
    }


def said(expected: str | float | Sequence[str], tolerance: float = 0) -> Json:
    """One part of an evaluator: the agent's answer."""
    return {
        "func": "same_answer",
        "result": {"type": "answer"},
        "expected": {"type": "rule", "rules": {"expected": expected, "tolerance": tolerance}},
    }
