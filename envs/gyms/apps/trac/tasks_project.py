"""Tasks on what is around the tickets: milestones, lists of the administration, the wiki."""

from __future__ import annotations

import random

from envs.contract.actions import Click
from envs.gyms.apps.trac.content import COMPONENTS, DESCRIPTIONS, PAGE_TEXTS
from envs.gyms.apps.trac.oracle_moves import box_before, open_admin, write_text
from envs.gyms.apps.trac.sampling import choose_login, part_of, tracker_of
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.real.logins import login_of
from envs.gyms.server.gym import OracleMove, State
from envs.gyms.server.view import Page

RENAMED = "Milestone renamed"
ROADMAP = ("roadmap", visited_page("trac:page:roadmap"))
COMPONENT_LIST = ("list", visited_page("trac:page:admin/ticket/components"))


def _sample_new_stage(world: Company, rng: random.Random, state: State) -> Params:
    firm = rng.choice(tracker_of(world).unnamed)
    return {"new": f"{firm.name} pilot", "text": rng.choice(DESCRIPTIONS)}


def _apply_new_stage(world: Company, p: Params, state: State) -> None:
    stage = {"description": p["text"], "due": "", "completed": False}
    part_of(state, "milestones")[p["new"]] = stage


def _add_stage(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "what is planned", "Roadmap")
    page = yield from navigation.click(page, "one more", "Add new milestone")
    page = yield from navigation.fill_fields(page, {"Name:": p["new"]})
    if "checked" in (page.get_line("check", "Due:").states):
        page = yield page.click("no day yet", "check", "Due:")
    page = yield from navigation.fill_fields(page, {"Description:": p["text"]})
    yield from navigation.click(page, "that is all of it", "Add milestone")
    return None


def _sample_stage(world: Company, rng: random.Random, state: State) -> Params:
    stages = tracker_of(world).milestones
    name = rng.choice([name for name, stage in stages.items() if not stage.completed])
    return {"old": name, "new": f"{world.name} {name.lower()}"}


def _apply_stage_name(world: Company, p: Params, state: State) -> None:
    stages = part_of(state, "milestones")
    stages[p["new"]] = stages.pop(p["old"])
    for ticket in part_of(state, "tickets").values():
        if ticket["milestone"] == p["old"]:
            ticket["milestone"] = p["new"]
            # Trac says so below each of them.
            ticket["comments"].append({"by": login_of(world.user), "text": RENAMED})


def _rename_stage(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "what is planned", "Roadmap")
    page = yield from navigation.open_link(page, "this one", f"Milestone: {p['old']}")
    page = yield from navigation.click(page, "change it", "Edit milestone")
    page = yield from navigation.fill_fields(page, {"Name:": p["new"]})
    yield from navigation.click(page, "that is it", "Submit changes")
    return None


def _sample_new_component(world: Company, rng: random.Random, state: State) -> Params:
    firm = rng.choice(tracker_of(world).unnamed)
    return {"new": f"{firm.name} portal", "who": choose_login(world, rng)}


def _apply_new_component(world: Company, p: Params, state: State) -> None:
    part_of(state, "components")[p["new"]] = {"owner": p["who"], "description": ""}


def _add_component(page: Page, p: Params) -> Script:
    page = yield from open_admin(page, "Components")
    page = yield from navigation.fill_fields(page, {"Name:": p["new"], "Owner:": p["who"]})
    yield from navigation.click(page, "that is all of it", "Add")
    return None


def _sample_component(world: Company, rng: random.Random, state: State) -> Params:
    name = rng.choice(list(COMPONENTS))
    old = tracker_of(world).owners[name]
    return {"name": name, "old": old, "who": choose_login(world, rng, old), "site": world.name}


def _apply_component_owner(world: Company, p: Params, state: State) -> None:
    part_of(state, "components")[p["name"]]["owner"] = p["who"]


def _change_component_owner(page: Page, p: Params) -> Script:
    page = yield from open_admin(page, "Components")
    page = yield from navigation.open_link(page, "this one", p["name"])
    page = yield from navigation.fill_fields(page, {"Owner:": p["who"]})
    yield from navigation.click(page, "that is it", "Submit changes")
    return None


