"""Tasks that tidy up: create a folder, collect files in it, keep the newest of similar files.

A new folder's id is known in advance, so that moves into it can be expected and seen.
"""

from __future__ import annotations

import random
from collections import Counter

from envs.contract.actions import Tool
from envs.contract.task import Split
from envs.gyms.apps.drive import lookup, rules
from envs.gyms.apps.drive.oracle_moves import VISITED_FILES, move_open_file, open_file
from envs.gyms.apps.drive.sampling import choose_file, choose_folder, drive_part, list_own_files
from envs.gyms.apps.drive.vocabulary import ROOT, Item
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_FOLDER = ("folder", visited_page("drive:folder:{folder}"))
NEW_FOLDERS: dict[Split, tuple[str, ...]] = {
    "train": ("Handover", "Board papers", "To be checked", "Shortlist", "For the auditors"),
    "dev": ("Second round", "Signed copies", "To be translated", "Ideas", "For the lawyers"),
    "test": ("Final round", "Scans", "To be printed", "Leftovers", "For the partners"),
}


def _sample_folder(world: Company, rng: random.Random, state: State) -> Params:
    """Where to make a folder, and what it is called."""
    part = drive_part(state)
    new = rng.choice(NEW_FOLDERS[world.split])
    names = Counter(item["name"] for item in (*part["folders"], *part["files"]))
    folder = choose_folder(rng, part, ROOT, [new])
    if names[folder["name"]] > 1:
        raise Resample("all folders have namesakes")
    path = lookup.folder_path(part, folder["id"])
    new_key = rules.next_folder_id(part)
    return {
        "folder": folder["id"],
        "inside": folder["name"],
        "path": path,
        "new": new,
        "made": new_key,
        "new_path": f"{path} / {new}",
    }


def _create_folder(page: Page, p: Params) -> navigation.Moves:
    page = yield from navigation.go_to(page, "All files")
    page = yield from navigation.search(page, p["inside"])
    page = yield from navigation.open_item(page, p["inside"])
    page = yield from navigation.open_link(page, "inside of this one", "New folder")
    page = yield from navigation.fill_fields(page, {"Name": p["new"]})
    return (yield from navigation.click(page, "make it", "Create folder"))


def _create_one_folder(page: Page, p: Params) -> Script:
    yield from _create_folder(page, p)
    return None


def _apply_folder(world: Company, p: Params, state: State) -> None:
    rules.create_folder(drive_part(state), world.user.id, p["new"], p["folder"])


def _folder_calls(p: Params) -> list[Tool]:
    arguments = {"name": p["new"], "inside": p["folder"]}
    return [Tool(name="drive.create_folder", arguments=arguments)]


def _sample_collection(world: Company, rng: random.Random, state: State) -> Params:
    params = _sample_folder(world, rng, state)
    files = rng.sample(list_own_files(world, state), 3)
    for letter, file in zip("abc", files, strict=True):
        params |= {letter: file["id"], f"{letter}_name": file["name"]}
    return params


def _collect_files(page: Page, p: Params) -> Script:
    page = yield from _create_folder(page, p)
    for letter in "abc":
        page = yield from open_file(page, p, f"{letter}_name")
        page = yield from move_open_file(page, p, "new_path")
    return None


def _apply_collection(world: Company, p: Params, state: State) -> None:
    _apply_folder(world, p, state)
    for letter in "abc":
        rules.move(drive_part(state), world.user.id, p[letter], p["made"])


def _collection_calls(p: Params) -> list[Tool]:
    moves = [
        Tool(name="drive.move", arguments={"item": p[letter], "folder": p["made"]})
        for letter in "abc"
    ]
    return _folder_calls(p) + moves


def _sample_cleanup(world: Company, rng: random.Random, state: State) -> Params:
    """Three near-duplicates, of which only the newest is kept."""
    own_files = list_own_files(world, state)
    first = choose_file(rng, own_files, "is the user's")
    start = " ".join(first["name"].split()[:2])
    family = [file for file in own_files if file["name"].startswith(start)]
    if len(family) < 3:
        raise Resample("no three files of the user are called nearly the same")
    files = rng.sample(family, 3)
    if len({file["modified"] for file in files}) < 3:
        raise Resample("near-duplicates are of the same day")
    params: Params = {"start": start}
    for letter, file in zip("abc", files, strict=True):
        params |= {letter: file["id"], f"{letter}_name": file["name"]}
    return params


def _list_outdated(p: Params, state: State) -> list[Item]:
    files = [lookup.get_file(drive_part(state), p[letter]) for letter in "abc"]
    return sorted(files, key=lambda file: file["modified"])[:2]


def _apply_cleanup(world: Company, p: Params, state: State) -> None:
    for file in _list_outdated(p, state):
        rules.move_to_trash(drive_part(state), world.user.id, file["id"], world.today)


def _clean_up(page: Page, p: Params) -> Script:
    names = [p[f"{letter}_name"] for letter in "abc"]
    for left in (3, 2):
        page = yield from navigation.go_to(page, "All files")
        page = yield from navigation.search(page, p["start"])
        page = yield from navigation.filter_list(page, "Sort", "Oldest", "the oldest first")
        oldest: str | None = None
        while oldest is None:
            oldest = next((line.name for line in page.elements("link") if line.name in names), None)
            if oldest is None:
                page = yield from navigation.open_link(page, "further on", "Next page")
        names.remove(oldest)
        page = yield from navigation.open_item(page, oldest, f"the oldest of {left}")
        page = yield from navigation.click(page, "what else there is", "More")
        page = yield from navigation.confirm(page, "Move to trash")
    return None


TEMPLATES = (
    Template(
        name="new_folder",
        skills=("search", "form"),
        oracle_steps=8,
        phrasings=(
            'Make a folder "{new}" inside of {path}.',
            'Create the folder "{new}" in {path}.',
        ),
        sample_params=_sample_folder,
        solve=_create_one_folder,
        milestones=(VISITED_FOLDER, FINISHED),
        apply_expected=_apply_folder,
        tool_calls=_folder_calls,
    ),
    Template(
        name="collect_files",
        skills=("search", "form", "multi-step"),
        oracle_steps=29,
        phrasings=(
            'Make a folder "{new}" inside of {path} and move three files into it: "{a_name}", '
            '"{b_name}" and "{c_name}".',
            'Collect "{a_name}", "{b_name}" and "{c_name}" in a new folder "{new}" in {path}.',
        ),
        sample_params=_sample_collection,
        solve=_collect_files,
        milestones=(VISITED_FOLDER, ("new folder", visited_page("drive:folder:{made}")), FINISHED),
        apply_expected=_apply_collection,
        tool_calls=_collection_calls,
    ),
    Template(
        name="keep_newest",
        skills=("search", "sort", "compare", "multi-step"),
        oracle_steps=18,
        phrasings=(
            'Of "{a_name}", "{b_name}" and "{c_name}" keep only the file that was modified last. '
            "Move the other two to the trash.",
            'Look when "{a_name}", "{b_name}" and "{c_name}" were modified, and throw away the two '
            "older ones.",
        ),
        sample_params=_sample_cleanup,
        solve=_clean_up,
        milestones=(VISITED_FILES, FINISHED),
        apply_expected=_apply_cleanup,
    ),
)
