"""How mail's templates choose messages that an instruction can name without doubt.

Draws take from the random source in a fixed order, so that a seed always makes the same task.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from envs.gyms.apps.mail.display import link_label
from envs.gyms.apps.mail.vocabulary import DRAFTS, SENT, SPAM, TRASH, Item
from envs.gyms.kit.company import Company
from envs.gyms.kit.records import get_record
from envs.gyms.kit.template import Params, Resample
from envs.gyms.server.gym import State

UNLISTED_FOLDERS = (SPAM, TRASH, DRAFTS)
"""Folders that "All mail" leaves out."""
NOTES = (
    "I will see to it today",
    "That suits me well",
    "Please wait until Monday",
    "We cannot do that this month",
    "Count me in",
    "I agree with all of it",
)


def mail_part(state: State) -> State:
    """Mail's part of a session's state."""
    part: State = state["mail"]
    return part


def get_folder_name(state: State, key: str) -> str:
    """The name of the folder with this id."""
    return str(get_record(mail_part(state), "folders", key)["name"])


def list_own_folders(state: State) -> list[Item]:
    """Folders that the user made."""
    return [folder for folder in mail_part(state)["folders"] if folder["own"]]


def message_params(world: Company, message: Item) -> Params:
    """The params that name a message."""
    return {
        "message": message["id"],
        "subject": message["subject"],
        "sender": message["name"],
        "label": link_label(world, message),
    }


def choose_message(
    world: Company, rng: random.Random, state: State, condition: Callable[[Item], bool]
) -> Item:
    """A received message that its subject and sender tell from all others.

    Raises Resample if none fits the condition."""
    messages = mail_part(state)["messages"]
    count = Counter((m["subject"], m["name"]) for m in messages)
    candidates: list[Item] = [
        m
        for m in messages
        if m["folder"] not in (*UNLISTED_FOLDERS, SENT)
        and count[m["subject"], m["name"]] == 1
        and condition(m)
    ]
    if not candidates:
        raise Resample("no message fits")
    return rng.choice(candidates)


def is_colleague(world: Company, message: Item) -> bool:
    """Whether a colleague sent it."""
    return bool(message["email"].endswith(f"@{world.domain}"))


def sample_invoice_and_person(world: Company, rng: random.Random, state: State) -> Params:
    """An invoice, and a colleague whose address is on a message of theirs."""
    invoice = choose_message(
        world, rng, state, lambda m: bool(m["file"]) and m["subject"].startswith("Invoice ")
    )
    other = choose_message(world, rng, state, lambda m: is_colleague(world, m))
    return message_params(world, invoice) | {
        "number": invoice["file"]["number"],
        "due": invoice["file"]["due"],
        "person": other["name"],
        "email": other["email"],
        "other": other["id"],
        "other_label": link_label(world, other),
    }


def sample_recipient(
    world: Company, rng: random.Random, state: State, excluded: str = ""
) -> Params:
    """A message of a colleague, to be answered; `excluded` is a name."""
    return message_params(
        world,
        choose_message(
            world, rng, state, lambda m: is_colleague(world, m) and m["name"] != excluded
        ),
    )
