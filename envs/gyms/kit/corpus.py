"""The text of the apps' pages as trees show it, for training a tokenizer."""

from __future__ import annotations

from typing import Any

from envs.gyms.kit.app import App
from envs.gyms.kit.world import W

MAX_TEXTS = 600
FIXED = (
    "button Search",
    "box Search",
    "select Sort",
    "link Next page",
    "link Previous page",
    "button Menu",
    "button Save",
    "link Cancel",
    "text Page 1 of 4",
    "heading Not found",
)


def make_corpus_lines(apps: tuple[App[W], ...], world: W) -> list[str]:
    """The apps' own corpora; else the kit's words, the navigation and the texts in the state."""
    lines = [] if all(app.make_corpus for app in apps) else list(FIXED)
    for app in apps:
        if app.make_corpus is not None:
            lines += app.make_corpus(world)
            continue
        lines += [f"link {label}" for label, _ in app.nav]
        lines += _find_texts(app.make_state(world))[:MAX_TEXTS]
    return lines


def _find_texts(value: Any) -> list[str]:
    """All texts in a state."""
    if isinstance(value, str):
        return [f"text {value}"] if value else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _find_texts(part)]
