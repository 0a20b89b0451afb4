"""Tasks that tidy up: make a folder, collect files in it, keep the newest near-duplicate only.

A new folder's id is known in advance, so that what is moved into it can be expected and seen.
"""

from __future__ import annotations

import random
from collections import Counter

from envs.actions import Tool
from envs.gyms.drive import rules
from envs.gyms.drive.data import ROOT, Item
from envs.gyms.drive.drawing import FILES, a_folder, move_it, one_of, own_files, part_of, to_file
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.view import Page

FOLDER = ("folder", saw("drive:folder:{folder}"))
NEW_FOLDERS = ("Handover", "Board papers", "To be checked", "Shortlist", "For the auditors")


def _draw_folder(world: Company, rng: random.Random, state: State) -> Params:
    """Where to make a folder, and what it is called."""
    part = part_of(state)
    new = rng.choice(NEW_FOLDERS)
    names = Counter(item["name"] for item in (*part["folders"], *part["files"]))
    folder = a_folder(rng, part, ROOT, [new])
    if names[folder["name"]] > 1:
        raise Redraw("all folders have namesakes")
    path = rules.path_of(part, folder["id"])
    made = rules.next_folder(part)
    return {"folder": folder["id"], "inside": folder["name"], "path": path, "new": new,
            "made": made, "new_path": f"{path} / {new}"}  # fmt: skip


def _make_folder(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "All files")
    page = yield from ways.search(page, p["inside"])
    page = yield from ways.open_item(page, p["inside"])
    page = yield from ways.open_link(page, "inside of this one", "New folder")
    page = yield from ways.fill(page, {"Name": p["new"]})
    return (yield from ways.press(page, "make it", "Create folder"))


def _new_folder(page: Page, p: Params) -> Script:
    yield from _make_folder(page, p)
    return None


def _expect_folder(world: Company, p: Params, state: State) -> None:
    rules.create_folder(part_of(state), world.user.id, p["new"], p["folder"])


def _folder_calls(p: Params) -> list[Tool]:
    arguments = {"name": p["new"], "inside": p["folder"]}
    return [Tool(name="drive.create_folder", arguments=arguments)]


def _draw_collection(world: Company, rng: random.Random, state: State) -> Params:
    params = _draw_folder(world, rng, state)
    files = rng.sample(own_files(world, state), 3)
    for letter, file in zip("abc", files, strict=True):
        params |= {letter: file["id"], f"{letter}_name": file["name"]}
    return params


def _collect(page: Page, p: Params) -> Script:
    page = yield from _make_folder(page, p)
    for letter in "abc":
        page = yield from to_file(page, p, f"{letter}_name")
        page = yield from move_it(page, p, "new_path")
    return None


def _expect_collection(world: Company, p: Params, state: State) -> None:
    _expect_folder(world, p, state)
    for letter in "abc":
        rules.move(part_of(state), world.user.id, p[letter], p["made"])


def _collect_calls(p: Params) -> list[Tool]:
    moves = [
        Tool(name="drive.move", arguments={"item": p[letter], "folder": p["made"]})
        for letter in "abc"
    ]
    return _folder_calls(p) + moves


def _draw_cleanup(world: Company, rng: random.Random, state: State) -> Params:
    """Three near-duplicates, of which only the newest is kept."""
    own = own_files(world, state)
    first = one_of(rng, own, "is the user's")
    start = " ".join(first["name"].split()[:2])
    family = [file for file in own if file["name"].startswith(start)]
    if len(family) < 3:
        raise Redraw("no three files of the user are called nearly the same")
    files = rng.sample(family, 3)
    if len({file["modified"] for file in files}) < 3:
        raise Redraw("near-duplicates are of the same day")
    params: Params = {"start": start}
    for letter, file in zip("abc", files, strict=True):
        params |= {letter: file["id"], f"{letter}_name": file["name"]}
    return params


def _old_ones(p: Params, state: State) -> list[Item]:
    files = [rules.file_of(part_of(state), p[letter]) for letter in "abc"]
    return sorted(files, key=lambda file: file["modified"])[:2]


def _expect_cleanup(world: Company, p: Params, state: State) -> None:
    for file in _old_ones(p, state):
        rules.trash(part_of(state), world.user.id, file["id"], world.today)


def _clean_up(page: Page, p: Params) -> Script:
    names = [p[f"{letter}_name"] for letter in "abc"]
    for left in (3, 2):
        page = yield from ways.go(page, "All files")
        page = yield from ways.search(page, p["start"])
        page = yield from ways.narrow(page, "Sort", "Oldest", "the oldest first")
        oldest: str | None = None
        while oldest is None:
            oldest = next((line.name for line in page.of("link") if line.name in names), None)
            if oldest is None:
                page = yield from ways.open_link(page, "further on", "Next page")
        names.remove(oldest)
        page = yield from ways.open_item(page, oldest, f"the oldest of {left}")
        page = yield from ways.press(page, "what else there is", "More")
        page = yield from ways.sure(page, "Move to trash")
    return None


TEMPLATES = (
    Template(
        "new_folder", ("search", "form"), 8,
        ('Make a folder "{new}" inside of {path}.', 'Create the folder "{new}" in {path}.'),
        _draw_folder, _new_folder, (FOLDER, FINISHED), _expect_folder, calls=_folder_calls,
    ),
    Template(
        "collect_files", ("search", "form", "multi-step"), 29,
        ('Make a folder "{new}" inside of {path} and move three files into it: "{a_name}", '
         '"{b_name}" and "{c_name}".',
         'Collect "{a_name}", "{b_name}" and "{c_name}" in a new folder "{new}" in {path}.'),
        _draw_collection, _collect,
        (FOLDER, ("new folder", saw("drive:folder:{made}")), FINISHED), _expect_collection,
        calls=_collect_calls,
    ),
    Template(
        "keep_newest", ("search", "sort", "compare", "multi-step"), 18,
        ('Of "{a_name}", "{b_name}" and "{c_name}" keep only the file that was modified last. Move '
         "the other two to the trash.",
         'Look when "{a_name}", "{b_name}" and "{c_name}" were modified, and throw away the two '
         "older ones."),
        _draw_cleanup, _clean_up, (FILES, FINISHED), _expect_cleanup,
    ),
)  # fmt: skip
