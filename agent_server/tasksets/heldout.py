"""Draws held-out tasks for evaluations.

Training and `deskhand eval` draw alike: equal templates, count and seed give equal tasks.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from envs.contract.task import HELDOUT_SEED_BASE


def heldout_draws(templates: Sequence[str], count: int, seed: int) -> list[tuple[str, int]]:
    """`count` (template, seed) pairs over all templates in turn, no seed twice, all held out."""
    rng = random.Random(f"heldout:{seed}")
    seeds = rng.sample(range(HELDOUT_SEED_BASE, 2 * HELDOUT_SEED_BASE), count)
    return [(templates[index % len(templates)], chosen) for index, chosen in enumerate(seeds)]
