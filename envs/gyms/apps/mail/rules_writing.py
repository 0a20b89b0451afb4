"""What mail allows in writing: addresses, answers, sending, drafts.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

import re

from envs.gyms.apps.mail.vocabulary import DRAFTS, SENT, Item
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import next_id
from envs.gyms.server.gym import Refused, State

MAX_RECIPIENTS = 20
_ADDRESS = re.compile(r"[^@\s,;<>]+@[^@\s,;<>]+\.[A-Za-z]{2,}")


def parse_addresses(text: str, label: str) -> list[str]:
    """The addresses in a field, separated by commas, semicolons or blanks."""
    parts = [part for part in re.split(r"[\s,;]+", text) if part]
    if len(parts) > MAX_RECIPIENTS:
        raise Refused(f"{label} holds too many addresses")
    for part in parts:
        if not _ADDRESS.fullmatch(part):
            raise Refused(f"{label}: {part[:40]} is not an address such as name@example.com")
    return parts


def prefill(state: State, how: str, origin: Item | None = None) -> dict[str, str]:
    """The fields that a new message, an answer, a forward or a draft begins with."""
    if origin is None:
        return {"to": "", "cc": "", "subject": "", "text": ""}
    if how == "edit":
        return {
            "to": ", ".join(origin["to"]),
            "cc": ", ".join(origin["cc"]),
            "subject": origin["subject"],
            "text": origin["body"],
        }
    prefix = "Fwd: " if how == "forward" else "Re: "
    subject = origin["subject"]
    if not subject.startswith(prefix):
        subject = prefix + subject
    is_own = origin["email"] == state["me"]
    to = [] if how == "forward" else origin["to"] if is_own else [origin["email"]]
    others = [a for a in (*origin["to"], *origin["cc"]) if a != state["me"] and a not in to]
    cc = others if how == "reply-all" else []
    return {"to": ", ".join(to), "cc": ", ".join(cc), "subject": subject, "text": ""}


def send_message(
    world: Company,
    state: State,
    fields: dict[str, str],
    how: str = "new",
    origin: Item | None = None,
    as_draft: bool = False,
) -> Item:
    """Sends a message, or keeps it in Drafts.

    `how` is new, reply, reply-all, forward, or edit, where `origin` is the draft itself."""
    to, cc = parse_addresses(fields["to"], "To"), parse_addresses(fields["cc"], "Cc")
    subject = " ".join(fields["subject"].split())[:150]
    body = "\n".join(" ".join(line.split()) for line in fields["text"].splitlines()).strip()
    if how == "edit" and (origin is None or origin["folder"] != DRAFTS):
        raise Refused("Only drafts can be changed")
    if not as_draft:
        required = {"To": to, "Subject": subject, "Text": body or how == "forward"}
        for label, value in required.items():
            if not value:
                raise Refused(f"{label} is required")
    if how == "forward" and origin is not None:
        body = f"{body}\nForwarded message of {origin['name']}:\n{origin['body']}".strip()
    if not as_draft and state["settings"]["signature"]:
        body += f"\n{state['settings']['signature']}"
    message = {
        "id": next_id(state["messages"], "m"),
        "thread": origin["thread"] if origin else _next_thread(state),
        "folder": DRAFTS if as_draft else SENT,
        "name": world.user.name,
        "email": world.user.email,
        "to": to,
        "cc": cc,
        "subject": subject,
        "body": body,
        "at": _next_moment(world, state, origin if how == "edit" else None),
        "starred": False,
        "unread": False,
        "label": "",
        "file": origin["file"] if origin and how in ("forward", "edit") else None,
    }
    if how == "edit" and origin is not None:
        unchanged = ("id", "thread", "starred", "label")
        origin |= message | {key: origin[key] for key in unchanged}
        return origin
    state["messages"].append(message)
    return message


def _next_moment(world: Company, state: State, draft: Item | None) -> str:
    """From 17:00 on, a minute for each message of today.

    The draft itself does not count: a message has the same moment whether it is sent at once or by
    way of Drafts."""
    messages = (message for message in state["messages"] if message is not draft)
    minutes = sum(message["at"].startswith(world.today) for message in messages)
    return f"{world.today} {17 + minutes // 60}:{minutes % 60:02d}"


def _next_thread(state: State) -> str:
    return next_id([{"id": message["thread"]} for message in state["messages"]], "t")
