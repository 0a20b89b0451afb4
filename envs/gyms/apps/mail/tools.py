"""Mail's API tools."""

from __future__ import annotations

from typing import Any

from envs.gyms.apps.mail import rules_folders, rules_messages, rules_writing
from envs.gyms.apps.mail.display import searchable_text
from envs.gyms.kit.records import get_record
from envs.gyms.kit.site_tools import ToolContext, site_tool
from envs.gyms.server.gym import Refused, State


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
    target = _get_folder_key(context.state, folder)
    return rules_messages.apply_action(context.state, messages, "move", target)


@site_tool("mail.delete_folder")
def delete_folder(context: ToolContext, folder: str) -> str:
    """Deletes one of the user's own folders, by its name; its messages go to Archive."""
    rules_folders.delete_folder(context.state, _get_folder_key(context.state, folder))
    return f"deleted {folder}"


@site_tool("mail.mark")
def mark_messages(context: ToolContext, messages: list[str], how: str) -> str:
    """Marks messages, by their ids. how: star, unstar, read or unread."""
    if how not in ("star", "unstar", "read", "unread"):
        raise Refused("how must be star, unstar, read or unread")
    return rules_messages.apply_action(context.state, messages, how)


def _get_folder_key(state: State, name: str) -> str:
    for folder in state["folders"]:
        if folder["name"] == name:
            return str(folder["id"])
    raise Refused(f"there is no folder {name[:20]!r}")
