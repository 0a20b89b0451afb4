"""Successes kept for Entropulse: which episodes solved which task, over all policy versions.

Only ids are kept, a bounded number a task; the trajectories stay in the run's artifacts.
"""

from __future__ import annotations

import random
from typing import Any


class SuccessPool:
    def __init__(self, per_task: int = 64) -> None:
        self._per_task = per_task
        self._by_template: dict[str, dict[str, list[str]]] = {}

    def add(self, template: str, task_id: str, episode_id: str) -> None:
        """Keeps the newest `per_task` of a task."""
        kept = self._by_template.setdefault(template, {}).setdefault(task_id, [])
        kept.append(episode_id)
        del kept[: -self._per_task]

    def __len__(self) -> int:
        return sum(len(kept) for tasks in self._by_template.values() for kept in tasks.values())

    @property
    def tasks(self) -> int:
        return sum(len(tasks) for tasks in self._by_template.values())

    def pick(self, per_task: int, rng: random.Random) -> list[str]:
        """Entropulse (arXiv:2508.14040): of all successful episodes of RL, from every policy
        version, a random few of each task."""
        picked: list[str] = []
        for tasks in self._by_template.values():
            for kept in tasks.values():
                picked += rng.sample(kept, min(per_task, len(kept)))
        return picked

    def pick_like(self, template: str, rng: random.Random) -> str | None:
        """One success of a random task of this template: for a group in which nobody succeeded."""
        tasks = self._by_template.get(template)
        return rng.choice(rng.choice(list(tasks.values()))) if tasks else None

    def state_dict(self) -> dict[str, Any]:
        return {
            "by_template": {
                template: {task: list(kept) for task, kept in tasks.items()}
                for template, tasks in self._by_template.items()
            }
        }

    def load_state_dict(self, state: dict[str, Any]) -> None:
        self._by_template = {
            template: {task: list(kept) for task, kept in tasks.items()}
            for template, tasks in state["by_template"].items()
        }
