"""What mail allows with its rules."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from envs.gyms.apps.mail import rules_filters as rules
from envs.gyms.apps.mail.vocabulary import LABEL, MOVE, STAR
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State

FIELDS = {"field": "Subject", "text": "Budget", "does": STAR, "folder": "fo1", "label": "Urgent"}


@pytest.mark.parametrize(
    ("does", "name"),
    [
        (MOVE, "Subject contains Budget: move to Team"),
        (LABEL, "Subject contains Budget: label Urgent"),
        (STAR, "Subject contains Budget: star"),
    ],
)
def test_only_what_the_effect_needs_is_kept(mailbox: State, does: str, name: str) -> None:
    rule = rules.save_rule(mailbox, FIELDS | {"does": does})
    assert (rule["id"], rule["active"]) == ("r2", True)
    assert rules.rule_name(mailbox, rule) == name
    assert rules.save_rule(mailbox, FIELDS | {"text": "Plan"}, "r2")["text"] == "Plan"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"field": "Body"}, "Look at"),
        ({"text": "ab"}, "at least 3 letters"),
        ({"does": MOVE, "folder": ""}, "needs a folder"),
        ({"does": MOVE, "folder": "sent"}, "needs a folder"),
        ({"does": LABEL, "label": "Soon"}, "needs one"),
        ({"field": "Sender", "text": "bo@", "does": MOVE}, "such a rule already"),
    ],
)
def test_what_is_refused_changes_nothing(
    mailbox: State, changes: dict[str, Any], message: str
) -> None:
    before = copy.deepcopy(mailbox)
    with pytest.raises(Refused, match=message):
        rules.save_rule(mailbox, FIELDS | changes)
    assert mailbox == before


def test_a_rule_acts_on_inbox_once(mailbox: State) -> None:
    assert rules.run_rule(mailbox, "r1") == 1
    assert get_record(mailbox, "messages", "m1")["folder"] == "fo1"
    with pytest.raises(Refused, match="Nothing in Inbox fits"):
        rules.run_rule(mailbox, "r1")
    rules.set_rule_active(mailbox, "r1", False)
    with pytest.raises(Refused, match="paused"):
        rules.run_rule(mailbox, "r1")
    rules.delete_rule(mailbox, "r1")
    assert mailbox["rules"] == []


def test_rules_look_at_sender_or_subject(mailbox: State) -> None:
    message = get_record(mailbox, "messages", "m1")
    assert rules.matches({"field": "Sender", "text": "BO LEE"}, message)
    assert not rules.matches({"field": "Subject", "text": "Bo"}, message)
    assert rules.matches({"field": "Subject", "text": "subject 1"}, message)
