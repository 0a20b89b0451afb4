"""How two configurations of one kind differ."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel


def changed_keys(before: BaseModel, now: BaseModel) -> dict[str, tuple[Any, Any]]:
    """Old and new values by full key."""
    changes: dict[str, tuple[Any, Any]] = {}
    for name in type(now).model_fields:
        old, new = getattr(before, name), getattr(now, name)
        if old == new:
            continue
        if isinstance(old, BaseModel) and type(old) is type(new):
            changes |= {f"{name}.{key}": pair for key, pair in changed_keys(old, new).items()}
        else:
            changes[name] = (old, new)
    return changes


def describe_changes(changes: dict[str, tuple[Any, Any]]) -> str:
    """For a message: each key with both values."""
    return ", ".join(f"{key} ({old!r} then, {new!r} now)" for key, (old, new) in changes.items())
