"""Tasks on tickets."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from envs.contract.actions import Type
from envs.gyms.apps.trac.content import (
    COMPONENTS,
    DESCRIPTIONS,
    KEYWORDS,
    PRIORITIES,
    REMARKS,
    RESOLUTIONS,
    SUMMARIES,
    TYPES,
    VERSIONS,
    Issue,
)
from envs.gyms.apps.trac.oracle_moves import (
    COMMENT,
    choose_after,
    modify_ticket,
    open_ticket,
    search,
    set_field,
    submit,
    take_step,
)
from envs.gyms.apps.trac.sampling import (
    choose_login,
    choose_other,
    choose_ticket,
    part_of,
    tracker_of,
)
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, TaskStates, Template, visited_page
from envs.gyms.real.logins import login_of
from envs.gyms.real.searches import search_of, search_of_start
from envs.gyms.server.gym import OracleLost, OracleMove, State
from envs.gyms.server.view import Page

SEARCHED = ("searched", search_of("trac:search", "summary"))
FORM = ("form", visited_page("trac:page:newticket"))
Sample = Callable[[Company, random.Random, State], Params]
Solve = Callable[[Page, Params], Script]
Apply = Callable[[Company, Params, State], None]


def _sample_new(world: Company, rng: random.Random, state: State) -> Params:
    firm = rng.choice(tracker_of(world).unnamed)
    return {
        "new": rng.choice(SUMMARIES).format(firm=firm.name),
        "text": rng.choice(DESCRIPTIONS),
        "kind": rng.choice(TYPES[1:]),
        "component": rng.choice(list(COMPONENTS)),
    }


def _apply_new(world: Company, p: Params, state: State) -> None:
    part_of(state, "tickets")[p["new"]] = {
        "type": p["kind"],
        "component": p["component"],
        "priority": "major",
        "owner": tracker_of(world).owners[p["component"]],
        "reporter": login_of(world.user),
        "cc": "",
        "version": "",
        "milestone": "",
        "status": "new",
        "resolution": "",
        "keywords": "",
        "description": p["text"],
        "comments": [],
    }


def _make(page: Page, p: Params) -> Script:
    page = yield from navigation.open_link(page, "a new one", "New Ticket")
    fields = {"Summary:": p["new"], "Description:": p["text"]}
    page = yield from navigation.fill_fields(page, fields)
    page = yield from set_field(page, "Type:", p["kind"])
    page = yield from set_field(page, "Component:", p["component"])
    yield from navigation.click(page, "that is all of it", "Create ticket")
    return None


def _sample_comment(world: Company, rng: random.Random, state: State) -> Params:
    ticket = choose_ticket(world, rng)
    has = [remark.text for remark in ticket.remarks]
    text = rng.choice([text for text in REMARKS if text not in has])
    return {"summary": ticket.summary, "text": text, "user": login_of(world.user)}


def _apply_comment(world: Company, p: Params, state: State) -> None:
    comment = {"by": p["user"], "text": p["text"]}
    part_of(state, "tickets")[p["summary"]]["comments"].append(comment)


def _comment(page: Page, p: Params) -> Script:
    page = yield from open_ticket(page, p["summary"])
    page, line = yield from navigation.scroll_to(page, "box", COMMENT)
    page = yield OracleMove("my comment", Type(target=page.target(line), text=p["text"]))
    yield from submit(page)
    return None


def _sample_change(options: Sequence[str], of: Callable[[Issue], str]) -> Sample:
    def sample(world: Company, rng: random.Random, state: State) -> Params:
        ticket = choose_ticket(world, rng)
        old = of(ticket)
        return {"summary": ticket.summary, "old": old, "new": choose_other(rng, options, old)}

    return sample


def _sample_stage(world: Company, rng: random.Random, state: State) -> Params:
    ticket = choose_ticket(world, rng)
    stages = tracker_of(world).milestones
    options = [name for name, stage in stages.items() if not stage.completed]
    new = choose_other(rng, options, ticket.milestone)
    return {"summary": ticket.summary, "old": ticket.milestone, "new": new}


def _apply_field(field: str) -> Apply:
    def apply(world: Company, p: Params, state: State) -> None:
        part_of(state, "tickets")[p["summary"]][field] = p["new"]

    return apply


def _apply_component(world: Company, p: Params, state: State) -> None:
    """Trac hands a new ticket of the old component's owner to that of the new one."""
    ticket, components = part_of(state, "tickets")[p["summary"]], part_of(state, "components")
    if (ticket["status"], ticket["owner"]) == ("new", components[ticket["component"]]["owner"]):
        ticket["owner"] = components[p["new"]]["owner"]
    ticket["component"] = p["new"]


