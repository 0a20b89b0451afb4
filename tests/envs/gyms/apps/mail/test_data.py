"""Mail's state in the world of a seed."""

from __future__ import annotations

import pytest

from envs.gyms.apps.mail.data import make_state
from envs.gyms.apps.mail.vocabulary import DRAFTS, SENT
from envs.gyms.kit.company import get_company


@pytest.mark.parametrize("seed", [0, 7, 10**9])
def test_a_seed_keeps_what_tasks_rely_on(seed: int) -> None:
    world = get_company(seed)
    state = make_state(world)
    assert state == make_state(world)
    assert 150 < len(state["messages"]) < 300
    moments = [message["at"] for message in state["messages"]]
    assert len(set(moments)) == len(moments), "the newest message is unique"
    folders = {folder["id"] for folder in state["folders"]}
    assert {message["folder"] for message in state["messages"]} <= folders
    texts = [rule["text"] for rule in state["rules"]]
    assert len(set(texts)) == len(texts)
    used = {rule["folder"] for rule in state["rules"] if rule["folder"]}
    assert used < {folder["id"] for folder in state["folders"] if folder["own"]}


def test_own_messages_are_read() -> None:
    state = make_state(get_company(1))
    own = [m for m in state["messages"] if m["folder"] in (SENT, DRAFTS)]
    assert own
    assert {message["email"] for message in own} == {state["me"]}
    assert not any(message["unread"] or message["label"] for message in own)
