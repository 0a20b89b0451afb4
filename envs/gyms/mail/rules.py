"""What mail allows. Each rule changes the app's state, or raises Refused or NotFound; what is
refused changes nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from envs.gyms.gym import NotFound, Refused, State
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import next_id, one
from envs.gyms.mail.data import (
    ARCHIVE,
    DOES,
    DRAFTS,
    FIELDS,
    INBOX,
    LABEL,
    LABELS,
    MOVE,
    SENT,
    SPAM,
    TRASH,
)

Item = dict[str, Any]
ADDRESS = re.compile(r"[^@\s,;<>]+@[^@\s,;<>]+\.[A-Za-z]{2,}")
MAX_TO, MAX_NAME = 20, 30


# What can be done with messages.


def move(state: State, messages: Sequence[Item], folder: str) -> None:
    target = one(state, "folders", folder)
    for message in messages:
        if message["folder"] == folder:
            raise Refused(f"Already in {target['name']}: {message['subject']}")
        if folder in (SENT, DRAFTS):
            raise Refused(f"Nothing can be moved to {target['name']}")
        if message["folder"] == DRAFTS and folder != TRASH:
            raise Refused("Drafts can only be sent or deleted")
        if folder == SPAM and message["email"] == state["me"]:
            raise Refused("Your own messages are not spam")
    for message in messages:
        message["folder"] = folder


def act(state: State, keys: Sequence[str], verb: str, target: str = "") -> str:
    """One of the verbs, on messages; `target` is a folder's id or a label. Says what was done."""
    if not keys:
        raise Refused("Select at least one message")
    chosen = [one(state, "messages", key) for key in keys]
    goes_to = {"archive": ARCHIVE, "trash": TRASH, "spam": SPAM, "not-spam": INBOX}
    if verb == "move" and not target:
        raise Refused("Choose one: Move to")
    if verb == "move" or verb in goes_to:
        folder = goes_to.get(verb, target)
        move(state, chosen, folder)
        return f"Moved to {one(state, 'folders', folder)['name']}: {len(chosen)}"
    if verb == "label" and target not in ("", *LABELS):
        raise Refused("Choose one: Label")
    changes: dict[str, Item] = {
        "star": {"starred": True},
        "unstar": {"starred": False},
        "read": {"unread": False},
        "unread": {"unread": True},
        "label": {"label": target},
    }
    if verb not in changes:
        raise NotFound(f"There is no such action: {verb[:20]}")
    for message in chosen:
        message.update(changes[verb])
    return f"Changed: {len(chosen)}"


def destroy(state: State, keys: Sequence[str]) -> None:
    """For good."""
    for key in keys:
        if one(state, "messages", key)["folder"] != TRASH:
            raise Refused("Only messages in Trash can be deleted for good")
    state["messages"] = [m for m in state["messages"] if m["id"] not in keys]


def empty_trash(state: State) -> None:
    keys = [m["id"] for m in state["messages"] if m["folder"] == TRASH]
    if not keys:
        raise Refused("Trash is empty")
    destroy(state, keys)


# Writing.


def addresses(text: str, label: str) -> list[str]:
    found = [part for part in re.split(r"[\s,;]+", text) if part]
    if len(found) > MAX_TO:
        raise Refused(f"{label} holds too many addresses")
    for part in found:
        if not ADDRESS.fullmatch(part):
            raise Refused(f"{label}: {part[:40]} is not an address such as name@example.com")
    return found


def letter(state: State, how: str, origin: Item | None = None) -> dict[str, str]:
    """What the form of a new message, an answer, a forward or a draft begins with."""
    if origin is None:
        return {"to": "", "cc": "", "subject": "", "text": ""}
    if how == "edit":
        return {"to": ", ".join(origin["to"]), "cc": ", ".join(origin["cc"]),
                "subject": origin["subject"], "text": origin["body"]}  # fmt: skip
    prefix = "Fwd: " if how == "forward" else "Re: "
    subject = origin["subject"]
    if not subject.startswith(prefix):
        subject = prefix + subject
    mine = origin["email"] == state["me"]
    to = [] if how == "forward" else origin["to"] if mine else [origin["email"]]
    others = [a for a in (*origin["to"], *origin["cc"]) if a != state["me"] and a not in to]
    cc = others if how == "reply-all" else []
    return {"to": ", ".join(to), "cc": ", ".join(cc), "subject": subject, "text": ""}