def _set(label: str) -> Solve:
    def solve(page: Page, p: Params) -> Script:
        page = yield from modify_ticket(page, p["summary"])
        page = yield from set_field(page, label, p["new"])
        yield from submit(page)
        return None

    return solve


def _sample_summary(world: Company, rng: random.Random, state: State) -> Params:
    summary = choose_ticket(world, rng).summary
    return {"summary": summary, "new": f"{summary}, {rng.choice(('again', 'once more'))}"}


def _apply_summary(world: Company, p: Params, state: State) -> None:
    tickets = part_of(state, "tickets")
    tickets[p["new"]] = tickets.pop(p["summary"])


def _sample_step(*statuses: str) -> Sample:
    def sample(world: Company, rng: random.Random, state: State) -> Params:
        return {"summary": choose_ticket(world, rng, *statuses).summary}

    return sample


def _sample_closing(world: Company, rng: random.Random, state: State) -> Params:
    summary = choose_ticket(world, rng).summary
    return {"summary": summary, "resolution": rng.choice(RESOLUTIONS)}


def _apply_closing(world: Company, p: Params, state: State) -> None:
    ticket = part_of(state, "tickets")[p["summary"]]
    ticket["status"], ticket["resolution"] = "closed", p["resolution"]


def _close(page: Page, p: Params) -> Script:
    page = yield from modify_ticket(page, p["summary"])
    page = yield from take_step(page, "resolve")
    if p["resolution"] != RESOLUTIONS[0]:
        page = yield from choose_after(page, "resolve", p["resolution"])
    yield from submit(page)
    return None


def _apply_reopening(world: Company, p: Params, state: State) -> None:
    ticket = part_of(state, "tickets")[p["summary"]]
    ticket["status"], ticket["resolution"] = "reopened", ""


def _apply_accepting(world: Company, p: Params, state: State) -> None:
    ticket = part_of(state, "tickets")[p["summary"]]
    ticket["status"], ticket["owner"] = "accepted", login_of(world.user)


def _take(action: str) -> Solve:
    def solve(page: Page, p: Params) -> Script:
        page = yield from modify_ticket(page, p["summary"])
        page = yield from take_step(page, action)
        yield from submit(page)
        return None

    return solve


def _sample_owner(world: Company, rng: random.Random, state: State) -> Params:
    ticket = choose_ticket(world, rng)
    new = choose_login(world, rng, ticket.owner)
    return {"summary": ticket.summary, "old": ticket.owner, "new": new}


def _apply_owner(world: Company, p: Params, state: State) -> None:
    ticket = part_of(state, "tickets")[p["summary"]]
    ticket["status"], ticket["owner"] = "assigned", p["new"]


def _reassign(page: Page, p: Params) -> Script:
    page = yield from modify_ticket(page, p["summary"])
    page = yield from take_step(page, "reassign")
    page = yield from choose_after(page, "reassign", p["new"])
    yield from submit(page)
    return None


def _sample_missing(world: Company, rng: random.Random, state: State) -> Params:
    return {"firm": rng.choice(tracker_of(world).unnamed).name}


def _look_for_missing(page: Page, p: Params) -> Script:
    page = yield from search(page, p["firm"])
    if "No matches found." not in [line.name for line in page.lines]:
        raise OracleLost(f"there is something on {p['firm']}")
    raise GiveUp(f"the tracker has no ticket on {p['firm']}")
    yield


def _saw_none(states: TaskStates) -> bool:
    """Tickets were searched for the firm, or all was, as long as that includes tickets."""
    log = states.after["log"]
    narrowed = [place for place, event in enumerate(log) if event.startswith("trac:narrowed:")]
    before = replace(states, after={"log": log[: narrowed[0]] if narrowed else log})
    has_searched_all = search_of_start("trac:search", "firm")(before)
    return has_searched_all or search_of_start("trac:tickets", "firm")(states)


def _edit(
    name: str, solve: Solve, sample: Sample, apply: Apply, *phrasings: str
) -> Template[Company]:
    """A template that finds a ticket and edits it by one form."""
    return Template(
        name=name,
        skills=("search", "form"),
        oracle_steps=8,
        phrasings=phrasings,
        sample_params=sample,
        solve=solve,
        apply_expected=apply,
        milestones=(SEARCHED, FINISHED),
    )


