"""The desktop tasks as a gym: templates, tasks from seeds, oracles."""

from __future__ import annotations

import random
from collections.abc import Sequence

from envs.contract.task import Env, Limits, Task, get_template, make_task_id, split_of
from envs.gyms.server.gym import Oracle
from tasksets.desktop.catalog import TEMPLATES
from tasksets.desktop.oracle import ActionListOracle
from tasksets.desktop.template import DesktopTemplate

MAX_SECONDS = 240.0


class DesktopGym:
    """See `envs.gyms.server.gym.Gym`. A task carries its evaluator and its oracle's actions."""

    name = "desktop"
    env: Env = "desktop"

    def __init__(self, templates: Sequence[DesktopTemplate]) -> None:
        """Raises ValueError for two templates of the same name."""
        self.specs = {template.name: template for template in templates}
        if len(self.specs) != len(templates):
            raise ValueError(f"{self.name}: two templates have the same name")

    @property
    def templates(self) -> tuple[str, ...]:
        """Names, in the order they were given."""
        return tuple(self.specs)

    def make_task(self, template: str, seed: int) -> Task:
        """The task of a seed, always the same. Raises KeyError for an unknown template."""
        spec = get_template(self.name, self.specs, template)
        draft = spec.sample_draft(random.Random(f"{template}:{seed}"))
        oracle = {"api": list(draft.api)}
        if draft.gui is not None:
            oracle["gui"] = list(draft.gui)
        return Task.model_validate(
            {
                "id": make_task_id(self.name, template, seed),
                "instruction": draft.instruction,
                "env": "desktop",
                "gym": self.name,
                "template": template,
                "seed": seed,
                "config": list(draft.config),
                "evaluator": draft.evaluator,
                "limits": Limits(max_steps=spec.max_steps, max_seconds=MAX_SECONDS),
                "split": split_of(seed),
                "related_apps": list(spec.apps),
                "oracle": oracle,
                "over": list(draft.over_edits),
            }
        )

    def oracle(self, task: Task) -> Oracle:
        """The oracle of a task of this gym, see `script_oracle`."""
        return script_oracle(task)

    def corpus(self, seed: int) -> list[str]:
        """Instructions and the text of the oracle's actions, one task of each template."""
        texts: list[str] = []
        for index, name in enumerate(self.specs):
            task = self.make_task(name, seed * len(self.specs) + index)
            texts.append(task.instruction)
            for script in (task.model_extra or {}).get("oracle", {}).values():
                texts += [" ".join(str(value) for value in action.values()) for action in script]
        return texts


def script_oracle(task: Task) -> ActionListOracle:
    """The task's own oracle, by the actions that the task allows. Raises KeyError without one,
    ValueError where it holds what is no action."""
    scripts = (task.model_extra or {}).get("oracle")
    kind = "gui" if task.tools == "gui" else "api"
    if not isinstance(scripts, dict) or kind not in scripts:
        raise KeyError(f"task {task.id} has no {kind} oracle")
    return ActionListOracle(scripts[kind])


GYM = DesktopGym(TEMPLATES)
