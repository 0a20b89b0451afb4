"""Tasks on the trash: throw away, restore, delete for good.

All files in them are the user's, who may therefore do so.
"""

from __future__ import annotations

import random
from collections import Counter

from envs.gyms.apps.drive import lookup, rules
from envs.gyms.apps.drive.oracle_moves import VISITED_FILE, VISITED_FILES, move_open_file, open_file
from envs.gyms.apps.drive.sampling import (
    choose_file,
    choose_folder,
    drive_part,
    file_params,
    list_active_files,
    sample_own_file,
)
from envs.gyms.apps.drive.tasks_moving import apply_move
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_TRASH = ("trash", visited_page("drive:trash"))


def _trash_open_file(page: Page, p: Params) -> Script:
    page = yield from navigation.click(page, "what else there is", "More")
    yield from navigation.confirm(page, "Move to trash")
    return None


def _trash_file(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p)
    return (yield from _trash_open_file(page, p))


def _apply_trash(world: Company, p: Params, state: State) -> None:
    rules.move_to_trash(drive_part(state), world.user.id, p["file"], world.today)


def _sample_largest(world: Company, rng: random.Random, state: State) -> Params:
    own_files = [f for f in list_active_files(state) if f["owner"] == world.user.id]
    return file_params(max(own_files, key=lambda file: file["size"])) | {"company": world.name}


def _trash_largest(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Storage")
    page = yield from navigation.open_item(page, p["name"], "the largest is the first")
    return (yield from _trash_open_file(page, p))


def _sample_trashed(world: Company, rng: random.Random, state: State) -> Params:
    """A file in the trash with a name of its own, and a folder that can take it."""
    part = drive_part(state)
    count = Counter(item["name"].casefold() for item in (*part["folders"], *part["files"]))
    trashed = [i for i in lookup.list_trash(part) if count[i["name"].casefold()] == 1]
    file = choose_file(rng, [i for i in trashed if i["owner"] == world.user.id], "is in the trash")
    folder = choose_folder(rng, part, file["folder"], [file["name"]])
    path = lookup.folder_path(part, folder["id"])
    return file_params(file) | {"folder": folder["id"], "path": path}


def _open_trashed(page: Page, p: Params) -> navigation.Moves:
    page = yield from navigation.go_to(page, "Trash")
    page = yield from navigation.search(page, p["name"])
    return (yield from navigation.open_item(page, p["name"]))


def _restore_file(page: Page, p: Params) -> Script:
    page = yield from _open_trashed(page, p)
    page = yield from navigation.click(page, "it is needed again", "Restore")
    yield from move_open_file(page, p)
    return None


def _apply_restore(world: Company, p: Params, state: State) -> None:
    rules.restore_from_trash(drive_part(state), world.user.id, p["file"])
    apply_move(world, p, state)


def _delete_file(page: Page, p: Params) -> Script:
    page = yield from _open_trashed(page, p)
    yield from navigation.confirm(page, "Delete for good")
    return None


TEMPLATES = (
    Template(
        name="trash_file",
        skills=("search", "menu", "dialog"),
        oracle_steps=7,
        phrasings=('Move the file "{name}" to the trash.', 'Throw away the file "{name}".'),
        sample_params=sample_own_file,
        solve=_trash_file,
        milestones=(VISITED_FILES, VISITED_FILE, FINISHED),
        apply_expected=_apply_trash,
    ),
    Template(
        name="trash_largest",
        skills=("sort", "menu", "dialog"),
        oracle_steps=6,
        phrasings=(
            "Move the largest file that you own in {company} Drive to the trash.",
            "Your drive at {company} is nearly full: throw away the largest one of your own files.",
        ),
        sample_params=_sample_largest,
        solve=_trash_largest,
        milestones=(VISITED_FILE, FINISHED),
        apply_expected=_apply_trash,
    ),
    Template(
        name="restore_file",
        skills=("search", "form", "multi-step"),
        oracle_steps=8,
        phrasings=(
            'Take the file "{name}" out of the trash and put it in the folder {path}.',
            '"{name}" was thrown away by mistake. Restore it, then move it to {path}.',
        ),
        sample_params=_sample_trashed,
        solve=_restore_file,
        milestones=(VISITED_TRASH, VISITED_FILE, FINISHED),
        apply_expected=_apply_restore,
    ),
    Template(
        name="delete_file",
        skills=("search", "dialog"),
        oracle_steps=6,
        phrasings=(
            'Delete the file "{name}", which is in the trash, for good. Keep the rest of the '
            "trash.",
            'Remove "{name}" from the trash for ever, and nothing else.',
        ),
        sample_params=_sample_trashed,
        solve=_delete_file,
        milestones=(VISITED_TRASH, VISITED_FILE, FINISHED),
        apply_expected=lambda world, p, state: rules.delete_for_good(
            drive_part(state), world.user.id, p["file"]
        ),
    ),
)
