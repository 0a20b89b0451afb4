"""What mail allows with messages."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from envs.gyms.apps.mail import rules_messages as rules
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import NotFound, Refused, State


@pytest.mark.parametrize(
    ("verb", "target", "fields", "flash"),
    [
        ("star", "", {"starred": True}, "Changed: 1"),
        ("read", "", {"unread": False}, "Changed: 1"),
        ("label", "Urgent", {"label": "Urgent"}, "Changed: 1"),
        ("move", "fo1", {"folder": "fo1"}, "Moved to Team: 1"),
        ("trash", "", {"folder": "trash"}, "Moved to Trash: 1"),
        ("spam", "", {"folder": "spam"}, "Moved to Spam: 1"),
    ],
)
def test_actions_change_one_field(
    mailbox: State, verb: str, target: str, fields: dict[str, Any], flash: str
) -> None:
    before = copy.deepcopy(get_record(mailbox, "messages", "m1"))
    assert rules.apply_action(mailbox, ["m1"], verb, target) == flash
    assert get_record(mailbox, "messages", "m1") == before | fields


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: rules.apply_action(s, [], "star"), "at least one"),
        (lambda s: rules.apply_action(s, ["m1"], "move"), "Move to"),
        (lambda s: rules.apply_action(s, ["m1"], "move", "inbox"), "Already in Inbox"),
        (lambda s: rules.apply_action(s, ["m1"], "move", "sent"), "Nothing can be moved to Sent"),
        (lambda s: rules.apply_action(s, ["m1", "m3"], "archive"), "Drafts can only"),
        (lambda s: rules.apply_action(s, ["m1"], "label", "Soon"), "Label"),
        (lambda s: rules.delete_for_good(s, ["m2", "m1"]), "Only messages in Trash"),
    ],
)
def test_what_is_refused_changes_nothing(
    mailbox: State, change: Callable[[State], Any], message: str
) -> None:
    before = copy.deepcopy(mailbox)
    with pytest.raises(Refused, match=message):
        change(mailbox)
    assert mailbox == before


def test_unknown_actions_and_messages(mailbox: State) -> None:
    with pytest.raises(NotFound, match="no such action: burn"):
        rules.apply_action(mailbox, ["m1"], "burn")
    with pytest.raises(NotFound, match="m9"):
        rules.apply_action(mailbox, ["m9"], "star")


def test_trash_is_emptied_once(mailbox: State) -> None:
    rules.empty_trash(mailbox)
    assert [message["id"] for message in mailbox["messages"]] == ["m1", "m3"]
    with pytest.raises(Refused, match="Trash is empty"):
        rules.empty_trash(mailbox)
