"""The desktop tasks as a gym: templates, tasks from seeds, oracles."""

from __future__ import annotations

import random

from envs.gyms.desktop import browser as _browser  # noqa: F401
from envs.gyms.desktop import calc as _calc  # noqa: F401
from envs.gyms.desktop import calc_data as _calc_data  # noqa: F401
from envs.gyms.desktop import calc_looks as _calc_looks  # noqa: F401
from envs.gyms.desktop import calc_sheets as _calc_sheets  # noqa: F401
from envs.gyms.desktop import files as _files  # noqa: F401
from envs.gyms.desktop import impress as _impress  # noqa: F401
from envs.gyms.desktop import mail as _mail  # noqa: F401
from envs.gyms.desktop import several as _several  # noqa: F401
from envs.gyms.desktop import text_files as _text_files  # noqa: F401
from envs.gyms.desktop import writer as _writer  # noqa: F401
from envs.gyms.desktop import writer_looks as _writer_looks  # noqa: F401
from envs.gyms.desktop.oracle import ScriptOracle
from envs.gyms.desktop.template import TEMPLATES
from envs.gyms.gym import Oracle
from envs.tasks import Env, Limits, Task, split_of

MAX_SECONDS = 240.0


class DesktopGym:
    """See `envs.gyms.gym.Gym`. A task carries its evaluator and its oracle's actions."""

    name = "desktop"
    env: Env = "desktop"

    @property
    def templates(self) -> tuple[str, ...]:
        return tuple(TEMPLATES)

    def make_task(self, template: str, seed: int) -> Task:
        found = TEMPLATES.get(template)
        if found is None:
            raise KeyError(
                f"desktop has no template {template!r}; there are: {', '.join(TEMPLATES)}"
            )
        draft = found.draw(random.Random(f"{template}:{seed}"))
        oracle = {"api": list(draft.api)}
        if draft.gui is not None:
            oracle["gui"] = list(draft.gui)
        return Task.model_validate(
            {
                "id": f"desktop/{template}@{seed}",
                "instruction": draft.instruction,
                "env": "desktop",
                "gym": self.name,
                "template": template,
                "seed": seed,
                "config": list(draft.config),
                "evaluator": draft.evaluator,
                "limits": Limits(max_steps=found.max_steps, max_seconds=MAX_SECONDS),
                "split": split_of(seed),
                "related_apps": list(found.apps),
                "oracle": oracle,
                "over": list(draft.over),
            }
        )

    def oracle(self, task: Task) -> Oracle:
        return script_oracle(task)

    def corpus(self, seed: int) -> list[str]:
        """Instructions and the text of the oracle's actions."""
        texts: list[str] = []
        for index, name in enumerate(TEMPLATES):
            task = self.make_task(name, seed * len(TEMPLATES) + index)
            texts.append(task.instruction)
            for script in (task.model_extra or {}).get("oracle", {}).values():
                texts += [" ".join(str(value) for value in action.values()) for action in script]
        return texts


def script_oracle(task: Task) -> ScriptOracle:
    """The task's own oracle, by the actions that the task allows. Raises KeyError without one."""
    scripts = (task.model_extra or {}).get("oracle") or {}
    kind = "gui" if task.tools == "gui" else "api"
    if kind not in scripts:
        raise KeyError(f"task {task.id} has no {kind} oracle")
    return ScriptOracle(scripts[kind])


GYM = DesktopGym()
