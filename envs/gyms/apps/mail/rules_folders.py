"""What mail allows with folders.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

from envs.gyms.apps.mail.rules_filters import rule_name
from envs.gyms.apps.mail.vocabulary import ARCHIVE, Item
from envs.gyms.kit.records import get_record, next_id
from envs.gyms.server.gym import Refused, State

MAX_NAME = 30


def create_folder(state: State, name: str) -> Item:
    """The name must be new, in any case."""
    if len(name) > MAX_NAME:
        raise Refused("Name is too long")
    if name.casefold() in [folder["name"].casefold() for folder in state["folders"]]:
        raise Refused("There is a folder of this name")
    folder = {"id": next_id(state["folders"], "fo"), "name": name, "own": True}
    state["folders"].append(folder)
    return folder


def delete_folder(state: State, key: str) -> None:
    """Its messages go to Archive. Refused while a rule uses the folder."""
    if not get_record(state, "folders", key)["own"]:
        raise Refused("This folder cannot be deleted")
    using_rules = [rule for rule in state["rules"] if rule["folder"] == key]
    if using_rules:
        raise Refused(
            f"A rule uses this folder: {rule_name(state, using_rules[0])}", event=f"used:{key}"
        )
    for message in state["messages"]:
        if message["folder"] == key:
            message["folder"] = ARCHIVE
    state["folders"] = [folder for folder in state["folders"] if folder["id"] != key]
