"""Tasks on one message: star, mark, delete, move, label it."""

from __future__ import annotations

import random
from typing import Any

from envs.contract.actions import Tool
from envs.gyms.apps.mail.oracle_moves import open_message
from envs.gyms.apps.mail.outcomes import VISITED_LIST, VISITED_MESSAGE, expect_action
from envs.gyms.apps.mail.sampling import choose_message, list_own_folders, message_params
from envs.gyms.apps.mail.vocabulary import LABELS
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_unstarred(world: Company, rng: random.Random, state: State) -> Params:
    message = choose_message(world, rng, state, lambda m: not m["starred"])
    return message_params(world, message)


def _sample_read(world: Company, rng: random.Random, state: State) -> Params:
    return message_params(world, choose_message(world, rng, state, lambda m: not m["unread"]))


def _sample_move(world: Company, rng: random.Random, state: State) -> Params:
    message = choose_message(world, rng, state, lambda m: True)
    to = rng.choice(
        [folder for folder in list_own_folders(state) if folder["id"] != message["folder"]]
    )
    return message_params(world, message) | {"folder": to["id"], "folder_name": to["name"]}


def _sample_label(world: Company, rng: random.Random, state: State) -> Params:
    message = choose_message(world, rng, state, lambda m: True)
    new = rng.choice([label for label in LABELS if label != message["label"]])
    return message_params(world, message) | {"new_label": new}


def _press(name: str, *menu: str) -> Any:
    """An oracle that opens a message and presses a button, in a menu or not."""

    def solve(page: Page, p: Params) -> Script:
        page = yield from open_message(page, p)
        for opener in menu:
            page = yield from navigation.click(page, "what else there is", opener)
        yield from navigation.click(page, name, name)
        return None

    return solve


def _move_message(page: Page, p: Params) -> Script:
    page = yield from open_message(page, p)
    page = yield from navigation.click(page, "what else there is", "More")
    page = yield from navigation.open_link(page, "elsewhere with it", "Move to folder")
    page = yield from navigation.fill_fields(page, {"Folder": p["folder_name"]})
    yield from navigation.click(page, "move it", "Move message")
    return None


def _label_message(page: Page, p: Params) -> Script:
    page = yield from open_message(page, p)
    page = yield from navigation.click(page, "what else there is", "More")
    page = yield from navigation.open_link(page, "its label", "Set label")
    page = yield from navigation.fill_fields(page, {"Label": p["new_label"]})
    yield from navigation.click(page, "save it", "Save label")
    return None


def _make_mark_calls(how: str) -> Any:
    return lambda p: [Tool(name="mail.mark", arguments={"messages": [p["message"]], "how": how})]


TEMPLATES = (
    Template(
        name="star",
        skills=("search",),
        oracle_steps=6,
        phrasings=(
            "Star the message “{subject}” from {sender}.",
            "Put a star on {sender}'s message “{subject}”.",
            "I want to find “{subject}” by {sender} again: star it.",
        ),
        sample_params=_sample_unstarred,
        solve=_press("Star"),
        milestones=(VISITED_LIST, VISITED_MESSAGE, FINISHED),
        apply_expected=expect_action("star"),
        tool_calls=_make_mark_calls("star"),
    ),
    Template(
        name="mark_unread",
        skills=("search", "menu"),
        oracle_steps=7,
        phrasings=(
            "Mark the message “{subject}” from {sender} as unread.",
            "Make “{subject}” by {sender} unread again.",
        ),
        sample_params=_sample_read,
        solve=_press("Mark as unread", "More"),
        milestones=(VISITED_LIST, VISITED_MESSAGE, FINISHED),
        apply_expected=expect_action("unread"),
        tool_calls=_make_mark_calls("unread"),
    ),
    Template(
        name="delete",
        skills=("search",),
        oracle_steps=6,
        phrasings=(
            "Delete the message “{subject}” from {sender}; it may stay in Trash.",
            "Move “{subject}” by {sender} to Trash.",
        ),
        sample_params=_sample_unstarred,
        solve=_press("Delete"),
        milestones=(VISITED_LIST, VISITED_MESSAGE, FINISHED),
        apply_expected=expect_action("trash"),
    ),
    Template(
        name="move",
        skills=("search", "menu", "form"),
        oracle_steps=9,
        phrasings=(
            "Move the message “{subject}” from {sender} to the folder {folder_name}.",
            "“{subject}” by {sender} belongs in {folder_name}. Put it there.",
            "File {sender}'s “{subject}” under {folder_name}.",
        ),
        sample_params=_sample_move,
        solve=_move_message,
        milestones=(VISITED_LIST, VISITED_MESSAGE, FINISHED),
        apply_expected=expect_action("move"),
        tool_calls=lambda p: [
            Tool(
                name="mail.move", arguments={"messages": [p["message"]], "folder": p["folder_name"]}
            )
        ],
    ),
    Template(
        name="label",
        skills=("search", "menu", "form"),
        oracle_steps=9,
        phrasings=(
            "Set the label {new_label} on the message “{subject}” from {sender}.",
            "Label “{subject}” by {sender} as {new_label}.",
        ),
        sample_params=_sample_label,
        solve=_label_message,
        milestones=(VISITED_LIST, VISITED_MESSAGE, FINISHED),
        apply_expected=expect_action("label"),
    ),
)
