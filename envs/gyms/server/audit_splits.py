"""Which instructions the splits share, by template.

An instruction without an entity (a name, a firm, a product, a number of a record) can be the same
in two splits although their worlds differ: "How many leave requests wait for a decision?". Names
of people, companies, firms, brands, products and projects are apart by construction (`names.py`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from envs.contract.task import SPLIT_BASES
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.template import Unsatisfiable

_SLOT = re.compile(r"\{(\w+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitRow:
    """A template: how many different instructions were made, and those of more than one split."""

    gym: str
    template: str
    instructions: int
    shared: tuple[str, ...]
    is_entity_free: bool
    """The instruction names nothing of the world: no phrasing has a slot."""


def compare_splits(gym: AppGym[Any], template: str, seeds: int) -> SplitRow:
    """The template's instructions at the first `seeds` seeds of each split."""
    made = [_instructions(gym, template, range(b, b + seeds)) for b in SPLIT_BASES.values()]
    shared = set[str]().union(*(first & second for first, second in combinations(made, 2)))
    return SplitRow(
        gym=gym.name,
        template=template,
        instructions=len(set[str]().union(*made)),
        shared=tuple(sorted(shared)),
        is_entity_free=not any(_SLOT.search(text) for text in gym.spec(template).phrasings),
    )


def _instructions(gym: AppGym[Any], template: str, seeds: Sequence[int]) -> set[str]:
    made = set[str]()
    for seed in seeds:
        try:
            made.add(gym.make_task(template, seed).instruction)
        except Unsatisfiable:
            continue
    return made
