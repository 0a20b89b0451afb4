"""Tasks on who may see a file: shares, roles, link access, ownership.

Where the user may not do it, the oracle gives up only after the drive has said so.
"""

from __future__ import annotations

import random

from envs.contract.actions import Tool
from envs.gyms.apps.drive import lookup, rules_sharing
from envs.gyms.apps.drive.oracle_moves import VISITED_FILE, VISITED_FILES, open_file, open_in_menu
from envs.gyms.apps.drive.sampling import (
    choose_file,
    drive_part,
    file_params,
    list_own_files,
    list_unique_files,
)
from envs.gyms.apps.drive.vocabulary import LINKS, OFF, ROLES
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

VISITED_SHARING = ("sharing", visited_page("drive:sharing:{file}"))


def _sample_colleague(world: Company, rng: random.Random, excluded: list[str]) -> Params:
    """Someone who is not one of these; the name is unique."""
    colleague = rng.choice([person for person in world.people if person.id not in excluded])
    return {"person": colleague.id, "who": colleague.name}


def _sample_share(world: Company, rng: random.Random, state: State) -> Params:
    file = choose_file(rng, list_own_files(world, state), "is the user's")
    excluded = [file["owner"], *(share["id"] for share in file["shares"])]
    return file_params(file) | _sample_colleague(world, rng, excluded) | {"role": rng.choice(ROLES)}


def _apply_share(world: Company, p: Params, state: State) -> None:
    rules_sharing.share(drive_part(state), world.user.id, p["file"], p["person"], p["role"])


def _add_share(page: Page, who: str, role: str) -> navigation.Moves:
    page = yield from navigation.fill_fields(page, {"Person": who, "Role": role})
    return (yield from navigation.click(page, "share it", "Share"))


def _open_sharing(page: Page, p: Params, name: str = "name") -> navigation.Moves:
    page = yield from open_file(page, p, name)
    return (yield from navigation.open_link(page, "who may see it", "Sharing"))


def _share_file(page: Page, p: Params) -> Script:
    page = yield from _open_sharing(page, p)
    yield from _add_share(page, p["who"], p["role"])
    return None


def _share_calls(p: Params) -> list[Tool]:
    arguments = {"file": p["file"], "person": p["who"], "role": p["role"]}
    return [Tool(name="drive.share", arguments=arguments)]


def _sample_shared_role(world: Company, rng: random.Random, state: State) -> Params:
    file = choose_file(rng, [f for f in list_own_files(world, state) if f["shares"]], "is shared")
    share = rng.choice(file["shares"])
    return file_params(file) | {
        "person": share["id"],
        "who": world.person(share["id"]).name,
        "old_role": share["role"],
        "role": rng.choice([role for role in ROLES if role != share["role"]]),
    }


def _change_role(page: Page, p: Params) -> Script:
    page = yield from _open_sharing(page, p)
    page = yield from navigation.open_link(page, "this is the person", p["who"])
    page = yield from navigation.fill_fields(page, {"Role": p["role"]})
    yield from navigation.click(page, "save it", "Save role")
    return None


def _stop_sharing(page: Page, p: Params) -> Script:
    page = yield from _open_sharing(page, p)
    page = yield from navigation.open_link(page, "this is the person", p["who"])
    yield from navigation.confirm(page, "Stop sharing")
    return None


def _sample_link(world: Company, rng: random.Random, state: State) -> Params:
    file = choose_file(
        rng, [f for f in list_own_files(world, state) if f["link"] == OFF], "has no link"
    )
    day = world.day(rng.randint(3, 120))
    return file_params(file) | {
        "link": rng.choice([link for link in LINKS if link != OFF]),
        "day": day,
        "date": world.locale.format_date(day),
    }


def _set_link_access(page: Page, p: Params) -> Script:
    page = yield from _open_sharing(page, p)
    page = yield from navigation.fill_fields(page, {"Link access": p["link"], "Ends on": p["date"]})
    yield from navigation.click(page, "save it", "Save link access")
    return None


def _open_transfer(page: Page, p: Params) -> navigation.Moves:
    page = yield from open_file(page, p)
    return (yield from open_in_menu(page, "Transfer ownership", "somebody else shall own it"))


def _transfer_file(page: Page, p: Params) -> Script:
    page = yield from _open_transfer(page, p)
    page = yield from navigation.fill_fields(page, {"New owner": p["who"]})
    page = yield from navigation.click(page, "that is the one", "Continue")
    yield from navigation.confirm(page, "Transfer ownership")
    return None


def _sample_foreign(world: Company, rng: random.Random, state: State) -> Params:
    """A file of somebody else, whatever the user's role on it is."""
    files = [file for file in list_unique_files(state) if file["owner"] != world.user.id]
    file = choose_file(rng, files, "belongs to others")
    return file_params(file) | _sample_colleague(world, rng, [file["owner"], world.user.id])


def _find_transfer_refused(page: Page, p: Params) -> Script:
    page = yield from _open_transfer(page, p)
    owner = page.text_after("Only the owner can transfer it: ")
    if owner is not None:
        raise GiveUp(f"only {owner} can do that")
    return None