def _sample_version(world: Company, rng: random.Random, state: State) -> Params:
    firm = rng.choice(tracker_of(world).unnamed)
    return {"new": f"3.{rng.randrange(1, 9)} for {firm.name}"}


def _apply_version(world: Company, p: Params, state: State) -> None:
    part_of(state, "versions")[p["new"]] = ""


def _add_version(page: Page, p: Params) -> Script:
    page = yield from open_admin(page, "Versions")
    page = yield from navigation.fill_fields(page, {"Name:": p["new"]})
    yield from navigation.click(page, "that is it", "Add")
    return None


def _sample_old_version(world: Company, rng: random.Random, state: State) -> Params:
    return {"old": rng.choice(list(part_of(state, "versions"))), "site": world.name}


def _apply_old_version(world: Company, p: Params, state: State) -> None:
    del part_of(state, "versions")[p["old"]]


def _remove_version(page: Page, p: Params) -> Script:
    page = yield from open_admin(page, "Versions")
    page, _ = yield from navigation.scroll_to(page, "link", p["old"])
    box = box_before(page, p["old"])
    page = yield OracleMove(f"the row of {p['old']}", Click(target=page.target(box)))
    yield from navigation.click(page, "it goes", "Remove selected items")
    return None


def _sample_project(world: Company, rng: random.Random, state: State) -> Params:
    return {"new": f"{world.name} {rng.choice(('desk', 'board', 'issues', 'works'))}"}


def _apply_project(world: Company, p: Params, state: State) -> None:
    part_of(state, "project")["name"] = p["new"]


def _rename_project(page: Page, p: Params) -> Script:
    page = yield from open_admin(page, "Basic Settings")
    page = yield from navigation.fill_fields(page, {"Name:": p["new"]})
    yield from navigation.click(page, "that is it", "Apply changes")
    return None


def _sample_page(world: Company, rng: random.Random, state: State) -> Params:
    return {"name": rng.choice(tracker_of(world).client_pages), "text": rng.choice(PAGE_TEXTS)}


def _apply_page(world: Company, p: Params, state: State) -> None:
    part_of(state, "pages")[p["name"]] = p["text"]


def _rewrite_page(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "this page", p["name"])
    page = yield from navigation.click(page, "change it", "Edit this page")
    page = yield from write_text(page, p["text"])
    yield from navigation.click(page, "keep it", "Submit changes")
    return None


def _apply_old_page(world: Company, p: Params, state: State) -> None:
    del part_of(state, "pages")[p["name"]]


def _delete_page(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "this page", p["name"])
    page = yield from navigation.click(page, "it goes", "Delete page")
    yield from navigation.click(page, "yes, I am sure", "Delete page")
    return None


def _sample_page_name(world: Company, rng: random.Random, state: State) -> Params:
    name = rng.choice(tracker_of(world).client_pages)
    return {"name": name, "new": f"{name} {rng.choice(('facts', 'notes', 'overview'))}"}


def _apply_page_name(world: Company, p: Params, state: State) -> None:
    pages = part_of(state, "pages")
    pages[p["new"]] = pages.pop(p["name"])


def _rename_page(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "this page", p["name"])
    page = yield from navigation.click(page, "another name", "Rename page")
    page = yield from navigation.fill_fields(page, {"New name:": p["new"]})
    yield from navigation.click(page, "that is it", "Rename page")
    return None


