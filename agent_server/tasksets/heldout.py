"""Samples held-out tasks for evaluations.

Training and `deskhand eval` sample alike: equal templates, count and seed give equal tasks.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from envs.contract.task import HELDOUT_SEED_BASE, SPLIT_BASES, Split


def sample_heldout(
    templates: Sequence[str], count: int, seed: int, split: Split = "test"
) -> list[tuple[str, int]]:
    """`count` (template, seed) pairs over all templates in turn, no seed twice, all of one
    split: held-out tasks, unless it is "train"."""
    rng = random.Random(f"heldout:{seed}")
    base = SPLIT_BASES[split]
    seeds = rng.sample(range(base, base + HELDOUT_SEED_BASE), count)
    return [(templates[index % len(templates)], chosen) for index, chosen in enumerate(seeds)]
