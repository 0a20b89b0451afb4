"""Records by id."""

from __future__ import annotations

import pytest

from envs.gyms.kit.records import get_record, next_id
from envs.gyms.server.gym import NotFound


def test_a_record_is_the_one_in_the_state() -> None:
    state = {"notes": [{"id": "n1"}, {"id": "n2"}]}
    assert get_record(state, "notes", "n2") is state["notes"][1]
    with pytest.raises(NotFound, match="no such thing in notes: n3"):
        get_record(state, "notes", "n3")


def test_a_new_id_is_beyond_all() -> None:
    assert next_id([], "m") == "m1"
    assert next_id([{"id": "m2"}, {"id": "m12"}, {"id": "mx"}], "m") == "m13"
