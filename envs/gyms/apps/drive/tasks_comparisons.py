"""Tasks that look files up by size, day, owner and kind: star the right one, or answer.

Each has exactly one right outcome: no two files have the same size, and pairs of one day are
sampled again.
"""

from __future__ import annotations

import random

from envs.gyms.apps.drive import lookup, rules
from envs.gyms.apps.drive.oracle_moves import VISITED_FILES, open_file
from envs.gyms.apps.drive.sampling import (
    choose_file,
    drive_part,
    file_params,
    list_active_files,
    list_unique_files,
)
from envs.gyms.apps.drive.vocabulary import KINDS, Item
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Resample, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_STORAGE = ("storage", visited_page("drive:storage"))


def _sample_pair(world: Company, rng: random.Random, state: State) -> Params:
    """Two near-duplicates: the words that they begin with are the same."""
    files = [file for file in list_unique_files(state) if not file["starred"]]
    first = choose_file(rng, files, "has no star")
    start = " ".join(first["name"].split()[:2])
    similar = [f for f in files if f is not first and f["name"].startswith(start)]
    other = choose_file(rng, similar, "is called nearly the same")
    if first["modified"] == other["modified"]:
        raise Resample("all near-duplicates are of the same day")
    return file_params(first) | {"other": other["id"], "other_name": other["name"], "start": start}


def _apply_star(world: Company, p: Params, state: State, by: str) -> None:
    part = drive_part(state)
    pair = [lookup.get_file(part, p["file"]), lookup.get_file(part, p["other"])]
    rules.set_star(part, max(pair, key=lambda file: file[by])["id"], True)


def _star_larger(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p)
    first = int(navigation.read_value(page, "Size").partition(" ")[0])
    page = yield from open_file(page, p, "other_name")
    if first > int(navigation.read_value(page, "Size").partition(" ")[0]):
        page = yield from open_file(page, p)
    yield from navigation.click(page, "this one is larger", "Star")
    return None


def _find_first(page: Page, names: tuple[str, str]) -> str | None:
    return next((line.name for line in page.elements("link") if line.name in names), None)


def _star_newer(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "All files")
    page = yield from navigation.search(page, p["start"])
    page = yield from navigation.filter_list(page, "Sort", "Last modified", "the newest first")
    pair = (p["name"], p["other_name"])
    first = _find_first(page, pair)
    while first is None and page.find("link", "Next page"):
        page = yield from navigation.open_link(page, "neither is on this page", "Next page")
        first = _find_first(page, pair)
    page = yield from navigation.open_item(page, first or pair[0], "this one is newer")
    yield from navigation.click(page, "mark it", "Star")
    return None


def _sample_largest(world: Company, rng: random.Random, state: State) -> Params:
    """Of an owner and a kind, so that several are in question."""
    file = choose_file(rng, list_unique_files(state), "can be the largest")
    same = [
        f
        for f in list_active_files(state)
        if (f["owner"], f["kind"]) == (file["owner"], file["kind"])
    ]
    if len(same) < 2 or max(same, key=lambda f: f["size"]) is not file:
        raise Resample("no file is the largest of several")
    return {"who": world.person(file["owner"]).name, "kind": file["kind"], "owner": file["owner"]}


def _list_of_owner(p: Params, state: State) -> list[Item]:
    return [
        f for f in list_active_files(state) if (f["owner"], f["kind"]) == (p["owner"], p["kind"])
    ]


def _largest_name(world: Company, p: Params, before: State) -> str:
    return str(max(_list_of_owner(p, before), key=lambda file: file["size"])["name"])


def _filter_by_owner_and_kind(page: Page, p: Params) -> navigation.Moves:
    page = yield from navigation.go_to(page, "All files")
    page = yield from navigation.filter_list(page, "Owner", p["who"])
    return (yield from navigation.filter_list(page, "Kind", p["kind"]))


def _find_largest(page: Page, p: Params) -> Script:
    page = yield from _filter_by_owner_and_kind(page, p)
    page = yield from navigation.filter_list(page, "Sort", "Largest", "the largest first")
    heads = [index for index, line in enumerate(page.lines) if " found, sorted by " in line.name]
    return next(line.name for line in page.lines[heads[0] :] if line.role == "link")


