"""What mail's templates draw: messages that an instruction can name, and what to do with them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from envs.gyms.gym import State
from envs.gyms.kit.company import Company, Person
from envs.gyms.kit.records import one
from envs.gyms.kit.template import Params, Redraw
from envs.gyms.mail import rules
from envs.gyms.mail.data import (
    ARCHIVE,
    DETAILS,
    DRAFTS,
    INBOX,
    LABELS,
    NEWSLETTERS,
    OWN,
    SENT,
    SPAM,
    STRANGERS,
    TOPICS,
    TRASH,
    Item,
    label_of,
    written_at,
)

HIDDEN = (SPAM, TRASH, DRAFTS)
"""Folders that "All mail" leaves out."""
NOTES = ("I will see to it today", "That suits me well", "Please wait until Monday",
         "We cannot do that this month", "Count me in", "I agree with all of it")  # fmt: skip


def mine(state: State) -> State:
    part: State = state["mail"]
    return part


def folder_name(state: State, key: str) -> str:
    return str(one(mine(state), "folders", key)["name"])


def own_folders(state: State) -> list[Item]:
    return [folder for folder in mine(state)["folders"] if folder["own"]]


def told(world: Company, message: Item) -> Params:
    return {
        "message": message["id"],
        "subject": message["subject"],
        "sender": message["name"],
        "label": label_of(world, message),
    }


def a_message(
    world: Company, rng: random.Random, state: State, fits: Callable[[Item], bool]
) -> Item:
    """One that was received, whose subject and sender no other message has."""
    every = mine(state)["messages"]
    count = Counter((m["subject"], m["name"]) for m in every)
    found: list[Item] = [
        m for m in every
        if m["folder"] not in (*HIDDEN, SENT) and count[m["subject"], m["name"]] == 1 and fits(m)
    ]  # fmt: skip
    if not found:
        raise Redraw("no message fits")
    return rng.choice(found)


def is_colleague(world: Company, message: Item) -> bool:
    return bool(message["email"].endswith(f"@{world.domain}"))


def _others(world: Company) -> list[Person]:
    return [person for person in world.people if person.id != world.user.id]


def draw_plain(world: Company, rng: random.Random, state: State) -> Params:
    found = a_message(world, rng, state, lambda m: not m["starred"])
    return told(world, found)


def draw_read(world: Company, rng: random.Random, state: State) -> Params:
    return told(world, a_message(world, rng, state, lambda m: not m["unread"]))


def draw_move(world: Company, rng: random.Random, state: State) -> Params:
    found = a_message(world, rng, state, lambda m: True)
    to = rng.choice([folder for folder in own_folders(state) if folder["id"] != found["folder"]])
    return told(world, found) | {"folder": to["id"], "folder_name": to["name"]}


def draw_label(world: Company, rng: random.Random, state: State) -> Params:
    found = a_message(world, rng, state, lambda m: True)
    new = rng.choice([label for label in LABELS if label != found["label"]])
    return told(world, found) | {"new_label": new}


def draw_reply(world: Company, rng: random.Random, state: State) -> Params:
    found = a_message(world, rng, state, lambda m: is_colleague(world, m))
    return told(world, found) | {"text": rng.choice(NOTES)}


def draw_reply_all(world: Company, rng: random.Random, state: State) -> Params:
    found = a_message(world, rng, state, lambda m: bool(m["cc"]))
    return told(world, found) | {"text": rng.choice(NOTES)}


def draw_new(world: Company, rng: random.Random, state: State) -> Params:
    to, cc = rng.sample(_others(world), 2)
    return {
        "to": to.email, "to_name": to.name, "cc": cc.email, "text": rng.choice(NOTES),
        "subject": f"{rng.choice(TOPICS)} {rng.choice(DETAILS)}",
    }  # fmt: skip


def draw_file(world: Company, rng: random.Random, state: State) -> Params:
    """An invoice to be forwarded to a colleague who can be found by a message of theirs."""
    found = a_message(
        world, rng, state, lambda m: bool(m["file"]) and m["subject"].startswith("Invoice ")
    )
    other = a_message(world, rng, state, lambda m: is_colleague(world, m))
    return told(world, found) | {
        "number": found["file"]["number"], "due": found["file"]["due"],
        "person": other["name"], "email": other["email"], "other": other["id"],
        "other_label": label_of(world, other),
    }  # fmt: skip


def draw_no_file(world: Company, rng: random.Random, state: State) -> Params:
    found = a_message(world, rng, state, lambda m: not m["file"] and is_colleague(world, m))
    to = rng.choice([person for person in _others(world) if person.name != found["name"]])
    return told(world, found) | {"email": to.email}


def _recipient(world: Company, rng: random.Random, state: State, but: str = "") -> Params:
    return told(
        world,
        a_message(world, rng, state, lambda m: is_colleague(world, m) and m["name"] != but),
    )


def draw_phone(world: Company, rng: random.Random, state: State) -> Params:
    """Whose phone stands at the end of one of their messages, and whom to tell it."""
    source = a_message(world, rng, state, lambda m: "\nPhone " in m["body"])
    person = next(p for p in world.people if p.email == source["email"])
    return _recipient(world, rng, state, person.name) | {
        "source": source["id"], "source_label": label_of(world, source), "person": person.name,
        "phone": person.phone,
    }  # fmt: skip


def _of_firm(state: State, firm: str) -> list[Item]:
    found = [m for m in mine(state)["messages"]
             if m["name"].endswith(f", {firm}") and m["folder"] not in HIDDEN]  # fmt: skip
    return sorted(found, key=lambda m: str(m["at"]))


def draw_total(world: Company, rng: random.Random, state: State) -> Params:
    """A firm whose newest message carries an invoice, and whom to tell its total."""
    firm = rng.choice(world.firms)
    found = _of_firm(state, firm.name)
    if len(found) < 2 or not found[-1]["file"]:
        raise Redraw("the newest message of each firm has no attachment")
    newest = found[-1]
    return _recipient(world, rng, state) | {
        "firm": firm.name, "source": newest["id"], "source_label": label_of(world, newest),
        "total": world.look.money(newest["file"]["total"]),
    }  # fmt: skip


def draw_bills(world: Company, rng: random.Random, state: State) -> Params:
    """A firm of which several invoices can be compared."""
    firm = rng.choice(world.firms)
    bills = [m for m in _of_firm(state, firm.name) if m["subject"].startswith("Invoice ")]
    totals = [m["file"]["total"] for m in bills]
    if len(bills) < 2 or len(set(totals)) < len(totals):
        raise Redraw("no firm sent several invoices")
    return {"firm": firm.name, "bills": [m["id"] for m in bills],
            "labels": [label_of(world, m) for m in bills]}  # fmt: skip


def draw_tell_largest(world: Company, rng: random.Random, state: State) -> Params:
    found = draw_bills(world, rng, state)
    files = [one(mine(state), "messages", key)["file"] for key in found["bills"]]
    number = max(files, key=lambda file: int(file["total"]))["number"]
    return _recipient(world, rng, state) | found | {"number": number}


def _several(world: Company, rng: random.Random, names: tuple[str, ...], state: State) -> Params:
    name = rng.choice(names)
    found = [m for m in mine(state)["messages"] if m["name"] == name and m["folder"] == INBOX]
    if len(found) < 2:
        raise Redraw("no sender has two messages in Inbox")
    return {"sender": name, "messages": [m["id"] for m in found],
            "moments": [written_at(world, m["at"]) for m in found]}  # fmt: skip


def draw_newsletter(world: Company, rng: random.Random, state: State) -> Params:
    return _several(world, rng, NEWSLETTERS, state)


def make_strangers(world: Company, rng: random.Random, state: State) -> None:
    """One of the strangers has three messages in Inbox."""
    name = rng.choice(STRANGERS)
    for message in [m for m in mine(state)["messages"] if m["name"] in STRANGERS][:3]:
        message["name"] = name


def draw_strangers(world: Company, rng: random.Random, state: State) -> Params:
    return _several(world, rng, STRANGERS, state)


def draw_thread(world: Company, rng: random.Random, state: State) -> Params:
    """All that others wrote in a thread, and a folder that there is not yet."""
    found = a_message(world, rng, state, lambda m: is_colleague(world, m))
    thread = [m for m in mine(state)["messages"]
              if m["thread"] == found["thread"] and m["folder"] == found["folder"]]  # fmt: skip
    names = [folder["name"] for folder in mine(state)["folders"]]
    if len(thread) < 2:
        raise Redraw("no thread has two messages in a folder")
    stem = found["subject"].removeprefix("Re: ")
    return {
        "subject": stem, "from_folder": found["folder"],
        "from_name": folder_name(state, found["folder"]),
        "messages": [m["id"] for m in thread],
        "moments": [written_at(world, m["at"]) for m in thread],
        "name": rng.choice([name for name in OWN if name not in names]),
    }  # fmt: skip


def make_trash(world: Company, rng: random.Random, state: State) -> None:
    """Three messages more are in Trash."""
    inbox = [m for m in mine(state)["messages"] if m["folder"] == INBOX]
    for message in rng.sample(inbox, 3):
        message["folder"] = TRASH


def draw_trash(world: Company, rng: random.Random, state: State) -> Params:
    every = mine(state)["messages"]
    count = Counter((m["subject"], m["name"]) for m in every)
    gone = [m for m in every if m["folder"] == TRASH and count[m["subject"], m["name"]] == 1]
    if not gone:
        raise Redraw("nothing in Trash can be told from the rest")
    return told(world, rng.choice(gone))


def draw_nothing(world: Company, rng: random.Random, state: State) -> Params:
    return {}


def draw_draft(world: Company, rng: random.Random, state: State) -> Params:
    draft = rng.choice([m for m in mine(state)["messages"] if m["folder"] == DRAFTS])
    to = rng.choice(_others(world))
    return told(world, draft) | {"to": to.email}


def draw_folder(world: Company, rng: random.Random, state: State) -> Params:
    """A folder with some unread messages."""
    count: Counter[str] = Counter(m["folder"] for m in mine(state)["messages"] if m["unread"])
    full = [folder for folder in own_folders(state) if count[folder["id"]] > 0]
    if not full:
        raise Redraw("no folder holds unread messages")
    folder: dict[str, Any] = rng.choice(full)
    return {"folder": folder["id"], "name": folder["name"]}


def draw_files(world: Company, rng: random.Random, state: State) -> Params:
    """Unread messages with an attachment, in a folder, that get a label."""
    folder = rng.choice([INBOX, ARCHIVE, *[f["id"] for f in own_folders(state)]])
    fits = [m for m in mine(state)["messages"]
            if m["folder"] == folder and m["unread"] and m["file"]]  # fmt: skip
    label = rng.choice(LABELS)
    if not 1 <= len(fits) <= 5 or any(m["label"] == label for m in fits):
        raise Redraw("no folder holds a few unread messages with attachments")
    return {
        "folder": folder, "name": folder_name(state, folder), "new_label": label,
        "messages": [m["id"] for m in fits], "moments": [written_at(world, m["at"]) for m in fits],
    }  # fmt: skip


def draw_rule(world: Company, rng: random.Random, state: State) -> Params:
    """A rule that there is, and a new folder for it."""
    rule = rng.choice([rule for rule in mine(state)["rules"] if rule["folder"]])
    to = rng.choice([folder for folder in own_folders(state) if folder["id"] != rule["folder"]])
    return {
        "rule": rule["id"], "name": rules.rule_name(mine(state), rule), "field": rule["field"],
        "text": rule["text"], "folder": to["id"], "folder_name": to["name"],
        "old_folder": rule["folder"], "old_name": folder_name(state, rule["folder"]),
    }  # fmt: skip


def draw_unused(world: Company, rng: random.Random, state: State) -> Params:
    """A folder that no rule uses, with something in it."""
    used = [rule["folder"] for rule in mine(state)["rules"]]
    full = [m["folder"] for m in mine(state)["messages"]]
    free = [f for f in own_folders(state) if f["id"] not in used and f["id"] in full]
    if not free:
        raise Redraw("rules use all folders")
    folder = rng.choice(free)
    return {"folder": folder["id"], "name": folder["name"]}


def draw_used(world: Company, rng: random.Random, state: State) -> Params:
    """A folder that a rule uses."""
    key = rng.choice([rule["folder"] for rule in mine(state)["rules"] if rule["folder"]])
    return {"folder": key, "name": folder_name(state, key)}


def draw_new_rule(world: Company, rng: random.Random, state: State) -> Params:
    """A rule on a sender that none has yet, and that some messages in Inbox fit."""
    person = rng.choice(_others(world))
    fits = [m for m in mine(state)["messages"] if m["folder"] == INBOX and m["name"] == person.name]
    if not fits:
        raise Redraw("no colleague has a message in Inbox")
    to = rng.choice(own_folders(state))
    return {"text": person.email, "folder": to["id"], "folder_name": to["name"],
            "name": f"Sender contains {person.email}: move to {to['name']}"}  # fmt: skip


def draw_away(world: Company, rng: random.Random, state: State) -> Params:
    first = rng.randint(1, 40)
    days = world.day(first), world.day(first + rng.randint(2, 20))
    person = rng.choice(_others(world))
    return {
        "first": days[0], "last": days[1], "first_day": world.look.date(days[0]),
        "last_day": world.look.date(days[1]), "text": f"I am away. Please write to {person.email}",
    }  # fmt: skip


def draw_signature(world: Company, rng: random.Random, state: State) -> Params:
    return {"text": f"{world.user.name}, {world.name}, room {rng.randint(1, 5)}.{rng.randint(1, 40):02d}"}  # noqa: E501  # fmt: skip
