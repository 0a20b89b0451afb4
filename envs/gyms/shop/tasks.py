"""What a task template is, and how a task is drawn from a seed.

A template draws its params, words the instruction in one of several phrasings, prepares the
session's state, and computes the state that success means by applying the shop's own rules
(`domain.py`) to the state before.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from envs.gyms.gym import State
from envs.gyms.shop.account import fresh_state
from envs.gyms.shop.catalogue import Catalogue, hydrate

Params = dict[str, Any]
MAX_DRAWS = 500


class Redraw(Exception):
    """These params make no sensible task; draw again."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a milestone may look at."""

    params: Params
    before: State
    after: State
    finished: bool = False
    """Whether everything that success asks for holds."""


Draw = Callable[[Catalogue, random.Random, State], Params]
Milestone = tuple[str, Callable[[Evidence], bool]]


def unchanged(catalogue: Catalogue, params: Params, before: State) -> State:
    return copy.deepcopy(before)


def nothing(catalogue: Catalogue, rng: random.Random, state: State) -> None:
    """Prepare nothing."""


@dataclass(frozen=True, slots=True)
class Template:
    """`steps` is the length of the oracle's longest way without a detour; it sets the limit."""

    name: str
    phrasings: tuple[str, ...]
    draw: Draw
    milestones: tuple[Milestone, ...]
    steps: int
    expected: Callable[[Catalogue, Params, State], State] = unchanged
    prepare: Callable[[Catalogue, random.Random, State], None] = nothing
    answer: Callable[[Catalogue, Params, State], str] | None = None
    infeasible: bool = False
    must_see: tuple[str, ...] = ()
    """What the shop has to have shown before "infeasible" counts: without it, it is a guess."""
    passing: tuple[str, ...] = ()
    """Paths that the way to success changes and changes back."""


def saw(event: str) -> Callable[[Evidence], bool]:
    """Milestone: the shop showed this, with {param} filled in."""
    return lambda evidence: event.format(**evidence.params) in evidence.after["log"]


def finished(evidence: Evidence) -> bool:
    """Milestone, always the last one: all is as it should be."""
    return evidence.finished


def prepared_state(template: Template, seed: int) -> State:
    """The state in which a task of this template and seed starts."""
    state = fresh_state(seed)
    rng = random.Random(f"prepare:{template.name}:{seed}")
    template.prepare(hydrate(seed), rng, state)
    return state


def draw(template: Template, seed: int) -> tuple[str, Params]:
    """Instruction and params. Deterministic."""
    catalogue, state = hydrate(seed), prepared_state(template, seed)
    rng = random.Random(f"draw:{template.name}:{seed}")
    for _ in range(MAX_DRAWS):
        try:
            params = template.draw(catalogue, rng, state)
        except Redraw:
            continue
        return rng.choice(template.phrasings).format(**params), params
    raise RuntimeError(f"template {template.name} found no task for seed {seed}")
