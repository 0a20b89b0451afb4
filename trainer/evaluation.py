"""Evaluation on held-out seeds: a denominator fixed at the start, and an interval.

The held-out tasks of a run are drawn once, the same for every phase. An episode that infrastructure
lost for good counts as not solved: the denominator never shrinks, and `lost` says how many.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from agent_server.store.tables import Episode
from envs.gyms.registry import get_gym
from envs.tasks import HELDOUT_SEED_BASE, Task
from trainer.collector import FinishedGroup

Z95 = 1.959964


def wilson(successes: int, total: int) -> tuple[float, float]:
    """95% Wilson score interval of a rate (Wilson 1927)."""
    if total == 0:
        return 0.0, 1.0
    rate = successes / total
    centre = (rate + Z95**2 / (2 * total)) / (1 + Z95**2 / total)
    spread = rate * (1 - rate) / total + Z95**2 / (4 * total**2)
    half = Z95 * math.sqrt(spread) / (1 + Z95**2 / total)
    return max(0.0, centre - half), min(1.0, centre + half)


def heldout_tasks(gym: str, templates: Sequence[str], count: int, seed: int) -> list[Task]:
    """`count` tasks over all templates in turn, from held-out seeds."""
    rng = random.Random(f"heldout:{seed}")
    made = get_gym(gym)
    return [
        made.make_task(
            templates[index % len(templates)],
            HELDOUT_SEED_BASE + rng.randrange(HELDOUT_SEED_BASE),
        )
        for index in range(count)
    ]


def summarize(groups: Sequence[FinishedGroup], total: int) -> dict[str, Any]:
    """The `eval` entry of a phase in report.json."""
    rows: list[tuple[str, Episode]] = [
        (group.task.template or "", row) for group in groups for row in group.episodes
    ]
    solved = sum(bool(row.success) for _, row in rows)
    by_template: dict[str, dict[str, float]] = {}
    for name in sorted({group.task.template or "" for group in groups}):
        mine = [row for template, row in rows if template == name]
        asked = sum((group.task.template or "") == name for group in groups)
        by_template[name] = {
            "success_rate": sum(bool(row.success) for row in mine) / asked,
            "n": asked,
        }
    return {
        "success_rate": solved / total,
        "ci95": list(wilson(solved, total)),
        "n": total,
        "lost": total - len(rows),
        "score_mean": sum(row.score or 0.0 for _, row in rows) / total,
        "steps_mean": sum(row.steps for _, row in rows) / max(len(rows), 1),
        "by_template": by_template,
    }
