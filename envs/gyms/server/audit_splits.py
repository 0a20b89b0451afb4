"""What the splits share: instructions by template, and names by kind.

By construction nothing: people, firms, products and projects of a split have names of their own
(`envs.gyms.kit.names` and the vocabularies of the apps), records have numbers and days of their
own, and where an instruction would name none of these, it names the company or the shop. Here it is
measured, on seeds at random: neighbouring seeds are not as different as they look, for some values
follow from the seed modulo something.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from envs.contract.task import HELDOUT_SEED_BASE, SPLIT_BASES, Split
from envs.gyms.kit.company import Company
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.template import Unsatisfiable, word_instruction


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedTexts:
    """How many different texts of a sort there are, and those of more than one split."""

    count: int
    shared: tuple[str, ...]


def sample_seeds(count: int) -> dict[Split, tuple[int, ...]]:
    """Seeds of each split: its first one and others at random, always the same."""
    rng = random.Random("seeds of an audit of the splits")
    return {
        split: (base, *(base + rng.randrange(1, HELDOUT_SEED_BASE) for _ in range(count - 1)))
        for split, base in SPLIT_BASES.items()
    }


def compare_instructions(gym: AppGym[Any], template: str, count: int) -> SharedTexts:
    """The template's instructions, in all their wordings, at `count` seeds of each split."""
    return _compare(
        _list_instructions(gym, template, seeds) for seeds in sample_seeds(count).values()
    )


def compare_names(gym: AppGym[Any], count: int) -> dict[str, SharedTexts]:
    """The names in the gym's worlds by kind (people, firms, products), at `count` seeds of each
    split."""
    by_split = [_list_names(gym, seeds) for seeds in sample_seeds(count).values()]
    kinds = sorted({kind for names in by_split for kind in names})
    return {kind: _compare(names[kind] for names in by_split) for kind in kinds}


def _compare(texts_by_split: Iterable[set[str]]) -> SharedTexts:
    by_split = list(texts_by_split)
    shared = set[str]().union(*(first & second for first, second in combinations(by_split, 2)))
    return SharedTexts(count=len(set[str]().union(*by_split)), shared=tuple(sorted(shared)))


def _list_instructions(gym: AppGym[Any], template: str, seeds: Sequence[int]) -> set[str]:
    spec = gym.spec(template)
    instructions = set[str]()
    for seed in seeds:
        try:
            params = gym.make_task(template, seed).params
        except Unsatisfiable:
            continue
        wordings = range(len(spec.phrasings))
        instructions |= {word_instruction(spec, params, index) for index in wordings}
    return instructions


def _list_names(gym: AppGym[Any], seeds: Sequence[int]) -> Mapping[str, set[str]]:
    names: defaultdict[str, set[str]] = defaultdict(set)
    for seed in seeds:
        world = gym.make_world(seed)
        if isinstance(world, Company):
            names["people"] |= {person.name for person in world.people}
            names["people"] |= {firm.contact for firm in world.firms}
            names["firms"] |= {world.name, *(firm.name for firm in world.firms)}
        for app in gym.apps:
            for kind, texts in app.list_names(world, app.make_state(world)).items():
                names[kind].update(texts)
    return names