TICKET_TASKS = (
    Template(
        name="create_ticket",
        skills=("form", "multi-step"),
        oracle_steps=10,
        phrasings=(
            'Make a new ticket "{new}" of type {kind} for the component {component}. '
            "Its description: {text}",
            "There is something new for {component}. File it as {kind}, with the summary "
            '"{new}" and the description "{text}"',
        ),
        sample_params=_sample_new,
        solve=_make,
        apply_expected=_apply_new,
        milestones=(FORM, FINISHED),
    ),
    Template(
        name="comment_ticket",
        skills=("search", "form"),
        oracle_steps=6,
        phrasings=(
            'Comment on the ticket "{summary}": {text}',
            'Write below the ticket {summary} that says: "{text}"',
        ),
        sample_params=_sample_comment,
        solve=_comment,
        apply_expected=_apply_comment,
        milestones=(SEARCHED, FINISHED),
    ),
    _edit(
        "change_priority",
        _set("Priority:"),
        _sample_change(PRIORITIES, lambda ticket: ticket.priority),
        _apply_field("priority"),
        'Set the priority of the ticket "{summary}" to {new}.',
        "The ticket {summary} is not {old} but {new}: correct its priority.",
    ),
    _edit(
        "change_type",
        _set("Type:"),
        _sample_change(TYPES, lambda ticket: ticket.kind),
        _apply_field("type"),
        'The ticket "{summary}" is no {old}. Make it a ticket of the type {new}.',
        "Set the type of the ticket {summary} to {new}.",
    ),
    _edit(
        "change_component",
        _set("Component:"),
        _sample_change(tuple(COMPONENTS), lambda ticket: ticket.component),
        _apply_component,
        'Move the ticket "{summary}" from the component {old} to {new}.',
        "The ticket {summary} belongs to the component {new}. Correct that.",
    ),
    _edit(
        "change_version",
        _set("Version:"),
        _sample_change(VERSIONS, lambda ticket: ticket.version),
        _apply_field("version"),
        'The ticket "{summary}" is about version {new}, not {old}. Correct it.',
        "Set the version of the ticket {summary} to {new}.",
    ),
    _edit(
        "plan_ticket",
        _set("Milestone:"),
        _sample_stage,
        _apply_field("milestone"),
        'Plan the ticket "{summary}" for the milestone {new} instead of {old}.',
        "The ticket {summary} will not be part of {old}. Move it to the milestone {new}.",
    ),
    _edit(
        "change_keywords",
        _set("Keywords:"),
        _sample_change(KEYWORDS, lambda ticket: ticket.keywords),
        _apply_field("keywords"),
        'Replace the keyword {old} of the ticket "{summary}" by {new}.',
        "The ticket {summary} shall have the keyword {new} and no other one.",
    ),
    _edit(
        "rename_ticket",
        _set("Summary:"),
        _sample_summary,
        _apply_summary,
        'Change the summary of the ticket "{summary}" to "{new}".',
        "The ticket {summary} shall be called: {new}",
    ),
    Template(
        name="close_ticket",
        skills=("search", "form", "multi-step"),
        oracle_steps=9,
        phrasings=(
            'Close the ticket "{summary}" as {resolution}.',
            "The ticket {summary} is done with. Resolve it as {resolution}.",
        ),
        sample_params=_sample_closing,
        solve=_close,
        apply_expected=_apply_closing,
        milestones=(SEARCHED, FINISHED),
    ),
    _edit(
        "reopen_ticket",
        _take("reopen"),
        _sample_step("closed"),
        _apply_reopening,
        'Open the ticket "{summary}" again.',
        "The ticket {summary} was closed too early. Reopen it.",
    ),
    _edit(
        "accept_ticket",
        _take("accept"),
        _sample_step("new", "assigned"),
        _apply_accepting,
        'Accept the ticket "{summary}".',
        "You will take care of the ticket {summary}: accept it.",
    ),
    Template(
        name="reassign_ticket",
        skills=("search", "form", "multi-step"),
        oracle_steps=9,
        phrasings=(
            'Reassign the ticket "{summary}" to {new}.',
            "The ticket {summary} is not for {old}: reassign it to {new}.",
        ),
        sample_params=_sample_owner,
        solve=_reassign,
        apply_expected=_apply_owner,
        milestones=(SEARCHED, FINISHED),
    ),
    Template(
        name="missing_ticket",
        skills=("search", "refuse"),
        oracle_steps=2,
        phrasings=(
            "Close the ticket about {firm} as fixed.",
            "Accept the ticket about {firm}.",
        ),
        sample_params=_sample_missing,
        solve=_look_for_missing,
        infeasible=True,
        has_met_refusal=_saw_none,
        milestones=(("searched", _saw_none), FINISHED),
    ),
)
