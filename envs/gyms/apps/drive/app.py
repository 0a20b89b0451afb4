"""The drive as an app: its name, navigation, state, tools and pages."""

from __future__ import annotations

import random
from pathlib import Path

from envs.gyms.apps.drive import (
    pages_editing,
    pages_history,
    pages_items,
    pages_lists,
    pages_sharing,
    rules,
)
from envs.gyms.apps.drive.data import make_state
from envs.gyms.apps.drive.tools import (
    create_folder,
    find_items,
    move_item,
    rename_item,
    share_file,
    star_file,
    transfer_file,
)
from envs.gyms.kit.app import App
from envs.gyms.kit.company import Company
from envs.gyms.server.gym import State


def _make_stray_change(state: State, rng: random.Random) -> None:
    file = rng.choice(state["files"])
    rules.set_star(state, file["id"], not file["starred"])


def _list_names(world: Company, state: State) -> dict[str, list[str]]:
    folders = state["folders"]
    parent = next(folder["id"] for folder in folders if folder["name"] == "Projects")
    return {"projects": [folder["name"] for folder in folders if folder["parent"] == parent]}


DRIVE = App(
    name="drive",
    title="Drive",
    nav=(
        ("My Drive", "/"),
        ("All files", "/files"),
        ("Shared with me", "/shared"),
        ("Starred", "/starred"),
        ("Trash", "/trash"),
        ("Storage", "/storage"),
    ),
    make_state=make_state,
    style=(Path(__file__).parent / "look.css").read_text(),
    numbered=("files", "folders", "comments", "replies", "versions"),
    is_withdrawn=lambda kind, record: kind in ("files", "folders") and bool(record.get("trashed")),
    list_names=_list_names,
    make_stray_change=_make_stray_change,
    tools=(
        find_items,
        star_file,
        share_file,
        move_item,
        create_folder,
        rename_item,
        transfer_file,
    ),
    pages=(
        *pages_lists.PAGES,
        *pages_items.PAGES,
        *pages_editing.PAGES,
        *pages_sharing.PAGES,
        *pages_history.PAGES,
    ),
)
