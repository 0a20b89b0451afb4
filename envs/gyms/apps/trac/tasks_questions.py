"""Questions that the tracker answers."""

from __future__ import annotations

import random
from collections.abc import Callable

from envs.gyms.apps.trac.content import Issue
from envs.gyms.apps.trac.oracle_moves import open_ticket
from envs.gyms.apps.trac.sampling import choose_ticket, tracker_of
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template
from envs.gyms.real.logins import login_of
from envs.gyms.real.searches import search_of
from envs.gyms.server.gym import OracleLost, State
from envs.gyms.server.view import Page

SEARCHED = ("searched", search_of("trac:search", "summary"))
Answer = Callable[[Company, Params, State], str]


def _sample(world: Company, rng: random.Random, state: State) -> Params:
    return {"summary": choose_ticket(world, rng).summary}


def _component(world: Company, p: Params, state: State) -> str:
    return tracker_of(world).ticket(p["summary"]).component


def _name_of(login: Callable[[Issue], str]) -> Answer:
    """The name of whoever signs in so: that is what the pages show."""

    def answer(world: Company, p: Params, state: State) -> str:
        tracker = tracker_of(world)
        who = login(tracker.ticket(p["summary"]))
        return next(person.name for person in tracker.staff if login_of(person) == who)

    return answer


def _tell(label: str) -> Callable[[Page, Params], Script]:
    """What stands behind a label in the box of a ticket."""

    def solve(page: Page, p: Params) -> Script:
        page = yield from open_ticket(page, p["summary"])
        names = [line.name for line in page.lines]
        if label not in names[:-1]:
            raise OracleLost(f"no {label!r} on page {page.title!r}")
        return names[names.index(label) + 1]

    return solve


def _ask(name: str, label: str, answer: Answer, *phrasings: str) -> Template[Company]:
    """A template whose answer stands behind a label of a ticket."""
    return Template(
        name=name,
        skills=("search", "answer"),
        oracle_steps=2,
        phrasings=phrasings,
        sample_params=_sample,
        solve=_tell(label),
        expected_answer=answer,
        milestones=(SEARCHED, FINISHED),
    )


QUESTIONS = (
    _ask(
        "owner_of",
        "Owned by:",
        _name_of(lambda ticket: ticket.owner),
        'Who owns the ticket "{summary}"?',
        "Who is the owner of the ticket {summary}?",
    ),
    _ask(
        "reporter_of",
        "Reported by:",
        _name_of(lambda ticket: ticket.reporter),
        'Who reported the ticket "{summary}"?',
        "Who has filed the ticket {summary}?",
    ),
    _ask(
        "component_of",
        "Component:",
        _component,
        'Which component is the ticket "{summary}" about?',
        "To which component does the ticket {summary} belong?",
    ),
)
