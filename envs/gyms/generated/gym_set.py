"""A set of generated apps as one gym, for evaluations: `--gym gen-test`.

Its templates are those of its apps, as "gen-0180/count_dives_kind"; its tasks are theirs.
"""

from __future__ import annotations

from functools import cached_property
from itertools import zip_longest
from typing import Any

from envs.contract.task import Env, Task
from envs.gyms.generated.catalogue import expand_set, find_gym
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.gym import Oracle


class GymSet:
    """See `envs.gyms.server.gym.Gym`. Nothing is served under its name: each task names its app."""

    env: Env = "browser"

    def __init__(self, name: str, apps: tuple[str, ...]) -> None:
        self.name, self._apps = name, apps

    @cached_property
    def templates(self) -> tuple[str, ...]:
        """Of all apps, the first of each, then the second of each: few tasks of an evaluation
        are then of many apps."""
        lists = [[f"{name}/{entry}" for entry in self._get(name).templates] for name in self._apps]
        turns = zip_longest(*lists)
        return tuple(entry for turn in turns for entry in turn if entry is not None)

    def _get(self, name: str) -> AppGym[Any]:
        gym = find_gym(name)
        assert gym is not None, name
        return gym

    def make_task(self, template: str, seed: int) -> Task:
        """The app's own task. Raises KeyError."""
        name, _, entry = template.partition("/")
        if name not in self._apps:
            raise KeyError(f"{self.name} has no app {name!r}")
        return self._get(name).make_task(entry, seed)

    def oracle(self, task: Task) -> Oracle:
        """Of the task's app."""
        return self._get(task.gym or "").oracle(task)

    def corpus(self, seed: int) -> list[str]:
        """Of all apps."""
        return [line for name in self._apps for line in self._get(name).corpus(seed)]


def find_set(name: str) -> GymSet | None:
    """The set of this name, such as "gen-test" or "gen-train:40"; None for other names."""
    apps = expand_set(name)
    return GymSet(name, apps) if apps else None
