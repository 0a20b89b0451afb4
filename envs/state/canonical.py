"""Canonical JSON state, its hash, and the difference of two states.

Guarantees: equal states hash alike whatever the order of their keys; `diff` reports whatever was
added, removed or changed, by path, and nothing else; lists of entities (dicts with an `id`)
are compared by id, so that their order does not matter. Paths are JSON pointers in which an entity
stands under its id; a `make_patch` is exact, the order of lists included.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal

import orjson


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two states, at a JSON pointer."""

    path: str
    kind: Literal["added", "removed", "changed"]
    before: Any = None
    after: Any = None


def canonical(state: Any) -> bytes:
    """JSON bytes that are equal for equal states: keys sorted."""
    return orjson.dumps(state, option=orjson.OPT_SORT_KEYS)


def state_hash(state: Any) -> str:
    """sha256 of the canonical JSON, in hex."""
    return hashlib.sha256(canonical(state)).hexdigest()


def diff(before: Any, after: Any, ignore: Iterable[str] = ()) -> list[Change]:
    """Changes in path order. `ignore` holds glob patterns of incidental paths ("/log*")."""
    patterns = tuple(ignore)
    changes = [
        change
        for change in _walk("", before, after)
        if not any(fnmatchcase(change.path, pattern) for pattern in patterns)
    ]
    return sorted(changes, key=lambda change: change.path)


def make_patch(before: Any, after: Any) -> Any:
    """What makes `after` of `before`, as JSON: for two objects `{"in": {key: patch}, "out": [key]}`
    with the keys that differ, for anything else `{"is": after}`."""
    if not isinstance(before, dict) or not isinstance(after, dict):
        return {"is": after}
    changed = {
        key: make_patch(before[key], value) if key in before else {"is": value}
        for key, value in after.items()
        if key not in before or canonical(before[key]) != canonical(value)
    }
    return {"in": changed, "out": [key for key in before if key not in after]}


def apply_patch(before: Any, change: Any) -> Any:
    """`before` with a change of `make_patch`; shares its unchanged parts. Raises ValueError for a
    change that `make_patch` did not make of this `before`."""
    match change:
        case {"is": after}:
            return after
        case {"in": dict(inside), "out": list(gone)} if isinstance(before, dict):
            kept = {key: value for key, value in before.items() if key not in gone}
            return kept | {key: apply_patch(kept.get(key), value) for key, value in inside.items()}
    raise ValueError("the change does not fit this state: it was made from another one")


def apply_changes(state: Any, changes: Iterable[Change]) -> Any:
    """The state that has these changes of `diff`, made of `state`, which may be changed by it:
    `diff(apply_changes(before, diff(before, after)), after)` is empty. Raises KeyError for a change
    of what is not there."""
    ordered = sorted(changes, key=_by_place)
    kept = [change for change in ordered if change.kind != "removed"]
    # From the end, so that the places of a list's earlier entries hold while later ones go.
    removed = [change for change in reversed(ordered) if change.kind == "removed"]
    for change in [*kept, *removed]:
        if change.path == "/":
            state = change.after
            continue
        *way, last = [_unescape(token) for token in change.path[1:].split("/")]
        holder = state
        for token in way:
            holder = holder[_key(holder, token)]
        if change.kind == "removed":
            del holder[_key(holder, last)]
        elif isinstance(holder, list) and change.kind == "added":
            holder.append(change.after)
        else:
            holder[last if isinstance(holder, dict) else _key(holder, last)] = change.after
    return state


def _by_place(change: Change) -> list[tuple[int, str]]:
    """Places of a list in their order: 10 after 9."""
    return [(len(token) if token.isdigit() else 0, token) for token in change.path.split("/")]


def _unescape(token: str) -> str:
    return token.replace("~1", "/").replace("~0", "~")


def _key(holder: Any, token: str) -> Any:
    """What stands for a token of a path in this object or list. Raises KeyError."""
    if not isinstance(holder, list):
        return token
    for index, item in enumerate(holder):
        if isinstance(item, dict) and str(item.get("id")) == token:
            return index
    if token.isdigit() and int(token) < len(holder):
        return int(token)
    raise KeyError(f"there is no {token!r} in the list")


def _walk(path: str, before: Any, after: Any) -> Iterator[Change]:
    left, right = _children(before), _children(after)
    if left is None or right is None or type(before) is not type(after):
        if type(before) is not type(after) or before != after:
            yield Change(path or "/", "changed", before, after)
        return
    for key in left.keys() | right.keys():
        child = f"{path}/{key.replace('~', '~0').replace('/', '~1')}"
        if key not in right:
            yield Change(child, "removed", before=left[key])
        elif key not in left:
            yield Change(child, "added", after=right[key])
        else:
            yield from _walk(child, left[key], right[key])


def _children(value: Any) -> dict[str, Any] | None:
    if isinstance(value, dict):
        return {str(key): child for key, child in value.items()}
    if isinstance(value, list):
        if value and all(isinstance(item, dict) and "id" in item for item in value):
            by_id = {str(item["id"]): item for item in value}
            if len(by_id) == len(value):
                return by_id
        return {str(index): child for index, child in enumerate(value)}
    return None
