"""Mail as an app: its name, navigation, state, tools and pages."""

from __future__ import annotations

import random
from pathlib import Path

from envs.gyms.apps.mail import (
    pages_folders,
    pages_lists,
    pages_message,
    pages_rules,
    pages_settings,
    pages_writing,
    rules_folders,
)
from envs.gyms.apps.mail.data import make_state
from envs.gyms.apps.mail.tools import (
    delete_folder,
    mark_messages,
    move_messages,
    read_message,
    reply_to_message,
    search_messages,
    send_new_message,
)
from envs.gyms.kit.app import App
from envs.gyms.server.gym import State


def _make_stray_change(state: State, rng: random.Random) -> None:
    rules_folders.create_folder(state, f"Misc {rng.randint(10, 99)}")


MAIL = App(
    name="mail",
    title="Mail",
    nav=(
        ("Folders", "/"),
        ("Inbox", "/folders/inbox"),
        ("All mail", "/all"),
        ("New message", "/new"),
        ("Rules", "/rules"),
        ("Settings", "/settings"),
    ),
    make_state=make_state,
    style=(Path(__file__).parent / "look.css").read_text(),
    list_names=lambda world, state: {"people": [m["name"] for m in state["messages"]]},
    numbered=("messages", "folders", "rules"),
    make_stray_change=_make_stray_change,
    tools=(
        search_messages,
        read_message,
        send_new_message,
        reply_to_message,
        move_messages,
        mark_messages,
        delete_folder,
    ),
    # pages_message before pages_writing: /messages/{key}/move is not the writing of a "move".
    pages=(
        *pages_folders.PAGES,
        *pages_lists.PAGES,
        *pages_message.PAGES,
        *pages_writing.PAGES,
        *pages_rules.PAGES,
        *pages_settings.PAGES,
    ),
)