def _sample_shared_pair(world: Company, rng: random.Random, state: State) -> Params:
    """A file that is shared with two, and one of the user's with none of them."""
    own_files = list_own_files(world, state)
    first = choose_file(rng, [f for f in own_files if len(f["shares"]) == 2], "is shared with two")
    people = {share["id"] for share in first["shares"]}
    others = [f for f in own_files if not people & {share["id"] for share in f["shares"]}]
    second = choose_file(rng, others, "is shared with none of them")
    return file_params(second) | {"other": first["id"], "other_name": first["name"]}


def _apply_same_shares(world: Company, p: Params, state: State) -> None:
    part = drive_part(state)
    for share in lookup.get_file(part, p["other"])["shares"]:
        rules_sharing.share(part, world.user.id, p["file"], share["id"], share["role"])


def _copy_shares(page: Page, p: Params) -> Script:
    page = yield from _open_sharing(page, p, "other_name")
    owner_index = next(index for index, line in enumerate(page.lines) if line.name == lookup.OWNER)
    people = []
    for line, role in zip(page.lines[owner_index:], page.lines[owner_index + 1 :], strict=False):
        if line.role == "link" and role.name in ROLES:
            people.append((line.name, role.name))
    page = yield from _open_sharing(page, p)
    for who, role_name in people:
        page = yield from _add_share(page, who, role_name)
    return None


TEMPLATES = (
    Template(
        name="share_file",
        skills=("search", "form"),
        oracle_steps=8,
        phrasings=(
            'Share the file "{name}" with {who} as {role}.',
            '{who} needs the file "{name}". Share it with the role {role}.',
        ),
        sample_params=_sample_share,
        solve=_share_file,
        milestones=(VISITED_FILES, VISITED_SHARING, FINISHED),
        apply_expected=_apply_share,
        tool_calls=_share_calls,
    ),
    Template(
        name="change_role",
        skills=("search", "form"),
        oracle_steps=8,
        phrasings=(
            '{who} is {old_role} of "{name}". Make it {role}.',
            'Change the role of {who} on the file "{name}" to {role}.',
        ),
        sample_params=_sample_shared_role,
        solve=_change_role,
        milestones=(VISITED_FILES, VISITED_SHARING, FINISHED),
        apply_expected=lambda world, p, state: rules_sharing.change_role(
            drive_part(state), world.user.id, p["file"], p["person"], p["role"]
        ),
    ),
    Template(
        name="stop_sharing",
        skills=("search", "dialog"),
        oracle_steps=8,
        phrasings=(
            'Stop sharing the file "{name}" with {who}.',
            '{who} should no longer have access to "{name}". Take it away.',
        ),
        sample_params=_sample_shared_role,
        solve=_stop_sharing,
        milestones=(VISITED_FILES, VISITED_SHARING, FINISHED),
        apply_expected=lambda world, p, state: rules_sharing.stop_sharing(
            drive_part(state), world.user.id, p["file"], p["person"]
        ),
    ),
    Template(
        name="link_until",
        skills=("search", "form", "date"),
        oracle_steps=9,
        phrasings=(
            'Let everybody with the link open "{name}" ({link}) until {date}.',
            'Set the link access of the file "{name}" to {link}, ending on {date}.',
        ),
        sample_params=_sample_link,
        solve=_set_link_access,
        milestones=(VISITED_FILES, VISITED_SHARING, FINISHED),
        apply_expected=lambda world, p, state: rules_sharing.set_link_access(
            drive_part(state), world.user.id, p["file"], p["link"], p["day"], world.today
        ),
    ),
    Template(
        name="transfer_file",
        skills=("search", "menu", "dialog", "form"),
        oracle_steps=10,
        phrasings=(
            'Make {who} the owner of the file "{name}".',
            'Transfer the ownership of "{name}" to {who}.',
        ),
        sample_params=_sample_share,
        solve=_transfer_file,
        milestones=(VISITED_FILES, VISITED_FILE, FINISHED),
        apply_expected=lambda world, p, state: rules_sharing.transfer_ownership(
            drive_part(state), world.user.id, p["file"], p["person"]
        ),
    ),
    Template(
        name="transfer_refused",
        skills=("search", "menu", "refuse"),
        oracle_steps=6,
        phrasings=(
            'Transfer the ownership of the file "{name}" to {who}.',
            'Make {who} the owner of "{name}". If you may not do that, say so.',
        ),
        sample_params=_sample_foreign,
        solve=_find_transfer_refused,
        milestones=(VISITED_FILES, VISITED_FILE, FINISHED),
        infeasible=True,
        required_events=("drive:refused:transfer:{file}",),
        tool_calls=lambda p: [
            Tool(name="drive.transfer", arguments={"file": p["file"], "person": p["who"]})
        ],
    ),
    Template(
        name="share_alike",
        skills=("search", "recall", "form", "multi-step"),
        oracle_steps=16,
        phrasings=(
            'Share "{name}" with the two people who have access to "{other_name}" besides its '
            "owner, each with the role they have there.",
            'Everybody with whom "{other_name}" is shared should get the same role on "{name}".',
        ),
        sample_params=_sample_shared_pair,
        solve=_copy_shares,
        milestones=(
            ("other sharing", visited_page("drive:sharing:{other}")),
            VISITED_SHARING,
            FINISHED,
        ),
        apply_expected=_apply_same_shares,
    ),
)
