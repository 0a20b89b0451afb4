"""Successes kept for Entropulse: which episodes solved which task, over all policy versions.

Only ids are kept; the trajectories stay in the run's artifacts.
"""

from __future__ import annotations

import random
from typing import Any


class SuccessPool:
    def __init__(self) -> None:
        self._by_task: dict[str, list[str]] = {}

    def add(self, task_id: str, episode_id: str) -> None:
        self._by_task.setdefault(task_id, []).append(episode_id)

    def __len__(self) -> int:
        return sum(len(episodes) for episodes in self._by_task.values())

    @property
    def tasks(self) -> int:
        return len(self._by_task)

    def pick(self, per_task: int, rng: random.Random) -> list[str]:
        """Entropulse (arXiv:2508.14040): of all successful episodes of RL, from every policy
        version, a random few of each task."""
        picked: list[str] = []
        for episodes in self._by_task.values():
            picked += rng.sample(episodes, min(per_task, len(episodes)))
        return picked

    def state_dict(self) -> dict[str, Any]:
        return {"by_task": {task: list(ids) for task, ids in self._by_task.items()}}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self._by_task = {task: list(ids) for task, ids in state["by_task"].items()}
