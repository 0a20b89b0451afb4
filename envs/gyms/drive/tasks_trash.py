"""Tasks on the trash: throw away, take back out, delete for good.

All files in them are the user's, who may therefore do so.
"""

from __future__ import annotations

import random
from collections import Counter

from envs.gyms.drive import rules
from envs.gyms.drive.drawing import (
    FILE,
    FILES,
    a_folder,
    alive,
    an_own,
    expect_move,
    move_it,
    named,
    one_of,
    part_of,
    to_file,
)
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, saw
from envs.gyms.view import Page

TRASH = ("trash", saw("drive:trash"))


def _throw_away(page: Page, p: Params) -> Script:
    page = yield from ways.press(page, "what else there is", "More")
    yield from ways.sure(page, "Move to trash")
    return None


def _trash(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p)
    return (yield from _throw_away(page, p))


def _expect_trash(world: Company, p: Params, state: State) -> None:
    rules.trash(part_of(state), world.user.id, p["file"], world.today)


def _draw_nothing(world: Company, rng: random.Random, state: State) -> Params:
    mine = [f for f in alive(state) if f["owner"] == world.user.id]
    return named(max(mine, key=lambda file: file["size"]))


def _trash_largest(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Storage")
    page = yield from ways.open_item(page, p["name"], "the largest is the first")
    return (yield from _throw_away(page, p))


def _draw_trashed(world: Company, rng: random.Random, state: State) -> Params:
    """A file in the trash with a name of its own, and a folder that can take it."""
    part = part_of(state)
    count = Counter(item["name"].casefold() for item in (*part["folders"], *part["files"]))
    thrown = [i for i in rules.trashed(part) if count[i["name"].casefold()] == 1]
    file = one_of(rng, [i for i in thrown if i["owner"] == world.user.id], "is in the trash")
    folder = a_folder(rng, part, file["folder"], [file["name"]])
    path = rules.path_of(part, folder["id"])
    return named(file) | {"folder": folder["id"], "path": path}


def _to_trashed(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "Trash")
    page = yield from ways.search(page, p["name"])
    return (yield from ways.open_item(page, p["name"]))


def _restore(page: Page, p: Params) -> Script:
    page = yield from _to_trashed(page, p)
    page = yield from ways.press(page, "it is needed again", "Restore")
    yield from move_it(page, p)
    return None


def _expect_restored(world: Company, p: Params, state: State) -> None:
    rules.restore(part_of(state), world.user.id, p["file"])
    expect_move(world, p, state)


def _delete(page: Page, p: Params) -> Script:
    page = yield from _to_trashed(page, p)
    yield from ways.sure(page, "Delete for good")
    return None


TEMPLATES = (
    Template(
        "trash_file", ("search", "menu", "dialog"), 7,
        ('Move the file "{name}" to the trash.', 'Throw away the file "{name}".'),
        lambda world, rng, state: an_own(world, rng, state), _trash, (FILES, FILE, FINISHED),
        _expect_trash,
    ),
    Template(
        "trash_largest", ("sort", "menu", "dialog"), 6,
        ("Move the largest file that you own to the trash.",
         "Your drive is nearly full: throw away the largest one of your own files."),
        _draw_nothing, _trash_largest, (FILE, FINISHED), _expect_trash,
    ),
    Template(
        "restore_file", ("search", "form", "multi-step"), 8,
        ('Take the file "{name}" out of the trash and put it in the folder {path}.',
         '"{name}" was thrown away by mistake. Restore it, then move it to {path}.'),
        _draw_trashed, _restore, (TRASH, FILE, FINISHED), _expect_restored,
    ),
    Template(
        "delete_file", ("search", "dialog"), 6,
        ('Delete the file "{name}", which is in the trash, for good. Keep the rest of the trash.',
         'Remove "{name}" from the trash for ever, and nothing else.'),
        _draw_trashed, _delete, (TRASH, FILE, FINISHED),
        lambda world, p, state: rules.delete(part_of(state), world.user.id, p["file"]),
    ),
)  # fmt: skip
