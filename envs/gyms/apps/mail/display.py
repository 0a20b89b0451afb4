"""How messages are shown in lists and found by a search."""

from __future__ import annotations

from envs.gyms.apps.mail.vocabulary import DRAFTS, SENT, Item
from envs.gyms.kit.company import Company


def format_moment(world: Company, at: str) -> str:
    """A moment ("2026-03-05 14:20") in the world's way of writing dates."""
    day, _, time = at.partition(" ")
    return f"{world.locale.format_date(day)} {time}"


def link_label(world: Company, message: Item) -> str:
    """The label of a link to a message: unique, as its moment is."""
    return f"{message['subject'] or 'No subject'}, {format_moment(world, message['at'])}"


def correspondent(message: Item) -> str:
    """The sender's name, or the addresses that an own message went to."""
    if message["folder"] in (SENT, DRAFTS):
        return f"to {', '.join(message['to']) or 'nobody'}"
    return str(message["name"])


def first_line(message: Item) -> str:
    """What a list shows of a message's text: no more, so that reading still takes opening it."""
    return str(message["body"].partition("\n")[0])[:60]


def searchable_text(message: Item) -> str:
    """The text that a search looks at.

    "from:" and "subject:" stand before words to tell them apart."""
    sender = f"{message['name']} {message['email']}"
    prefixed = [f"from:{word}" for word in sender.split()]
    prefixed += [f"subject:{word}" for word in message["subject"].split()]
    return " ".join([sender, *message["to"], message["subject"], *prefixed]).lower()