CLIENT_PAGE = ("page", visited_page("trac:page:wiki/{name}"))
PROJECT_TASKS = (
    Template(
        name="add_milestone",
        skills=("form", "menu"),
        oracle_steps=8,
        phrasings=(
            'Add a milestone "{new}" to the roadmap, without a day it is due. Its description: '
            "{text}",
            'The roadmap needs one more milestone: {new}. Describe it as "{text}" It has no due '
            "date yet.",
        ),
        sample_params=_sample_new_stage,
        solve=_add_stage,
        apply_expected=_apply_new_stage,
        milestones=(ROADMAP, FINISHED),
    ),
    Template(
        name="rename_milestone",
        skills=("form", "menu"),
        oracle_steps=6,
        phrasings=(
            'Rename the milestone {old} to "{new}".',
            "The milestone {old} shall be called {new}.",
        ),
        sample_params=_sample_stage,
        solve=_rename_stage,
        apply_expected=_apply_stage_name,
        milestones=(ROADMAP, FINISHED),
    ),
    Template(
        name="add_component",
        skills=("form", "menu"),
        oracle_steps=6,
        phrasings=(
            'Add a component "{new}" for tickets. Its owner is {who}.',
            "Tickets on {new} need a component of that name, owned by {who}. Add it.",
        ),
        sample_params=_sample_new_component,
        solve=_add_component,
        apply_expected=_apply_new_component,
        milestones=(COMPONENT_LIST, FINISHED),
    ),
    Template(
        name="change_component_owner",
        skills=("form", "menu"),
        oracle_steps=6,
        phrasings=(
            "The component {name} of {site} belongs to {who} from now on, not to {old}. Change "
            "its owner.",
            "Make {who} the owner of the component {name}, which {old} of {site} owns now.",
        ),
        sample_params=_sample_component,
        solve=_change_component_owner,
        apply_expected=_apply_component_owner,
        milestones=(COMPONENT_LIST, FINISHED),
    ),
    Template(
        name="add_version",
        skills=("form", "menu"),
        oracle_steps=5,
        phrasings=(
            'Add a version "{new}" that tickets can be about.',
            "Tickets shall be able to name the version {new}: add it.",
        ),
        sample_params=_sample_version,
        solve=_add_version,
        apply_expected=_apply_version,
        milestones=(("list", visited_page("trac:page:admin/ticket/versions")), FINISHED),
    ),
    Template(
        name="remove_version",
        skills=("menu",),
        oracle_steps=5,
        phrasings=(
            "Remove the version {old} from those that tickets of {site} can be about.",
            "Nobody at {site} uses version {old} any more. Remove it from the tracker's versions.",
        ),
        sample_params=_sample_old_version,
        solve=_remove_version,
        apply_expected=_apply_old_version,
        milestones=(("list", visited_page("trac:page:admin/ticket/versions")), FINISHED),
    ),
    Template(
        name="rename_project",
        skills=("form", "menu"),
        oracle_steps=4,
        phrasings=(
            'Change the name of the project to "{new}".',
            "In the settings of the tracker, the project shall be called {new}.",
        ),
        sample_params=_sample_project,
        solve=_rename_project,
        apply_expected=_apply_project,
        milestones=(("settings", visited_page("trac:page:admin/general/basics")), FINISHED),
    ),
    Template(
        name="rewrite_page",
        skills=("form",),
        oracle_steps=5,
        phrasings=(
            'Replace all that the wiki page {name} says by: "{text}"',
            "The wiki page on {name} shall say only this: {text}",
        ),
        sample_params=_sample_page,
        solve=_rewrite_page,
        apply_expected=_apply_page,
        milestones=(CLIENT_PAGE, FINISHED),
    ),
    Template(
        name="delete_page",
        skills=("dialog",),
        oracle_steps=4,
        phrasings=(
            "Delete the page {name} of the wiki.",
            "Nobody needs the wiki page on {name} any more: delete it.",
        ),
        sample_params=_sample_page,
        solve=_delete_page,
        apply_expected=_apply_old_page,
        milestones=(CLIENT_PAGE, FINISHED),
    ),
    Template(
        name="rename_page",
        skills=("form",),
        oracle_steps=5,
        phrasings=(
            'Rename the wiki page {name} to "{new}", without a redirection.',
            "The wiki page {name} shall be called {new}. Nothing stays under the old name.",
        ),
        sample_params=_sample_page_name,
        solve=_rename_page,
        apply_expected=_apply_page_name,
        milestones=(CLIENT_PAGE, FINISHED),
    ),
)
