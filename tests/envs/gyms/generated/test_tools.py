"""Site tools of generated apps: they can do what pages can, and no more."""

from __future__ import annotations

from typing import Any

import pytest

from envs.gyms.generated.initial_state import make_state
from envs.gyms.generated.make_schema import make_schema
from envs.gyms.generated.tools import make_tools
from envs.gyms.kit.company import get_company
from envs.gyms.server.gym import Refused

SCHEMA = make_schema("gen-0003", 3)
WORLD = get_company(5)
TOOLS = {tool.name.partition(".")[2]: tool for tool in make_tools(SCHEMA)}
ENTITY = SCHEMA.entities[0]


def _call(name: str, state: dict[str, Any], **arguments: Any) -> tuple[Any, list[str]]:
    events: list[str] = []
    return TOOLS[name].call(WORLD, state, arguments, events.append), events


def test_records_are_looked_up_by_a_part_of_their_name() -> None:
    state = make_state(SCHEMA, WORLD)
    record = state[ENTITY.key][0]
    hits, events = _call("find", state, kind=ENTITY.key, text=record["name"].upper())
    assert record in hits
    assert f"record:{record['id']}" in events
    with pytest.raises(Refused, match="there is no kind 'cars'"):
        _call("find", state, kind="cars")


def test_a_change_goes_through_the_rules() -> None:
    state = make_state(SCHEMA, WORLD)
    key = state[ENTITY.key][0]["id"]
    money = next(field for field in ENTITY.fields if field.kind == "money")
    _call("edit", state, kind=ENTITY.key, key=key, fields={money.key: 12345})
    assert state[ENTITY.key][0][money.key] == 12345
    with pytest.raises(Refused, match="must be an amount"):
        _call("edit", state, kind=ENTITY.key, key=key, fields={money.key: -5})
    with pytest.raises(Refused, match="there is no field 'state'"):
        _call("edit", state, kind=ENTITY.key, key=key, fields={"state": "over"})
    with pytest.raises(Refused, match="There is no such thing"):
        _call("edit", state, kind=ENTITY.key, key="z9", fields={})


def test_a_step_is_known_by_its_verb() -> None:
    state = make_state(SCHEMA, WORLD)
    step = ENTITY.steps[0]
    record = next(item for item in state[ENTITY.key] if item["state"] == step.sources[0])
    _call("take", state, kind=ENTITY.key, key=record["id"], step=step.verb)
    kept = next(item for item in state[ENTITY.key] if item["id"] == record["id"])
    assert kept["state"] == step.goal
    with pytest.raises(Refused, match="there is no step"):
        _call("take", state, kind=ENTITY.key, key=record["id"], step="Explode")


def test_what_is_missing_in_a_new_record_is_named() -> None:
    state = make_state(SCHEMA, WORLD)
    with pytest.raises(Refused, match="is required"):
        _call("create", state, kind=ENTITY.key, fields={})
