"""Mail's API tools."""

from __future__ import annotations

from typing import Any

from envs.gyms.apps.mail import rules_messages, rules_writing
from envs.gyms.apps.mail.display import searchable_text
from envs.gyms.kit.records import get_record
from envs.gyms.kit.site_tools import ToolContext, site_tool
from envs.gyms.server.gym import Refused


@site_tool("mail.search")
def search_messages(
    context: ToolContext, text: str, folder: str | None = None
) -> list[dict[str, Any]]:
    """Messages with all these words in sender, addresses or subject (from:anna looks at senders
    only), newest first, at most 20: id, folder, sender, subject, at, unread, starred, label."""
    words = text.lower().split()
    matches = []
    for message in sorted(context.state["messages"], key=lambda m: m["at"], reverse=True):
        name = get_record(context.state, "folders", message["folder"])["name"]
        if all(word in searchable_text(message) for word in words) and folder in (None, name):
            keys = ("id", "subject", "at", "unread", "starred", "label")
            matches.append(
                {key: message[key] for key in keys} | {"folder": name, "sender": message["name"]}
            )
    return matches[:20]


@site_tool("mail.read")
def read_message(context: ToolContext, message: str) -> dict[str, Any]:
    """A message by its id, with text and attachment (amounts in cents, ISO dates)."""
    record = dict(get_record(context.state, "messages", message))
    context.log_event(f"message:{message}")
    return record


@site_tool("mail.send")
def send_new_message(context: ToolContext, to: str, subject: str, text: str, cc: str = "") -> str:
    """Sends a new message. to and cc: addresses, separated by commas."""
    fields = {"to": to, "cc": cc, "subject": subject, "text": text}
    return str(rules_writing.send_message(context.world, context.state, fields)["id"])


@site_tool("mail.reply")
def reply_to_message(context: ToolContext, message: str, text: str) -> str:
    """Answers the sender of a message, by its id."""
    origin = get_record(context.state, "messages", message)
    fields = rules_writing.prefill(context.state, "reply", origin) | {"text": text}
    return str(
        rules_writing.send_message(context.world, context.state, fields, "reply", origin)["id"]
    )


@site_tool("mail.move")
def move_messages(context: ToolContext, messages: list[str], folder: str) -> str:
    """Moves messages, by their ids, to a folder, by its name."""
    for target in context.state["folders"]:
        if target["name"] == folder:
            return rules_messages.apply_action(context.state, messages, "move", target["id"])
    raise Refused(f"there is no folder {folder[:20]!r}")


@site_tool("mail.mark")
def mark_messages(context: ToolContext, messages: list[str], how: str) -> str:
    """Marks messages, by their ids. how: star, unstar, read or unread."""
    if how not in ("star", "unstar", "read", "unread"):
        raise Refused("how must be star, unstar, read or unread")
    return rules_messages.apply_action(context.state, messages, how)
