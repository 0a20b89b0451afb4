"""Records in an app's state: lists of JSON objects that have ids."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from envs.gyms.server.gym import NotFound, State

Item = dict[str, Any]


def get_record(state: State, kind: str, key: str) -> Item:
    """The record with this id in the list that is called `kind`. Raises NotFound."""
    for item in state[kind]:
        if item["id"] == key:
            record: Item = item
            return record
    raise NotFound(f"There is no such thing in {kind}: {key[:20]}")


def next_id(items: Iterable[Item], prefix: str) -> str:
    """Beyond all that there are: "m13" after "m12"."""
    ends = (item["id"][len(prefix) :] for item in items)
    return f"{prefix}{max((int(end) for end in ends if end.isdecimal()), default=0) + 1}"
