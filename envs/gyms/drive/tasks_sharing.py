"""Tasks on who may see a file: shares, roles, link access, ownership.

Where the user may not do it, the oracle gives up only after the drive has said so.
"""

from __future__ import annotations

import random

from envs.actions import Tool
from envs.gyms.drive import rules
from envs.gyms.drive.data import LINKS, OFF, ROLES
from envs.gyms.drive.drawing import (
    FILE,
    FILES,
    files_of,
    more,
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
from envs.gyms.kit.template import FINISHED, Params, Template, saw
from envs.gyms.view import Page

SHARING = ("sharing", saw("drive:sharing:{file}"))


def _colleague(world: Company, rng: random.Random, without: list[str]) -> Params:
    """Someone who is not one of these; the name is unique."""
    found = rng.choice([one for one in world.people if one.id not in without])
    return {"person": found.id, "who": found.name}


def _draw_share(world: Company, rng: random.Random, state: State) -> Params:
    file = one_of(rng, own_files(world, state), "is the user's")
    have = [file["owner"], *(one["id"] for one in file["shares"])]
    return named(file) | _colleague(world, rng, have) | {"role": rng.choice(ROLES)}


def _expect_share(world: Company, p: Params, state: State) -> None:
    rules.share(part_of(state), world.user.id, p["file"], p["person"], p["role"])


def _share_with(page: Page, who: str, role: str) -> ways.Way:
    page = yield from ways.fill(page, {"Person": who, "Role": role})
    return (yield from ways.press(page, "share it", "Share"))


def _to_sharing(page: Page, p: Params, name: str = "name") -> ways.Way:
    page = yield from to_file(page, p, name)
    return (yield from ways.open_link(page, "who may see it", "Sharing"))


def _share(page: Page, p: Params) -> Script:
    page = yield from _to_sharing(page, p)
    yield from _share_with(page, p["who"], p["role"])
    return None


def _share_calls(p: Params) -> list[Tool]:
    arguments = {"file": p["file"], "person": p["who"], "role": p["role"]}
    return [Tool(name="drive.share", arguments=arguments)]


def _draw_role(world: Company, rng: random.Random, state: State) -> Params:
    file = one_of(rng, [f for f in own_files(world, state) if f["shares"]], "is shared")
    one = rng.choice(file["shares"])
    return named(file) | {
        "person": one["id"],
        "who": world.person(one["id"]).name,
        "old_role": one["role"],
        "role": rng.choice([role for role in ROLES if role != one["role"]]),
    }


def _change_role(page: Page, p: Params) -> Script:
    page = yield from _to_sharing(page, p)
    page = yield from ways.open_link(page, "this is the person", p["who"])
    page = yield from ways.fill(page, {"Role": p["role"]})
    yield from ways.press(page, "save it", "Save role")
    return None


def _stop_sharing(page: Page, p: Params) -> Script:
    page = yield from _to_sharing(page, p)
    page = yield from ways.open_link(page, "this is the person", p["who"])
    yield from ways.sure(page, "Stop sharing")
    return None


def _draw_link(world: Company, rng: random.Random, state: State) -> Params:
    file = one_of(rng, [f for f in own_files(world, state) if f["link"] == OFF], "has no link")
    day = world.day(rng.randint(3, 120))
    return named(file) | {
        "link": rng.choice([link for link in LINKS if link != OFF]),
        "day": day,
        "date": world.look.date(day),
    }


def _open_link_access(page: Page, p: Params) -> Script:
    page = yield from _to_sharing(page, p)
    page = yield from ways.fill(page, {"Link access": p["link"], "Ends on": p["date"]})
    yield from ways.press(page, "save it", "Save link access")
    return None


def _transfer_page(page: Page, p: Params) -> ways.Way:
    page = yield from to_file(page, p)
    return (yield from more(page, "Transfer ownership", "somebody else shall own it"))


def _transfer(page: Page, p: Params) -> Script:
    page = yield from _transfer_page(page, p)
    page = yield from ways.fill(page, {"New owner": p["who"]})
    page = yield from ways.press(page, "that is the one", "Continue")
    yield from ways.sure(page, "Transfer ownership")
    return None


def _draw_foreign(world: Company, rng: random.Random, state: State) -> Params:
    """A file of somebody else, whatever the user's role on it is."""
    files = [file for file in files_of(state) if file["owner"] != world.user.id]
    file = one_of(rng, files, "belongs to others")
    return named(file) | _colleague(world, rng, [file["owner"], world.user.id])


def _transfer_refused(page: Page, p: Params) -> Script:
    page = yield from _transfer_page(page, p)
    owner = page.says("Only the owner can transfer it: ")
    if owner is not None:
        raise GiveUp(f"only {owner} can do that")
    return None


def _draw_shared_pair(world: Company, rng: random.Random, state: State) -> Params:
    """A file that is shared with two, and one of the user's with none of them."""
    own = own_files(world, state)
    first = one_of(rng, [f for f in own if len(f["shares"]) == 2], "is shared with two")
    people = {one["id"] for one in first["shares"]}
    others = [f for f in own if not people & {one["id"] for one in f["shares"]}]
    second = one_of(rng, others, "is shared with none of them")
    return named(second) | {"other": first["id"], "other_name": first["name"]}


def _expect_shared_alike(world: Company, p: Params, state: State) -> None:
    part = part_of(state)
    for one in rules.file_of(part, p["other"])["shares"]:
        rules.share(part, world.user.id, p["file"], one["id"], one["role"])


def _share_alike(page: Page, p: Params) -> Script:
    page = yield from _to_sharing(page, p, "other_name")
    owner = next(at for at, line in enumerate(page.lines) if line.name == rules.OWNER)
    people = []
    for line, role in zip(page.lines[owner:], page.lines[owner + 1 :], strict=False):
        if line.role == "link" and role.name in ROLES:
            people.append((line.name, role.name))
    page = yield from _to_sharing(page, p)
    for who, role_name in people:
        page = yield from _share_with(page, who, role_name)
    return None


TEMPLATES = (
    Template(
        "share_file", ("search", "form"), 8,
        ('Share the file "{name}" with {who} as {role}.',
         '{who} needs the file "{name}". Share it with the role {role}.'),
        _draw_share, _share, (FILES, SHARING, FINISHED), _expect_share, calls=_share_calls,
    ),
    Template(
        "change_role", ("search", "form"), 8,
        ('{who} is {old_role} of "{name}". Make it {role}.',
         'Change the role of {who} on the file "{name}" to {role}.'),
        _draw_role, _change_role, (FILES, SHARING, FINISHED),
        lambda world, p, state: rules.change_role(
            part_of(state), world.user.id, p["file"], p["person"], p["role"]
        ),
    ),
    Template(
        "stop_sharing", ("search", "dialog"), 8,
        ('Stop sharing the file "{name}" with {who}.',
         '{who} should no longer have access to "{name}". Take it away.'),
        _draw_role, _stop_sharing, (FILES, SHARING, FINISHED),
        lambda world, p, state: rules.stop_sharing(
            part_of(state), world.user.id, p["file"], p["person"]
        ),
    ),
    Template(
        "link_until", ("search", "form", "date"), 9,
        ('Let everybody with the link open "{name}" ({link}) until {date}.',
         'Set the link access of the file "{name}" to {link}, ending on {date}.'),
        _draw_link, _open_link_access, (FILES, SHARING, FINISHED),
        lambda world, p, state: rules.set_link(
            part_of(state), world.user.id, p["file"], p["link"], p["day"], world.today
        ),
    ),
    Template(
        "transfer_file", ("search", "menu", "dialog", "form"), 10,
        ('Make {who} the owner of the file "{name}".',
         'Transfer the ownership of "{name}" to {who}.'),
        _draw_share, _transfer, (FILES, FILE, FINISHED),
        lambda world, p, state: rules.transfer(
            part_of(state), world.user.id, p["file"], p["person"]
        ),
    ),
    Template(
        "transfer_refused", ("search", "menu", "refuse"), 6,
        ('Transfer the ownership of the file "{name}" to {who}.',
         'Make {who} the owner of "{name}". If you may not do that, say so.'),
        _draw_foreign, _transfer_refused, (FILES, FILE, FINISHED), infeasible=True,
        must_see=("drive:file:{file}",),
    ),
    Template(
        "share_alike", ("search", "recall", "form", "multi-step"), 16,
        ('Share "{name}" with the two people who have access to "{other_name}" besides its owner, '
         "each with the role they have there.",
         'Everybody with whom "{other_name}" is shared should get the same role on "{name}".'),
        _draw_shared_pair, _share_alike,
        (("other sharing", saw("drive:sharing:{other}")), SHARING, FINISHED), _expect_shared_alike,
    ),
)  # fmt: skip
