"""Which templates a run trains on, and which it is only evaluated on.

Guarantees: a template of an unseen set is never trained on, even if `env.tasks` names it; every
template exists. Templates are written "gym/template".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent_server.policy.oracle import find_oracle
from envs.contract.task import Task, describe_unknown_template
from envs.gyms.kit.explored import SUFFIX, BadTaskFile, load_tasks
from envs.gyms.kit.script import ScriptOracle
from envs.gyms.server.gym import Gym
from envs.gyms.server.registry import expand_generated
from tasksets.registry import get_gym
from trainer.config import ConfigError, TrainConfig
from trainer.curriculum import make_task


@dataclass(frozen=True, slots=True)
class TaskSet:
    """Templates to train on, and the sets of `eval.unseen` and `eval.suites` by their names."""

    trained: tuple[str, ...]
    unseen: dict[str, tuple[str, ...]]
    suites: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def gyms(self) -> tuple[Gym, ...]:
        """The gyms of the templates that are trained on, in their order."""
        return _gyms_of(self.trained)

    @property
    def needs_desktops(self) -> bool:
        """True if a template that is trained on or evaluated runs on a desktop."""
        templates = (*self.trained, *_all_templates(self.unseen), *_all_templates(self.suites))
        return any(gym.env == "desktop" for gym in _gyms_of(templates))


def resolve_tasks(config: TrainConfig) -> TaskSet:
    """The templates that a configuration names. Raises ConfigError."""
    unseen = {
        name: expand_tasks(names, f"eval.unseen.{name}")
        for name, names in config.eval.unseen.items()
    }
    suites = {
        name: expand_tasks(names, f"eval.suites.{name}")
        for name, names in config.eval.suites.items()
    }
    excluded = set(_all_templates(unseen))
    candidates = expand_tasks(config.env.tasks, "env.tasks")
    trained = tuple(template for template in candidates if template not in excluded)
    if not trained:
        raise ConfigError("env.tasks: nothing is left to train on, all of it is in eval.unseen")
    return TaskSet(trained, unseen, suites)


def check_oracles(config: TrainConfig, tasks: TaskSet) -> None:
    """Raises ConfigError where an oracle is to begin episodes and a template has none."""
    led = [name for name in config.reinforcing() if config.reinforce_config(name).led]
    for template in tasks.trained if led else ():
        task = make_task(template, 0).model_copy(update={"tools": config.env.tools})
        try:
            reason = _why_no_oracle(task)
        except (KeyError, ValueError) as error:
            reason = str(error.args[0])
        if reason:
            raise ConfigError(
                f"{led[0]}: reinforce.led lets an oracle begin, and {template} has none "
                f"({reason}): leave it out of env.tasks, or set reinforce.led to 0"
            )


def _why_no_oracle(task: Task) -> str:
    """Why the task's oracle could not act; empty where it can. Raises KeyError or ValueError where
    there is none."""
    if isinstance(find_oracle(task), ScriptOracle) and task.tools == "api":
        return "its oracle uses pages, and env.tools is 'api'"
    return ""


def expand_tasks(names: Sequence[str], key: str) -> tuple[str, ...]:
    """Gyms by all their templates, sets of generated gyms by all of theirs, files of explored tasks
    by the templates in them; each template once, in the order named."""
    templates: dict[str, None] = {}
    if not names:
        raise ConfigError(f"{key}: name a gym or gym/template")
    for name in names:
        if name.endswith(SUFFIX):
            try:
                templates |= dict.fromkeys(load_tasks(Path(name)))
            except BadTaskFile as error:
                raise ConfigError(f"{key}: {error}") from error
            continue
        if expand_generated(name):
            templates |= dict.fromkeys(get_gym(name).templates)
            continue
        gym, _, template = name.partition("/")
        try:
            known = get_gym(gym).templates
        except KeyError as error:
            raise ConfigError(f"{key}: {error.args[0]}") from error
        if template and template not in known:
            raise ConfigError(f"{key}: {describe_unknown_template(gym, template, known)}")
        for chosen in (template,) if template else known:
            templates[f"{gym}/{chosen}"] = None
    return tuple(templates)


def _gyms_of(templates: Sequence[str]) -> tuple[Gym, ...]:
    names = dict.fromkeys(template.partition("/")[0] for template in templates)
    return tuple(map(get_gym, names))


def _all_templates(sets: dict[str, tuple[str, ...]]) -> list[str]:
    return [template for templates in sets.values() for template in templates]
