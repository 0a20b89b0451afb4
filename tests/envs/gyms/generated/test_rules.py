"""The rules of generated apps: what they change, and what they refuse."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from envs.gyms.generated import rules
from envs.gyms.generated.schema import AppSchema, Entity, Field, Look, Step
from envs.gyms.server.gym import Refused

PLACE = Entity(
    key="rooms", singular="room", plural="rooms", naming="thing", name_label="Name",
    fields=(Field(key="city", label="City", kind="text"),), count=2,
)  # fmt: skip
WORK = Entity(
    key="visits", singular="visit", plural="visits", naming="code", name_label="Number",
    words=("VI",), states=("open", "ready", "closed"), state="Status", locked=("closed",), count=2,
    steps=(
        Step(key="a", verb="Prepare", sources=("open",), goal="ready"),
        Step(key="b", verb="Close", sources=("ready",), goal="closed", needs="paid"),
    ),
    fields=(
        Field(key="paid", label="Paid", kind="flag"),
        Field(key="room", label="Room", kind="reference", target="rooms"),
    ),
)  # fmt: skip
SCHEMA = AppSchema(
    name="gen-test", seed=0, domain="test", title="Test", entities=(WORK, PLACE),
    look=Look(family="classic", navigation="bar", words={}),
)  # fmt: skip


@pytest.fixture
def state() -> dict[str, Any]:
    return {
        "visits": [
            {"id": "a1", "name": "VI-7", "paid": False, "room": "b1", "state": "open"},
            {"id": "a2", "name": "VI-9", "paid": True, "room": "b1", "state": "closed"},
        ],
        "rooms": [
            {"id": "b1", "name": "Blue room", "city": "Graz"},
            {"id": "b2", "name": "Red room", "city": "Graz"},
        ],
        "starred": ["b2"],
    }


def test_a_new_record_gets_the_next_code_and_the_first_state(state: dict[str, Any]) -> None:
    rules.create_record(SCHEMA, WORK, state, {"paid": True, "room": "b2"})
    assert state["visits"][2] == {
        "id": "a3", "name": "VI-10", "paid": True, "room": "b2", "state": "open",
    }  # fmt: skip


def test_a_name_is_there_once(state: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="There is a room Red room already"):
        rules.create_record(SCHEMA, PLACE, state, {"name": "Red room", "city": "Lyon"})
    with pytest.raises(Refused, match="already"):
        rules.edit_record(SCHEMA, PLACE, state, "b1", {"name": "Red room"})
    rules.edit_record(SCHEMA, PLACE, state, "b1", {"name": "Blue room", "city": "Lyon"})
    assert state["rooms"][0]["city"] == "Lyon"


def test_a_locked_record_cannot_be_edited(state: dict[str, Any]) -> None:
    before = copy.deepcopy(state)
    with pytest.raises(Refused, match="VI-9 is closed") as refusal:
        rules.edit_record(SCHEMA, WORK, state, "a2", {"paid": False})
    assert refusal.value.event == "locked:a2"
    assert state == before


def test_a_step_needs_its_state_and_its_box(state: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="VI-7 is open") as early:
        rules.take_step(SCHEMA, WORK, state, "a1", WORK.step("b"))
    assert early.value.event == "early:a1"
    rules.take_step(SCHEMA, WORK, state, "a1", WORK.step("a"))
    with pytest.raises(Refused, match="Paid is not ticked") as unmet:
        rules.take_step(SCHEMA, WORK, state, "a1", WORK.step("b"))
    assert unmet.value.event == "unmet:a1"
    rules.edit_record(SCHEMA, WORK, state, "a1", {"paid": True})
    rules.take_step(SCHEMA, WORK, state, "a1", WORK.step("b"))
    assert state["visits"][0]["state"] == "closed"


def test_what_others_refer_to_cannot_be_deleted(state: dict[str, Any]) -> None:
    with pytest.raises(Refused, match="2 visits refer to it") as refusal:
        rules.delete_record(SCHEMA, PLACE, state, "b1")
    assert refusal.value.event == "in_use:b1"
    assert rules.delete_record(SCHEMA, PLACE, state, "b2") == "Red room"
    assert [room["id"] for room in state["rooms"]] == ["b1"]
    assert state["starred"] == []


def test_a_mark_is_taken_away_again(state: dict[str, Any]) -> None:
    assert rules.toggle_star(state, "a1")
    assert not rules.toggle_star(state, "a1")
    assert state["starred"] == ["b2"]
