"""Tasks on one file: star, rename, move, drag, copy, describe it.

A name alone tells the file from all others, except where its namesake is the point of the task.
"""

from __future__ import annotations

import random
from collections import Counter

from envs.actions import Tool
from envs.gyms.drive import rules
from envs.gyms.drive.drawing import (
    FILE,
    FILES,
    a_folder,
    an_own,
    expect_move,
    files_of,
    more,
    move_it,
    named,
    one_of,
    own_files,
    part_of,
    to_file,
)
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.view import Page

OTHER = ("other file", saw("drive:file:{other}"))
ENDINGS = ("approved", "signed", "for review", "to be filed", "2027 edition")


def _new_name(rng: random.Random, state: State, name: str) -> str:
    base = name.removesuffix(" - copy")
    made = f"{base} {rng.choice(ENDINGS)}"
    if made in [file["name"] for file in part_of(state)["files"]]:
        raise Redraw("all new names are taken")
    return made


def _draw_plain(world: Company, rng: random.Random, state: State) -> Params:
    files = [file for file in files_of(state) if not file["starred"]]
    return named(one_of(rng, files, "has no star"))


def _star(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p)
    yield from ways.press(page, "mark it", "Star")
    return None


def _draw_rename(world: Company, rng: random.Random, state: State) -> Params:
    params = an_own(world, rng, state)
    return params | {"new": _new_name(rng, state, params["name"])}


def _expect_rename(world: Company, p: Params, state: State) -> None:
    rules.rename(part_of(state), world.user.id, p["file"], p["new"])


def _rename_it(page: Page, p: Params) -> ways.Way:
    page = yield from ways.open_link(page, "give it another name", "Rename")
    page = yield from ways.fill(page, {"Name": p["new"]})
    return (yield from ways.press(page, "save it", "Save name"))


def _rename(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p)
    yield from _rename_it(page, p)
    return None


def _draw_twin(world: Company, rng: random.Random, state: State) -> Params:
    """A file of which a namesake is in another folder."""
    part = part_of(state)
    files = [item for item in rules.living(part) if rules.is_file(item)]
    count = Counter(file["name"] for file in files)
    twins = [f for f in files if count[f["name"]] > 1 and f["owner"] == world.user.id]
    file = one_of(rng, twins, "has a namesake")
    path = rules.path_of(part, file["folder"])
    return named(file) | {"path": path, "new": _new_name(rng, state, file["name"])}


def _rename_twin(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "All files")
    page = yield from ways.search(page, p["name"])
    page = yield from ways.open_item(page, f"{p['name']} in {p['path']}", "the one in this folder")
    yield from _rename_it(page, p)
    return None


def _draw_readable(world: Company, rng: random.Random, state: State) -> Params:
    files = [
        file
        for file in files_of(state)
        if rules.role_of(file, world.user.id) in ("Viewer", "Commenter")
    ]
    file = one_of(rng, files, "the user can only read")
    return named(file) | {"new": _new_name(rng, state, file["name"])}


def _rename_refused(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p)
    role = ways.value_of(page, "Your role")
    if role in ("Viewer", "Commenter"):
        raise GiveUp(f"as a {role.lower()} I cannot rename it")
    return None


