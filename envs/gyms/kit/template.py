"""What a task template is, and how a task is sampled from a seed.

A template samples its params, words the instruction in one of several phrasings, may prepare the
session's state, and makes the state that success means by applying the apps' own rules to the
state before. Params are JSON; dates and money that an instruction shows are already formatted in
the world's locale.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic

from envs.contract.actions import Tool
from envs.gyms.kit.answers import Kind
from envs.gyms.kit.script import Script
from envs.gyms.kit.world import W
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page

Params = dict[str, Any]
MAX_SAMPLES = 300


class Resample(Exception):
    """These params make no sensible task: sample again. The message names the constraint."""


class Unsatisfiable(ValueError):
    """No params of this seed fit a template; the message names both and the constraint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskStates:
    """What a milestone may look at: a task's params and its states before and after. `success`:
    everything that success asks for holds."""

    params: Params
    before: State
    after: State
    success: bool = False


Milestone = tuple[str, Callable[[TaskStates], bool]]


def is_unconditional(states: TaskStates) -> bool:
    """Asks for nothing."""
    return True


def change_nothing(*_: Any) -> None:
    """Leaves the state as it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Template(Generic[W]):
    """See `envs.contract.task.TaskTemplate`.

    `oracle_steps` is the oracle's longest way through the pages, which sets level and limit;
    `skills` are of SKILLS. `solve` is the oracle by pages, `tool_calls` the one by site tools,
    where they suffice: of a task that cannot be done they meet the refusal. `apply_expected`
    changes a copy of the state before into the one that success means. `expected_answer` gives the
    right answer, in the form of `answer_kind`; `answer_units` are words that may stand after a
    number.
    `required_events`: what the apps have to have shown before "infeasible" counts ({param} is
    filled in), the event of a `Refused` among it; `has_met_refusal`: where no one event tells.
    `is_ordered`: the instruction says what comes first, or it follows from what is asked.
    `transient_paths`: paths that the way to success changes and changes back.
    """

    name: str
    skills: tuple[str, ...]
    oracle_steps: int
    phrasings: tuple[str, ...]
    sample_params: Callable[[W, random.Random, State], Params]
    solve: Callable[[Page, Params], Script]
    milestones: tuple[Milestone, ...]
    apply_expected: Callable[[W, Params, State], Any] = change_nothing
    prepare_state: Callable[[W, random.Random, State], Any] = change_nothing
    expected_answer: Callable[[W, Params, State], str] | None = None
    answer_kind: Kind = "text"
    answer_units: tuple[str, ...] = ()
    infeasible: bool = False
    is_ordered: bool = False
    required_events: tuple[str, ...] = ()
    has_met_refusal: Callable[[TaskStates], bool] = is_unconditional
    transient_paths: tuple[str, ...] = ()
    tool_calls: Callable[[Params], list[Tool]] | None = None

    @property
    def max_steps(self) -> int:
        """Room for detours: about twice the oracle's way."""
        return 2 * self.oracle_steps + 3


SKILLS = (
    "search",
    "filter",
    "sort",
    "compare",
    "form",
    "multi-step",
    "cross-app",
    "recall",
    "recover",
    "refuse",
    "answer",
    "menu",
    "dialog",
    "date",
    "drag",
)


def visited_page(event: str) -> Callable[[TaskStates], bool]:
    """Milestone: an app showed this ("<app>:<event>"), with {param} filled in."""
    return lambda states: event.format(**states.params) in states.after["log"]


def is_success(states: TaskStates) -> bool:
    """Milestone, always the last one: everything is as it should be."""
    return states.success


FINISHED: Milestone = ("finished", is_success)


def word_instruction(template: Template[Any], params: Params, phrasing: int) -> str:
    """The instruction in the phrasing with this index."""
    return template.phrasings[phrasing].format(**params)


def sample_task(template: Template[W], world: W, state: State) -> tuple[int, Params]:
    """Index of the phrasing, and params. Deterministic. Raises Unsatisfiable."""
    rng = world.rng(f"draw:{template.name}")
    reason = ""
    for _ in range(MAX_SAMPLES):
        try:
            params = template.sample_params(world, rng, state)
        except Resample as error:
            reason = str(error)
            continue
        return rng.randrange(len(template.phrasings)), params
    raise Unsatisfiable(f"template {template.name} has no task for seed {world.seed}: {reason}")


def make_expected_state(template: Template[W], world: W, params: Params, before: State) -> State:
    """The state that success means; `before` stays as it is."""
    state = copy.deepcopy(before)
    template.apply_expected(world, params, state)
    return state
