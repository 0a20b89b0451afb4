"""What mail allows with messages: moving, marking, deleting.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from envs.gyms.apps.mail.vocabulary import ARCHIVE, DRAFTS, INBOX, LABELS, SENT, SPAM, TRASH, Item
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import NotFound, Refused, State


def move(state: State, messages: Sequence[Item], folder: str) -> None:
    """Refuses moves to Sent and Drafts, of drafts, and of own messages to Spam."""
    target = get_record(state, "folders", folder)
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


def apply_action(state: State, keys: Sequence[str], verb: str, target: str = "") -> str:
    """Applies an action to messages and returns what was done.

    `target` is a folder's id or a label, for the actions "move" and "label"."""
    if not keys:
        raise Refused("Select at least one message")
    chosen = [get_record(state, "messages", key) for key in keys]
    goes_to = {"archive": ARCHIVE, "trash": TRASH, "spam": SPAM, "not-spam": INBOX}
    if verb == "move" and not target:
        raise Refused("Choose one: Move to")
    if verb == "move" or verb in goes_to:
        folder = goes_to.get(verb, target)
        move(state, chosen, folder)
        return f"Moved to {get_record(state, 'folders', folder)['name']}: {len(chosen)}"
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


def delete_for_good(state: State, keys: Sequence[str]) -> None:
    """Deletes messages in Trash, for good."""
    for key in keys:
        if get_record(state, "messages", key)["folder"] != TRASH:
            raise Refused("Only messages in Trash can be deleted for good")
    state["messages"] = [m for m in state["messages"] if m["id"] not in keys]


def empty_trash(state: State) -> None:
    """Deletes all messages in Trash, for good."""
    keys = [m["id"] for m in state["messages"] if m["folder"] == TRASH]
    if not keys:
        raise Refused("Trash is empty")
    delete_for_good(state, keys)
