"""What a task template is, and how a task is drawn from a seed.

A template draws its params, words the instruction in one of several phrasings, may prepare the
session's state, and makes the state that success means by applying the apps' own rules to the
state before. Params are JSON; what an instruction shows of them is already in the world's way of
writing dates and money.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from envs.actions import Tool
from envs.gyms.gym import State
from envs.gyms.kit.answers import Kind
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.view import Page

Params = dict[str, Any]
MAX_DRAWS = 300


class Redraw(Exception):
    """These params make no sensible task: draw again. The words say which constraint failed."""


class Unsatisfiable(ValueError):
    """No params of this seed fit a template; the message names both and the constraint."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a milestone may look at."""

    params: Params
    before: State
    after: State
    finished: bool = False
    """Whether everything that success asks for holds."""


Milestone = tuple[str, Callable[[Evidence], bool]]


def nothing(*_: Any) -> None:
    """Changes nothing."""


@dataclass(frozen=True, slots=True)
class Template:
    """`steps`: the oracle's longest way through the pages, which sets level and limit; `skills`:
    of SKILLS. `solve` is the oracle by pages, `calls` the one by site tools, where they suffice.
    `expected` changes a copy of the state before into the one that success means. `answer` gives
    the right one, in the form of its `answer_kind`. `must_see`: what the apps have to have shown
    before "infeasible" counts ({param} is filled in); `passing`: paths that the way to success
    changes and changes back."""

    name: str
    skills: tuple[str, ...]
    steps: int
    phrasings: tuple[str, ...]
    draw: Callable[[Company, random.Random, State], Params]
    solve: Callable[[Page, Params], Script]
    milestones: tuple[Milestone, ...]
    expected: Callable[[Company, Params, State], Any] = nothing
    prepare: Callable[[Company, random.Random, State], Any] = nothing
    answer: Callable[[Company, Params, State], str] | None = None
    answer_kind: Kind = "text"
    infeasible: bool = False
    must_see: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()
    calls: Callable[[Params], list[Tool]] | None = None


SKILLS = (
    "search", "filter", "sort", "compare", "form", "multi-step", "cross-app", "recall", "recover",
    "refuse", "answer", "menu", "dialog", "date", "drag",
)  # fmt: skip


def saw(event: str) -> Callable[[Evidence], bool]:
    """Milestone: an app showed this ("<app>:<event>"), with {param} filled in."""
    return lambda evidence: event.format(**evidence.params) in evidence.after["log"]


def finished(evidence: Evidence) -> bool:
    """Milestone, always the last one: all is as it should be."""
    return evidence.finished


FINISHED: Milestone = ("finished", finished)


def instruction_of(template: Template, params: Params, phrasing: int) -> str:
    return template.phrasings[phrasing].format(**params)


def drawn(template: Template, world: Company, state: State) -> tuple[int, Params]:
    """Which phrasing, and params. Deterministic. Raises Unsatisfiable."""
    rng = world.rng(f"draw:{template.name}")
    reason = ""
    for _ in range(MAX_DRAWS):
        try:
            params = template.draw(world, rng, state)
        except Redraw as again:
            reason = str(again)
            continue
        return rng.randrange(len(template.phrasings)), params
    raise Unsatisfiable(f"template {template.name} has no task for seed {world.seed}: {reason}")


def expected_state(template: Template, world: Company, params: Params, before: State) -> State:
    state = copy.deepcopy(before)
    template.expected(world, params, state)
    return state