def _sample_owner_and_kind(world: Company, rng: random.Random, state: State) -> Params:
    owner, kind = rng.choice(list_active_files(state))["owner"], rng.choice(KINDS)
    params = {"who": world.person(owner).name, "kind": kind, "owner": owner}
    if len(_list_of_owner(params, state)) < 3:
        raise Resample("nobody owns three files of a kind")
    return params


def _count_files(page: Page, p: Params) -> Script:
    page = yield from _filter_by_owner_and_kind(page, p)
    summary = next(line.name for line in page.lines if " found, sorted by " in line.name)
    return summary.partition(" ")[0]


def _sample_kind(world: Company, rng: random.Random, state: State) -> Params:
    return {"kind": rng.choice(KINDS), "company": world.name}


def _storage_used(world: Company, p: Params, before: State) -> str:
    own_files = [
        f
        for f in list_active_files(before)
        if f["owner"] == world.user.id and f["kind"] == p["kind"]
    ]
    return str(sum(file["size"] for file in own_files))


def _read_storage(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Storage")
    return navigation.read_value(page, p["kind"]).partition(" ")[0]


def _sample_file(world: Company, rng: random.Random, state: State) -> Params:
    return file_params(choose_file(rng, list_unique_files(state), "has a date"))


def _read_modified(page: Page, p: Params) -> Script:
    page = yield from open_file(page, p)
    return navigation.read_value(page, "Modified")


TEMPLATES = (
    Template(
        name="star_larger",
        skills=("search", "compare"),
        oracle_steps=13,
        phrasings=(
            'Which is larger, "{name}" or "{other_name}"? Star that file.',
            'Star the larger one of the files "{name}" and "{other_name}", not the other.',
        ),
        sample_params=_sample_pair,
        solve=_star_larger,
        milestones=(VISITED_FILES, FINISHED),
        apply_expected=lambda world, p, state: _apply_star(world, p, state, "size"),
    ),
    Template(
        name="star_newer",
        skills=("search", "sort", "compare"),
        oracle_steps=8,
        phrasings=(
            'Star whichever of "{name}" and "{other_name}" was modified last.',
            'Of the files "{name}" and "{other_name}", star the newer one.',
        ),
        sample_params=_sample_pair,
        solve=_star_newer,
        milestones=(VISITED_FILES, FINISHED),
        apply_expected=lambda world, p, state: _apply_star(world, p, state, "modified"),
    ),
    Template(
        name="largest_file",
        skills=("filter", "sort", "answer"),
        oracle_steps=8,
        phrasings=(
            "What is the name of the largest file of the kind {kind} that {who} owns?",
            "{who} owns several files of the kind {kind}. Which is the largest? Give its name.",
        ),
        sample_params=_sample_largest,
        solve=_find_largest,
        milestones=(VISITED_FILES, FINISHED),
        expected_answer=_largest_name,
    ),
    Template(
        name="count_files",
        skills=("filter", "answer"),
        oracle_steps=6,
        phrasings=(
            "How many files of the kind {kind} does {who} own, not counting the trash?",
            "Count the files outside of the trash that are of the kind {kind} and owned by {who}.",
        ),
        sample_params=_sample_owner_and_kind,
        solve=_count_files,
        milestones=(VISITED_FILES, FINISHED),
        expected_answer=lambda world, p, before: str(len(_list_of_owner(p, before))),
        answer_kind="number",
        answer_units=("files", "file"),
    ),
    Template(
        name="storage_used",
        skills=("answer",),
        oracle_steps=2,
        phrasings=(
            "How many KB do the files of the kind {kind} take up that you own at {company} "
            "(without the trash)? Answer with the number.",
            "What do your files of the kind {kind} in {company} Drive add up to in KB, leaving out "
            "the trash? Answer with the number alone.",
        ),
        sample_params=_sample_kind,
        solve=_read_storage,
        milestones=(VISITED_STORAGE, FINISHED),
        expected_answer=_storage_used,
        answer_kind="number",
        answer_units=("KB", "kilobytes"),
    ),
    Template(
        name="modified_on",
        skills=("search", "answer"),
        oracle_steps=4,
        phrasings=(
            'On which day was the file "{name}" last modified?',
            'When was "{name}" modified last? Answer with the date.',
        ),
        sample_params=_sample_file,
        solve=_read_modified,
        milestones=(VISITED_FILES, FINISHED),
        expected_answer=lambda world, p, before: str(
            lookup.get_file(drive_part(before), p["file"])["modified"]
        ),
        answer_kind="date",
    ),
)
