"""Tasks that move or copy: a file to a folder, a file, a description.

A name alone tells the file from all others.
"""

from __future__ import annotations

import random
from collections import Counter

from envs.contract.actions import Tool
from envs.gyms.apps.drive import lookup, rules
from envs.gyms.apps.drive.oracle_moves import (
    VISITED_FILE,
    VISITED_FILES,
    move_open_file,
    open_file,
    open_in_menu,
)
from envs.gyms.apps.drive.sampling import (
    choose_file,
    choose_folder,
    drive_part,
    file_params,
    list_own_files,
    list_unique_files,
    sample_own_file,
)
from envs.gyms.apps.drive.tasks_files import _make_new_name
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_OTHER = ("other file", visited_page("drive:file:{other}"))


def _sample_move(world: Company, rng: random.Random, state: State) -> Params:
    part = drive_part(state)
    params = sample_own_file(world, rng, state)
    file = lookup.get_file(part, params["file"])
    folder = choose_folder(rng, part, file["folder"], [file["name"]])
    return params | {"folder": folder["id"], "path": lookup.folder_path(part, folder["id"])}


def apply_move(world: Company, p: Params, state: State) -> None:
    """What success means when a file is moved."""
    rules.move(drive_part(state), world.user.id, p["file"], p["folder"])


def _move_file(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p)
    yield from move_open_file(page, p)
    return None


def _sample_drag(world: Company, rng: random.Random, state: State) -> Params:
    """A file and a folder next to it, both high up in their folder's list."""
    part = drive_part(state)
    names = Counter(item["name"] for item in (*part["folders"], *part["files"]))
    place = rng.choice([f for f in part["folders"][1:] if names[f["name"]] == 1])
    first_items = sorted(
        lookup.list_children(part, place["id"]), key=lambda item: item["name"].casefold()
    )[:8]
    folders = [item for item in first_items if not lookup.is_file(item)]
    own_keys = {file["id"] for file in list_own_files(world, state)}
    files = [item for item in first_items if item["id"] in own_keys]
    if not folders:
        raise Resample("no folder has both a folder and a file in it")
    file, folder = choose_file(rng, files, "is next to a folder"), rng.choice(folders)
    if file["name"] in [item["name"] for item in lookup.list_children(part, folder["id"])]:
        raise Resample("the names are taken")
    return file_params(file) | {
        "folder": folder["id"],
        "onto": folder["name"],
        "inside": place["name"],
        "place": place["id"],
        "path": lookup.folder_path(part, place["id"]),
    }


def _drag_file(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "All files")
    page = yield from navigation.search(page, p["inside"])
    page = yield from navigation.open_item(page, p["inside"])
    yield from navigation.drag(page, "drag it there", p["name"], p["onto"])
    return None


def _move_calls(p: Params) -> list[Tool]:
    return [Tool(name="drive.move", arguments={"item": p["file"], "folder": p["folder"]})]


def _sample_copy(world: Company, rng: random.Random, state: State) -> Params:
    part = drive_part(state)
    file = choose_file(rng, list_unique_files(state), "can be copied")
    new = _make_new_name(rng, state, file["name"])
    folder = choose_folder(rng, part, file["folder"], [new])
    return file_params(file) | {
        "new": new,
        "folder": folder["id"],
        "path": lookup.folder_path(part, folder["id"]),
    }


def _copy_file(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p)
    page = yield from open_in_menu(page, "Make a copy", "a copy of it")
    page = yield from navigation.fill_fields(
        page, {"Name of the copy": p["new"], "Folder": p["path"]}
    )
    yield from navigation.click(page, "make it", "Create copy")
    return None


def _sample_description(world: Company, rng: random.Random, state: State) -> Params:
    file = choose_file(
        rng, [f for f in list_own_files(world, state) if not f["description"]], "has no words"
    )
    known = [f for f in list_unique_files(state) if f["description"] and f is not file]
    other = choose_file(rng, known, "has a description")
    return file_params(file) | {"other": other["id"], "other_name": other["name"]}


def _apply_description(world: Company, p: Params, state: State) -> None:
    part = drive_part(state)
    text = lookup.get_file(part, p["other"])["description"]
    rules.set_description(part, world.user.id, p["file"], text)


def _copy_description(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p, "other_name")
    text = navigation.read_value(page, "Description")
    page = yield from open_file(page, p)
    page = yield from open_in_menu(page, "Edit description", "write the same here")
    page = yield from navigation.fill_fields(page, {"Description": text})
    yield from navigation.click(page, "save it", "Save description")
    return None


TEMPLATES = (
    Template(
        name="move_file",
        skills=("search", "form"),
        oracle_steps=7,
        phrasings=(
            'Move the file "{name}" to the folder {path}.',
            'The file "{name}" belongs in {path}. Put it there.',
        ),
        sample_params=_sample_move,
        solve=_move_file,
        milestones=(VISITED_FILES, VISITED_FILE, FINISHED),
        apply_expected=apply_move,
        tool_calls=_move_calls,
    ),
    Template(
        name="drag_file",
        skills=("search", "drag"),
        oracle_steps=5,
        phrasings=(
            'Open the folder {path} and drag "{name}" onto its folder {onto}.',
            'In {path}, put the file "{name}" into the subfolder {onto}.',
        ),
        sample_params=_sample_drag,
        solve=_drag_file,
        milestones=(("place", visited_page("drive:folder:{place}")), FINISHED),
        apply_expected=apply_move,
        tool_calls=_move_calls,
    ),
    Template(
        name="copy_file",
        skills=("search", "menu", "form"),
        oracle_steps=9,
        phrasings=(
            'Make a copy of "{name}", call it "{new}" and put it in {path}.',
            'Copy the file "{name}" to the folder {path} under the name "{new}".',
        ),
        sample_params=_sample_copy,
        solve=_copy_file,
        milestones=(VISITED_FILES, VISITED_FILE, FINISHED),
        apply_expected=lambda world, p, state: rules.copy_file(
            drive_part(state), world.user.id, p["file"], p["new"], p["folder"], world.today
        ),
    ),
    Template(
        name="describe_alike",
        skills=("search", "recall", "menu", "form"),
        oracle_steps=12,
        phrasings=(
            'Give the file "{name}" the same description as "{other_name}" has.',
            'Copy the description of "{other_name}" to the file "{name}", word for word.',
        ),
        sample_params=_sample_description,
        solve=_copy_description,
        milestones=(VISITED_OTHER, VISITED_FILE, FINISHED),
        apply_expected=_apply_description,
    ),
)