def compose(
    world: Company,
    state: State,
    written: dict[str, str],
    how: str = "new",
    origin: Item | None = None,
    draft: bool = False,
) -> Item:
    """Sends it, or keeps it in Drafts. `how`: new, reply, reply-all, forward, or edit, where the
    origin is the draft itself."""
    to, cc = addresses(written["to"], "To"), addresses(written["cc"], "Cc")
    subject = " ".join(written["subject"].split())[:150]
    body = "\n".join(" ".join(line.split()) for line in written["text"].splitlines()).strip()
    if how == "edit" and (origin is None or origin["folder"] != DRAFTS):
        raise Refused("Only drafts can be changed")
    if not draft:
        if not to:
            raise Refused("To is required")
        if not subject:
            raise Refused("Subject is required")
        if not body and how != "forward":
            raise Refused("Text is required")
    if how == "forward" and origin is not None:
        body = f"{body}\nForwarded message of {origin['name']}:\n{origin['body']}".strip()
    if not draft and state["settings"]["signature"]:
        body += f"\n{state['settings']['signature']}"
    # Without the draft itself: sent at once or by way of Drafts, it is the same message.
    today = sum(
        m["at"].startswith(world.today)
        for m in state["messages"]
        if how != "edit" or m is not origin
    )
    made = {
        "id": next_id(state["messages"], "m"),
        "thread": origin["thread"] if origin else next_id(
            [{"id": m["thread"]} for m in state["messages"]], "t"),
        "folder": DRAFTS if draft else SENT,
        "name": world.user.name,
        "email": world.user.email,
        "to": to,
        "cc": cc,
        "subject": subject,
        "body": body,
        "at": f"{world.today} {17 + today // 60}:{today % 60:02d}",
        "starred": False,
        "unread": False,
        "label": "",
        "file": origin["file"] if origin and how in ("forward", "edit") else None,
    }  # fmt: skip
    if how == "edit" and origin is not None:
        kept = ("id", "thread", "starred", "label")
        origin |= made | {key: origin[key] for key in kept}
        return origin
    state["messages"].append(made)
    return made


# Folders, rules, settings.


def create_folder(state: State, name: str) -> Item:
    if len(name) > MAX_NAME:
        raise Refused("Name is too long")
    if name.casefold() in [folder["name"].casefold() for folder in state["folders"]]:
        raise Refused("There is a folder of this name")
    made = {"id": next_id(state["folders"], "fo"), "name": name, "own": True}
    state["folders"].append(made)
    return made


def delete_folder(state: State, key: str) -> None:
    """What is in it goes to Archive."""
    if not one(state, "folders", key)["own"]:
        raise Refused("This folder cannot be deleted")
    users = [rule for rule in state["rules"] if rule["folder"] == key]
    if users:
        raise Refused(f"A rule uses this folder: {rule_name(state, users[0])}")
    for message in state["messages"]:
        if message["folder"] == key:
            message["folder"] = ARCHIVE
    state["folders"] = [folder for folder in state["folders"] if folder["id"] != key]


def rule_name(state: State, rule: Item) -> str:
    then = {MOVE: "move to", LABEL: "label"}.get(rule["does"], "star")
    what = one(state, "folders", rule["folder"])["name"] if rule["folder"] else rule["label"]
    return f"{rule['field']} contains {rule['text']}: {then} {what}".strip()


def save_rule(state: State, wanted: Item, key: str | None = None) -> Item:
    """`wanted`: field, text, does, folder, label. Makes a rule, or changes one."""
    text = wanted["text"]
    if wanted["field"] not in FIELDS or wanted["does"] not in DOES:
        raise Refused("Choose one: Look at, Then")
    if len(text) < 3:
        raise Refused("Contains must have at least 3 letters")
    folder = wanted["folder"] if wanted["does"] == MOVE else ""
    label = wanted["label"] if wanted["does"] == LABEL else ""
    if wanted["does"] == MOVE and (not folder or folder in (SENT, DRAFTS)):
        raise Refused("A rule that moves needs a folder: choose one")
    if folder:
        one(state, "folders", folder)
    if wanted["does"] == LABEL and label not in LABELS:
        raise Refused("A rule that sets a label needs one: choose it")
    made = {"field": wanted["field"], "text": text, "does": wanted["does"], "folder": folder,
            "label": label}  # fmt: skip
    for rule in state["rules"]:
        if rule["id"] != key and all(rule[name] == value for name, value in made.items()):
            raise Refused("There is such a rule already")
    if key is not None:
        changed = one(state, "rules", key)
        changed |= made
        return changed
    new = {"id": next_id(state["rules"], "r"), **made, "active": True}
    state["rules"].append(new)
    return new


def delete_rule(state: State, key: str) -> None:
    gone = one(state, "rules", key)
    state["rules"] = [rule for rule in state["rules"] if rule is not gone]


def set_active(state: State, key: str, active: bool) -> None:
    one(state, "rules", key)["active"] = active


def run_rule(state: State, key: str) -> int:
    """On what is in Inbox. Says on how many."""
    rule = one(state, "rules", key)
    if not rule["active"]:
        raise Refused("This rule is paused")
    found = [m for m in state["messages"] if m["folder"] == INBOX and fits(rule, m)]
    if not found:
        raise Refused("Nothing in Inbox fits this rule")
    if rule["does"] == MOVE:
        move(state, found, rule["folder"])
    else:
        verb = "label" if rule["does"] == LABEL else "star"
        act(state, [m["id"] for m in found], verb, rule["label"])
    return len(found)


def fits(rule: Item, message: Item) -> bool:
    where = f"{message['name']} {message['email']}"
    if rule["field"] == "Subject":
        where = message["subject"]
    return rule["text"].lower() in where.lower()


def set_signature(state: State, text: str) -> None:
    state["settings"]["signature"] = text


def set_vacation(state: State, on: bool, first: str, last: str, text: str, today: str) -> None:
    if on:
        if first < today:
            raise Refused("First day must not be in the past")
        if last < first:
            raise Refused("Last day must not be before the first day")
    state["settings"]["vacation"] = {"on": on, "first": first, "last": last, "text": text}
