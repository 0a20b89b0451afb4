"""What the drive's templates draw, and the ways to files that they share.

Draws take from the random source in a fixed order, so that a seed always makes the same task.
"""

from __future__ import annotations

import random
from collections import Counter

from envs.gyms.drive import rules
from envs.gyms.drive.data import Item
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.template import Params, Redraw, saw
from envs.gyms.view import Page

FILES = ("all files", saw("drive:files"))
FILE = ("file", saw("drive:file:{file}"))


def part_of(state: State) -> State:
    part: State = state["drive"]
    return part


def files_of(state: State) -> list[Item]:
    """The files that are not in the trash and that a name alone tells from all others."""
    part = part_of(state)
    everything = [*part["folders"], *part["files"]]
    count = Counter(item["name"].casefold() for item in everything)
    living = [item for item in rules.living(part) if rules.is_file(item)]
    return [file for file in living if count[file["name"].casefold()] == 1]


def alive(state: State) -> list[Item]:
    return [item for item in rules.living(part_of(state)) if rules.is_file(item)]


def own_files(world: Company, state: State) -> list[Item]:
    return [file for file in files_of(state) if file["owner"] == world.user.id]


def one_of(rng: random.Random, files: list[Item], what: str) -> Item:
    if not files:
        raise Redraw(f"there is no file that {what}")
    return rng.choice(files)


def named(file: Item) -> Params:
    return {"file": file["id"], "name": file["name"]}


def an_own(world: Company, rng: random.Random, state: State) -> Params:
    return named(one_of(rng, own_files(world, state), "is the user's"))


def a_folder(rng: random.Random, part: State, without: str, names: list[str]) -> Item:
    """One into which things with these names can be put."""
    found: Item = rng.choice([f for f in part["folders"] if f["id"] != without])
    taken = {item["name"].casefold() for item in rules.children(part, found["id"])}
    if taken & {name.casefold() for name in names}:
        raise Redraw("the names are taken in every folder")
    return found


def to_file(page: Page, p: Params, name: str = "name") -> ways.Way:
    page = yield from ways.go(page, "All files")
    page = yield from ways.search(page, p[name])
    return (yield from ways.open_item(page, p[name]))


def more(page: Page, item: str, thought: str) -> ways.Way:
    page = yield from ways.press(page, "what else there is", "More")
    return (yield from ways.open_link(page, thought, item))


def move_it(page: Page, p: Params, path: str = "path") -> ways.Way:
    page = yield from ways.open_link(page, "it belongs elsewhere", "Move")
    page = yield from ways.fill(page, {"Folder": p[path]})
    return (yield from ways.press(page, "there", "Move here"))


def expect_move(world: Company, p: Params, state: State) -> None:
    rules.move(part_of(state), world.user.id, p["file"], p["folder"])
