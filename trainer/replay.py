"""Successes kept for Entropulse: which episodes solved which task, over all policy versions.

Only ids are kept, a bounded number a task; the trajectories stay in the run's artifacts.
"""

from __future__ import annotations

import random
from collections.abc import Container
from typing import Any


class SuccessPool:
    """Ids of successful episodes by template and task; the newest `per_task` of each task."""

    def __init__(self, per_task: int = 64) -> None:
        self._per_task = per_task
        self._by_template: dict[str, dict[str, list[str]]] = {}

    def add(self, template: str, task_id: str, episode_id: str) -> None:
        """Adds a success; the task's oldest beyond the bound is dropped."""
        episode_ids = self._by_template.setdefault(template, {}).setdefault(task_id, [])
        episode_ids.append(episode_id)
        del episode_ids[: -self._per_task]

    def __len__(self) -> int:
        return sum(len(ids) for tasks in self._by_template.values() for ids in tasks.values())

    @property
    def tasks(self) -> int:
        """Number of tasks with a success."""
        return sum(len(tasks) for tasks in self._by_template.values())

    def pick(self, per_task: int, rng: random.Random) -> list[str]:
        """Entropulse (arXiv:2508.14040): of all successful episodes of RL, from every policy
        version, a random few of each task."""
        picked: list[str] = []
        for tasks in self._by_template.values():
            for episode_ids in tasks.values():
                picked += rng.sample(episode_ids, min(per_task, len(episode_ids)))
        return picked

    def pick_from_template(
        self, template: str, rng: random.Random, excluded: Container[str] = ()
    ) -> str | None:
        """One success of a random task of this template, none of the `excluded` episodes; None
        where there is none."""
        tasks = self._by_template.get(template, {}).values()
        kept = [[each for each in ids if each not in excluded] for ids in tasks]
        choices = [ids for ids in kept if ids]
        return rng.choice(rng.choice(choices)) if choices else None

    def state_dict(self) -> dict[str, Any]:
        """For a checkpoint: plain values only."""
        return {"by_template": _copy(self._by_template)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continues where `state_dict` was taken."""
        self._by_template = _copy(state["by_template"])


def _copy(by_template: dict[str, dict[str, list[str]]]) -> dict[str, dict[str, list[str]]]:
    return {
        template: {task: list(episode_ids) for task, episode_ids in tasks.items()}
        for template, tasks in by_template.items()
    }
