"""What mail allows with its rules, which act on incoming messages.

Each function changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

from envs.gyms.apps.mail.rules_messages import apply_action, move
from envs.gyms.apps.mail.vocabulary import (
    DRAFTS,
    EFFECTS,
    FIELDS,
    INBOX,
    LABEL,
    LABELS,
    MOVE,
    SENT,
    Item,
)
from envs.gyms.kit.records import get_record, next_id
from envs.gyms.server.gym import Refused, State


def rule_name(state: State, rule: Item) -> str:
    """What a rule does, in words."""
    effect = {MOVE: "move to", LABEL: "label"}.get(rule["does"], "star")
    target = (
        get_record(state, "folders", rule["folder"])["name"] if rule["folder"] else rule["label"]
    )
    return f"{rule['field']} contains {rule['text']}: {effect} {target}".strip()


def save_rule(state: State, values: Item, key: str | None = None) -> Item:
    """Creates a rule, or changes the one with the id `key`.

    `values` has field, text, does, folder and label."""
    text = values["text"]
    if values["field"] not in FIELDS or values["does"] not in EFFECTS:
        raise Refused("Choose one: Look at, Then")
    if len(text) < 3:
        raise Refused("Contains must have at least 3 letters")
    folder = values["folder"] if values["does"] == MOVE else ""
    label = values["label"] if values["does"] == LABEL else ""
    if values["does"] == MOVE and (not folder or folder in (SENT, DRAFTS)):
        raise Refused("A rule that moves needs a folder: choose one")
    if folder:
        get_record(state, "folders", folder)
    if values["does"] == LABEL and label not in LABELS:
        raise Refused("A rule that sets a label needs one: choose it")
    fields = {
        "field": values["field"],
        "text": text,
        "does": values["does"],
        "folder": folder,
        "label": label,
    }
    for rule in state["rules"]:
        if rule["id"] != key and all(rule[name] == value for name, value in fields.items()):
            raise Refused("There is such a rule already")
    if key is not None:
        changed = get_record(state, "rules", key)
        changed |= fields
        return changed
    created = {"id": next_id(state["rules"], "r"), **fields, "active": True}
    state["rules"].append(created)
    return created


def delete_rule(state: State, key: str) -> None:
    """Messages stay where the rule has put them."""
    deleted = get_record(state, "rules", key)
    state["rules"] = [rule for rule in state["rules"] if rule is not deleted]


def set_rule_active(state: State, key: str, active: bool) -> None:
    """Pauses a rule, or resumes it."""
    get_record(state, "rules", key)["active"] = active


def run_rule(state: State, key: str) -> int:
    """Applies a rule to the messages in Inbox; returns to how many."""
    rule = get_record(state, "rules", key)
    if not rule["active"]:
        raise Refused("This rule is paused")
    messages = [m for m in state["messages"] if m["folder"] == INBOX and matches(rule, m)]
    if not messages:
        raise Refused("Nothing in Inbox fits this rule")
    if rule["does"] == MOVE:
        move(state, messages, rule["folder"])
    else:
        verb = "label" if rule["does"] == LABEL else "star"
        apply_action(state, [m["id"] for m in messages], verb, rule["label"])
    return len(messages)


def matches(rule: Item, message: Item) -> bool:
    """Whether a rule's text is in a message's sender or subject, in any case."""
    text = f"{message['name']} {message['email']}"
    if rule["field"] == "Subject":
        text = message["subject"]
    return rule["text"].lower() in text.lower()