def _draw_move(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    params = an_own(world, rng, state)
    file = rules.file_of(part, params["file"])
    folder = a_folder(rng, part, file["folder"], [file["name"]])
    return params | {"folder": folder["id"], "path": rules.path_of(part, folder["id"])}


def _move(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p)
    yield from move_it(page, p)
    return None


def _draw_drag(world: Company, rng: random.Random, state: State) -> Params:
    """A file and a folder next to it, both high up in their folder's list."""
    part = part_of(state)
    names = Counter(item["name"] for item in (*part["folders"], *part["files"]))
    place = rng.choice([f for f in part["folders"][1:] if names[f["name"]] == 1])
    shown = sorted(rules.children(part, place["id"]), key=lambda item: item["name"].casefold())[:8]
    folders = [item for item in shown if not rules.is_file(item)]
    own = {file["id"] for file in own_files(world, state)}
    files = [item for item in shown if item["id"] in own]
    if not folders:
        raise Redraw("no folder has both a folder and a file in it")
    file, folder = one_of(rng, files, "is next to a folder"), rng.choice(folders)
    if file["name"] in [item["name"] for item in rules.children(part, folder["id"])]:
        raise Redraw("the names are taken")
    return named(file) | {
        "folder": folder["id"], "onto": folder["name"], "inside": place["name"],
        "place": place["id"], "path": rules.path_of(part, place["id"]),
    }  # fmt: skip


def _drag(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "All files")
    page = yield from ways.search(page, p["inside"])
    page = yield from ways.open_item(page, p["inside"])
    yield from ways.drag(page, "drag it there", p["name"], p["onto"])
    return None


def _move_calls(p: Params) -> list[Tool]:
    return [Tool(name="drive.move", arguments={"item": p["file"], "folder": p["folder"]})]


def _draw_copy(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    file = one_of(rng, files_of(state), "can be copied")
    new = _new_name(rng, state, file["name"])
    folder = a_folder(rng, part, file["folder"], [new])
    return named(file) | {
        "new": new, "folder": folder["id"], "path": rules.path_of(part, folder["id"])
    }  # fmt: skip


def _copy(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p)
    page = yield from more(page, "Make a copy", "a copy of it")
    page = yield from ways.fill(page, {"Name of the copy": p["new"], "Folder": p["path"]})
    yield from ways.press(page, "make it", "Create copy")
    return None


def _draw_description(world: Company, rng: random.Random, state: State) -> Params:
    file = one_of(rng, [f for f in own_files(world, state) if not f["description"]], "has no words")
    known = [f for f in files_of(state) if f["description"] and f is not file]
    other = one_of(rng, known, "has a description")
    return named(file) | {"other": other["id"], "other_name": other["name"]}


def _expect_description(world: Company, p: Params, state: State) -> None:
    part = part_of(state)
    text = rules.file_of(part, p["other"])["description"]
    rules.describe(part, world.user.id, p["file"], text)


def _describe_alike(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p, "other_name")
    text = ways.value_of(page, "Description")
    page = yield from to_file(page, p)
    page = yield from more(page, "Edit description", "write the same here")
    page = yield from ways.fill(page, {"Description": text})
    yield from ways.press(page, "save it", "Save description")
    return None


TEMPLATES = (
    Template(
        "star_file", ("search",), 5,
        ('Star the file "{name}".', 'Mark the file "{name}" with a star.',
         'I want to find "{name}" again quickly: star it.'),
        _draw_plain, _star, (FILES, FILE, FINISHED),
        lambda world, p, state: rules.set_star(part_of(state), p["file"], True),
        calls=lambda p: [Tool(name="drive.star", arguments={"file": p["file"]})],
    ),
    Template(
        "rename_file", ("search", "form"), 7,
        ('Rename the file "{name}" to "{new}".', 'The file "{name}" should be called "{new}".'),
        _draw_rename, _rename, (FILES, FILE, FINISHED), _expect_rename,
    ),
    Template(
        "rename_twin", ("search", "form", "compare"), 7,
        ('There are two files called "{name}". Rename the one in the folder {path} to "{new}".',
         'In {path}, rename "{name}" to "{new}". Leave its namesake in the other folder alone.'),
        _draw_twin, _rename_twin, (FILES, FILE, FINISHED), _expect_rename,
    ),
    Template(
        "rename_refused", ("search", "refuse"), 4,
        ('Rename the file "{name}" to "{new}", if your role on it allows that.',
         'Call the file "{name}" "{new}" instead. If you may not, say that it cannot be done.'),
        _draw_readable, _rename_refused, (FILES, FILE, FINISHED), infeasible=True,
        must_see=("drive:file:{file}",),
    ),
    Template(
        "move_file", ("search", "form"), 7,
        ('Move the file "{name}" to the folder {path}.',
         'The file "{name}" belongs in {path}. Put it there.'),
        _draw_move, _move, (FILES, FILE, FINISHED), expect_move, calls=_move_calls,
    ),
    Template(
        "drag_file", ("search", "drag"), 5,
        ('Open the folder {path} and drag "{name}" onto its folder {onto}.',
         'In {path}, put the file "{name}" into the subfolder {onto}.'),
        _draw_drag, _drag,
        (("place", saw("drive:folder:{place}")), FINISHED), expect_move, calls=_move_calls,
    ),
    Template(
        "copy_file", ("search", "menu", "form"), 9,
        ('Make a copy of "{name}", call it "{new}" and put it in {path}.',
         'Copy the file "{name}" to the folder {path} under the name "{new}".'),
        _draw_copy, _copy, (FILES, FILE, FINISHED),
        lambda world, p, state: rules.copy_file(
            part_of(state), world.user.id, p["file"], p["new"], p["folder"], world.today
        ),
    ),
    Template(
        "describe_alike", ("search", "recall", "menu", "form"), 12,
        ('Give the file "{name}" the same description as "{other_name}" has.',
         'Copy the description of "{other_name}" to the file "{name}", word for word.'),
        _draw_description, _describe_alike, (OTHER, FILE, FINISHED), _expect_description,
    ),
)  # fmt: skip
