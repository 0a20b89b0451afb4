"""The tasks of a campaign, as the API takes them: short ones whose oracles solve them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_server.tasksets.files import load_tasks
from envs.contract.task import HELDOUT_SEED_BASE
from envs.gyms.server.registry import kit_gyms

MAX_LEVEL = 2
"""An oracle takes at most seven steps."""
DESKTOP_TASKS = Path(__file__).parents[2] / "tasksets" / "bundled" / "desktop"
DESKTOP_DOMAINS = ("pcmanfm", "mousepad")


@dataclass(frozen=True, slots=True)
class Work:
    """A task and who does it. `name` is the same for the same task, whoever does it."""

    name: str
    policy: str
    body: dict[str, Any]

    def request(self) -> dict[str, Any]:
        """The body of POST /v1/tasks."""
        return {**self.body, "policy": self.policy}


def choose_works(profile: str, seed: int, count: int) -> list[Work]:
    """`count` tasks for the oracle, drawn by the seed."""
    rng = random.Random(f"works/{seed}/{profile}")
    works = _desktop_works() if profile == "desktop" else _browser_works(rng)
    return rng.sample(works, min(count, len(works)))


def _browser_works(rng: random.Random) -> list[Work]:
    works = []
    for gym in kit_gyms():
        for template in gym.templates:
            if (gym.level(template) or MAX_LEVEL + 1) > MAX_LEVEL:
                continue
            seed = rng.randrange(HELDOUT_SEED_BASE)
            body = {"gym": gym.name, "template": template, "seed": seed}
            works.append(Work(f"{gym.name}/{template}@{seed}", "oracle", body))
    return works


def _desktop_works() -> list[Work]:
    return [
        Work(task.id, "oracle", {"task": task.model_dump(mode="json")})
        for domain in DESKTOP_DOMAINS
        for task in load_tasks(DESKTOP_TASKS / domain)
    ]
