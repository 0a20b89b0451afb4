"""What a held-out success rate stands on: the tasks, drawn once, and the interval of the rate.

Training and `deskhand eval` draw alike, so equal templates, count and seed are equal tasks.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence

from envs.tasks import HELDOUT_SEED_BASE

Z95 = 1.959964


def heldout_draws(templates: Sequence[str], count: int, seed: int) -> list[tuple[str, int]]:
    """`count` (template, seed) pairs over all templates in turn, no seed twice, all held out."""
    rng = random.Random(f"heldout:{seed}")
    seeds = rng.sample(range(HELDOUT_SEED_BASE, 2 * HELDOUT_SEED_BASE), count)
    return [(templates[index % len(templates)], chosen) for index, chosen in enumerate(seeds)]


def wilson(successes: int, total: int) -> tuple[float, float]:
    """95% Wilson score interval of a rate (Wilson 1927)."""
    if total == 0:
        return 0.0, 1.0
    rate = successes / total
    centre = (rate + Z95**2 / (2 * total)) / (1 + Z95**2 / total)
    spread = rate * (1 - rate) / total + Z95**2 / (4 * total**2)
    half = Z95 * math.sqrt(spread) / (1 + Z95**2 / total)
    return max(0.0, centre - half), min(1.0, centre + half)
