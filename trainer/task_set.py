"""Which templates a run trains on, and which it is only measured on.

Guarantees: a template of an unseen set is never trained on, whatever `env.tasks` names; everything
named exists. Templates are written "gym/template".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from envs.gyms.gym import Gym
from envs.gyms.registry import get_gym
from envs.tasks import Task
from trainer.config import ConfigError, TrainConfig


@dataclass(frozen=True, slots=True)
class TaskSet:
    """`unseen`: the sets of `eval.unseen` by their names."""

    trained: tuple[str, ...]
    unseen: dict[str, tuple[str, ...]]

    @property
    def gyms(self) -> tuple[Gym, ...]:
        """Of the templates that are trained on, in their order."""
        return _gyms(self.trained)

    @property
    def on_desktops(self) -> bool:
        return any(gym.env == "desktop" for gym in _gyms((*self.trained, *_all(self.unseen))))


def task_set(config: TrainConfig) -> TaskSet:
    """Raises ConfigError."""
    unseen = {
        name: _templates(named, f"eval.unseen.{name}") for name, named in config.eval.unseen.items()
    }
    kept_out = set(_all(unseen))
    named = _templates(config.env.tasks, "env.tasks")
    trained = tuple(template for template in named if template not in kept_out)
    if not trained:
        raise ConfigError("env.tasks: nothing is left to train on, all of it is in eval.unseen")
    return TaskSet(trained, unseen)


def make_task(template: str, seed: int) -> Task:
    """Of "gym/template"."""
    gym, _, name = template.partition("/")
    return get_gym(gym).make_task(name, seed)


def _templates(named: Sequence[str], key: str) -> tuple[str, ...]:
    """Each once, in the order named."""
    found: dict[str, None] = {}
    if not named:
        raise ConfigError(f"{key}: name a gym or gym/template")
    for one in named:
        gym, _, template = one.partition("/")
        try:
            known = get_gym(gym).templates
        except KeyError as error:
            raise ConfigError(f"{key}: {error.args[0]}") from error
        if template and template not in known:
            raise ConfigError(
                f"{key}: {gym} has no template {template!r}; there are: {', '.join(known)}"
            )
        for name in (template,) if template else known:
            found[f"{gym}/{name}"] = None
    return tuple(found)


def _gyms(templates: Sequence[str]) -> tuple[Gym, ...]:
    return tuple(map(get_gym, dict.fromkeys(one.partition("/")[0] for one in templates)))


def _all(sets: dict[str, tuple[str, ...]]) -> list[str]:
    return [template for templates in sets.values() for template in templates]
