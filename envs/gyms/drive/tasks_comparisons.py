"""Tasks that look files up by size, day, owner and kind: star the right one, or answer.

Each has exactly one right outcome: no two files have the same size, and pairs of one day are
drawn again.
"""

from __future__ import annotations

import random

from envs.gyms.drive import rules
from envs.gyms.drive.data import KINDS, Item
from envs.gyms.drive.drawing import FILES, alive, files_of, named, one_of, part_of, to_file
from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.view import Page

STORAGE = ("storage", saw("drive:storage"))


def _draw_pair(world: Company, rng: random.Random, state: State) -> Params:
    """Two near-duplicates: the words that they begin with are the same."""
    files = [file for file in files_of(state) if not file["starred"]]
    first = one_of(rng, files, "has no star")
    start = " ".join(first["name"].split()[:2])
    near = [f for f in files if f is not first and f["name"].startswith(start)]
    other = one_of(rng, near, "is called nearly the same")
    if first["modified"] == other["modified"]:
        raise Redraw("all near-duplicates are of the same day")
    return named(first) | {"other": other["id"], "other_name": other["name"], "start": start}


def _expect_star_of_pair(world: Company, p: Params, state: State, by: str) -> None:
    part = part_of(state)
    pair = [rules.file_of(part, p["file"]), rules.file_of(part, p["other"])]
    rules.set_star(part, max(pair, key=lambda file: file[by])["id"], True)


def _star_larger(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p)
    first = int(ways.value_of(page, "Size").partition(" ")[0])
    page = yield from to_file(page, p, "other_name")
    if first > int(ways.value_of(page, "Size").partition(" ")[0]):
        page = yield from to_file(page, p)
    yield from ways.press(page, "this one is larger", "Star")
    return None


def _star_newer(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "All files")
    page = yield from ways.search(page, p["start"])
    page = yield from ways.narrow(page, "Sort", "Last modified", "the newest first")
    pair = (p["name"], p["other_name"])
    first = next((line.name for line in page.of("link") if line.name in pair), pair[0])
    page = yield from ways.open_item(page, first, "this one is newer")
    yield from ways.press(page, "mark it", "Star")
    return None


def _draw_largest(world: Company, rng: random.Random, state: State) -> Params:
    """Of an owner and a kind, so that several are in question."""
    file = one_of(rng, files_of(state), "can be the largest")
    same = [f for f in alive(state) if (f["owner"], f["kind"]) == (file["owner"], file["kind"])]
    if len(same) < 2 or max(same, key=lambda f: f["size"]) is not file:
        raise Redraw("no file is the largest of several")
    return {"who": world.person(file["owner"]).name, "kind": file["kind"], "owner": file["owner"]}


def _of_owner(p: Params, state: State) -> list[Item]:
    return [f for f in alive(state) if (f["owner"], f["kind"]) == (p["owner"], p["kind"])]


def _largest(world: Company, p: Params, before: State) -> str:
    return str(max(_of_owner(p, before), key=lambda file: file["size"])["name"])


def _narrow_to(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "All files")
    page = yield from ways.narrow(page, "Owner", p["who"])
    return (yield from ways.narrow(page, "Kind", p["kind"]))


def _find_largest(page: Page, p: Params) -> Script:
    page = yield from _narrow_to(page, p)
    page = yield from ways.narrow(page, "Sort", "Largest", "the largest first")
    heads = [index for index, line in enumerate(page.lines) if " found, sorted by " in line.name]
    return next(line.name for line in page.lines[heads[0] :] if line.role == "link")


def _draw_several(world: Company, rng: random.Random, state: State) -> Params:
    owner, kind = rng.choice(alive(state))["owner"], rng.choice(KINDS)
    params = {"who": world.person(owner).name, "kind": kind, "owner": owner}
    if len(_of_owner(params, state)) < 3:
        raise Redraw("nobody owns three files of a kind")
    return params


def _count(page: Page, p: Params) -> Script:
    page = yield from _narrow_to(page, p)
    told = next(line.name for line in page.lines if " found, sorted by " in line.name)
    return told.partition(" ")[0]


def _draw_storage(world: Company, rng: random.Random, state: State) -> Params:
    return {"kind": rng.choice(KINDS)}


def _stored(world: Company, p: Params, before: State) -> str:
    mine = [f for f in alive(before) if f["owner"] == world.user.id and f["kind"] == p["kind"]]
    return str(sum(file["size"] for file in mine))


def _read_stored(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Storage")
    return ways.value_of(page, p["kind"]).partition(" ")[0]


def _draw_date(world: Company, rng: random.Random, state: State) -> Params:
    return named(one_of(rng, files_of(state), "has a date"))


def _read_date(page: Page, p: Params) -> Script:
    page = yield from to_file(page, p)
    return ways.value_of(page, "Modified")


TEMPLATES = (
    Template(
        "star_larger", ("search", "compare"), 13,
        ('Which is larger, "{name}" or "{other_name}"? Star that file.',
         'Star the larger one of the files "{name}" and "{other_name}", not the other.'),
        _draw_pair, _star_larger, (FILES, FINISHED),
        lambda world, p, state: _expect_star_of_pair(world, p, state, "size"),
    ),
    Template(
        "star_newer", ("search", "sort", "compare"), 8,
        ('Star whichever of "{name}" and "{other_name}" was modified last.',
         'Of the files "{name}" and "{other_name}", star the newer one.'),
        _draw_pair, _star_newer, (FILES, FINISHED),
        lambda world, p, state: _expect_star_of_pair(world, p, state, "modified"),
    ),
    Template(
        "largest_file", ("filter", "sort", "answer"), 8,
        ("What is the name of the largest file of the kind {kind} that {who} owns?",
         "{who} owns several files of the kind {kind}. Which is the largest? Give its name."),
        _draw_largest, _find_largest, (FILES, FINISHED), answer=_largest,
    ),
    Template(
        "count_files", ("filter", "answer"), 6,
        ("How many files of the kind {kind} does {who} own, not counting the trash?",
         "Count the files outside of the trash that are of the kind {kind} and owned by {who}."),
        _draw_several, _count, (FILES, FINISHED),
        answer=lambda world, p, before: str(len(_of_owner(p, before))), answer_kind="number",
    ),
    Template(
        "storage_used", ("answer",), 2,
        ("How many KB do the files of the kind {kind} take up that you own (without the trash)? "
         "Answer with the number.",
         "What do your files of the kind {kind} add up to in KB, leaving out the trash? Answer "
         "with the number alone."),
        _draw_storage, _read_stored, (STORAGE, FINISHED), answer=_stored, answer_kind="number",
    ),
    Template(
        "modified_on", ("search", "answer"), 4,
        ('On which day was the file "{name}" last modified?',
         'When was "{name}" modified last? Answer with the date.'),
        _draw_date, _read_date, (FILES, FINISHED),
        answer=lambda world, p, before: str(
            rules.file_of(part_of(before), p["file"])["modified"]
        ),
        answer_kind="date",
    ),
)  # fmt: skip
