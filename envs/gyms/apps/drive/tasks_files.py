"""Tasks on one file: star it, rename it.

A name alone tells the file from all others, except where its namesake is the point of the task.
"""

from __future__ import annotations

import random
from collections import Counter

from envs.contract.actions import Tool
from envs.gyms.apps.drive import lookup, rules
from envs.gyms.apps.drive.oracle_moves import VISITED_FILE, VISITED_FILES, open_file
from envs.gyms.apps.drive.sampling import (
    choose_file,
    drive_part,
    file_params,
    list_unique_files,
    sample_own_file,
)
from envs.gyms.apps.drive.vocabulary import Item
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

ENDINGS = ("approved", "signed", "for review", "to be filed", "2027 edition")


def _make_new_name(rng: random.Random, state: State, name: str) -> str:
    base = name.removesuffix(" - copy")
    new_name = f"{base} {rng.choice(ENDINGS)}"
    if new_name in [file["name"] for file in drive_part(state)["files"]]:
        raise Resample("all new names are taken")
    return new_name


def _sample_unstarred(world: Company, rng: random.Random, state: State) -> Params:
    files = [file for file in list_unique_files(state) if not file["starred"]]
    return file_params(choose_file(rng, files, "has no star"))


def _star_file(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p)
    yield from navigation.click(page, "mark it", "Star")
    return None


def _sample_rename(world: Company, rng: random.Random, state: State) -> Params:
    params = sample_own_file(world, rng, state)
    return params | {"new": _make_new_name(rng, state, params["name"])}


def _apply_rename(world: Company, p: Params, state: State) -> None:
    rules.rename(drive_part(state), world.user.id, p["file"], p["new"])


def _rename_open_file(page: Page, p: Params) -> navigation.Moves:
    page = yield from navigation.open_link(page, "give it another name", "Rename")
    page = yield from navigation.fill_fields(page, {"Name": p["new"]})
    return (yield from navigation.click(page, "save it", "Save name"))


def _rename_file(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p)
    yield from _rename_open_file(page, p)
    return None


def _list_namesakes(state: State) -> list[Item]:
    """Files of which a namesake is in another folder."""
    files = [item for item in lookup.list_active_items(drive_part(state)) if lookup.is_file(item)]
    count = Counter(file["name"] for file in files)
    return [file for file in files if count[file["name"]] > 1]


def _prepare_namesake(world: Company, rng: random.Random, state: State) -> None:
    """Gives the user one of the namesakes, if none is the user's."""
    twins = _list_namesakes(state)
    if twins and all(file["owner"] != world.user.id for file in twins):
        file = rng.choice(twins)
        file["shares"] = [share for share in file["shares"] if share["id"] != world.user.id]
        file["owner"] = world.user.id


def _sample_namesake(world: Company, rng: random.Random, state: State) -> Params:
    """A file of the user of which a namesake is in another folder."""
    twins = [file for file in _list_namesakes(state) if file["owner"] == world.user.id]
    file = choose_file(rng, twins, "has a namesake")
    path = lookup.folder_path(drive_part(state), file["folder"])
    return file_params(file) | {"path": path, "new": _make_new_name(rng, state, file["name"])}


def _rename_namesake(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "All files")
    page = yield from navigation.search(page, p["name"])
    page = yield from navigation.open_item(
        page, f"{p['name']} in {p['path']}", "the one in this folder"
    )
    yield from _rename_open_file(page, p)
    return None


def _sample_readable(world: Company, rng: random.Random, state: State) -> Params:
    files = [
        file
        for file in list_unique_files(state)
        if lookup.get_role(file, world.user.id) in ("Viewer", "Commenter")
    ]
    file = choose_file(rng, files, "the user can only read")
    return file_params(file) | {"new": _make_new_name(rng, state, file["name"])}


def _find_rename_refused(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p)
    page = yield from navigation.open_link(page, "see whether I may", "Rename")
    if page.text_after("Only people with the role Editor") is not None:
        raise GiveUp("only editors can rename it")
    return None


TEMPLATES = (
    Template(
        name="star_file",
        skills=("search",),
        oracle_steps=5,
        phrasings=(
            'Star the file "{name}".',
            'Mark the file "{name}" with a star.',
            'I want to find "{name}" again quickly: star it.',
        ),
        sample_params=_sample_unstarred,
        solve=_star_file,
        milestones=(VISITED_FILES, VISITED_FILE, FINISHED),
        apply_expected=lambda world, p, state: rules.set_star(drive_part(state), p["file"], True),
        tool_calls=lambda p: [Tool(name="drive.star", arguments={"file": p["file"]})],
    ),
    Template(
        name="rename_file",
        skills=("search", "form"),
        oracle_steps=7,
        phrasings=(
            'Rename the file "{name}" to "{new}".',
            'The file "{name}" should be called "{new}".',
        ),
        sample_params=_sample_rename,
        solve=_rename_file,
        milestones=(VISITED_FILES, VISITED_FILE, FINISHED),
        apply_expected=_apply_rename,
    ),
    Template(
        name="rename_twin",
        skills=("search", "form", "compare"),
        oracle_steps=7,
        phrasings=(
            'There are two files called "{name}". Rename the one in the folder {path} to "{new}".',
            'In {path}, rename "{name}" to "{new}". Leave its namesake in the other folder alone.',
        ),
        sample_params=_sample_namesake,
        prepare_state=_prepare_namesake,
        solve=_rename_namesake,
        milestones=(VISITED_FILES, VISITED_FILE, FINISHED),
        apply_expected=_apply_rename,
    ),
    Template(
        name="rename_refused",
        skills=("search", "refuse"),
        oracle_steps=5,
        phrasings=(
            'Rename the file "{name}" to "{new}", if your role on it allows that.',
            'Call the file "{name}" "{new}" instead. If you may not, say that it cannot be done.',
        ),
        sample_params=_sample_readable,
        solve=_find_rename_refused,
        milestones=(VISITED_FILES, VISITED_FILE, FINISHED),
        infeasible=True,
        required_events=("drive:refused:rename:{file}",),
        tool_calls=lambda p: [
            Tool(name="drive.rename", arguments={"item": p["file"], "name": p["new"]})
        ],
    ),
)
