"""The text of the apps' pages as trees show it, for training a tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from envs.gyms.gym import State
from envs.gyms.kit.company import Company
from envs.gyms.kit.here import App

MAX_TEXTS = 600
FIXED = (
    "button Search", "box Search", "select Sort", "link Next page", "link Previous page",
    "button Menu", "button Save", "link Cancel", "text Page 1 of 4", "heading Not found",
)  # fmt: skip


def words_of(apps: Sequence[App], world: Company) -> list[str]:
    texts = list(FIXED)
    for app in apps:
        texts += [f"link {label}" for label, _ in app.nav]
        texts += _texts(app.fresh(world))[:MAX_TEXTS]
    return texts


def _texts(value: State | Any) -> list[str]:
    """All texts in a state."""
    if isinstance(value, str):
        return [f"text {value}"] if value else []
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _texts(part)]
