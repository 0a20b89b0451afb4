"""The bundled task files are those that the templates make."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_server.task_files import load_tasks
from envs.gyms.desktop.export import bundled, content_of
from envs.gyms.registry import get_gym
from envs.tasks import HELDOUT_SEED_BASE
from envs.verify import getters as _getters  # noqa: F401
from envs.verify import metrics, osworld
from envs.verify import steps as _steps  # noqa: F401
from envs.verify.evidence import INFEASIBLE
from envs.verify.registry import GETTERS, METRICS
from envs.verify.setup import STEPS

FOLDER = Path(__file__).parents[4] / "envs/tasks/desktop"
GYM = get_gym("desktop")
metrics.register()
osworld.register()


def test_the_files_are_up_to_date() -> None:
    found = {str(file.relative_to(FOLDER)): file.read_text() for file in FOLDER.rglob("*.json")}
    made = {path: content_of(task) for path, task in bundled().items()}
    assert found == made, "run python -m envs.gyms.desktop.export envs/tasks/desktop"


def test_there_are_at_least_sixty_and_all_load_as_held_out_desktop_tasks() -> None:
    tasks = load_tasks(FOLDER)
    assert len(tasks) >= 60
    assert {(task.env, task.split) for task in tasks} == {("desktop", "heldout")}
    assert len({task.id for task in tasks}) == len(tasks)


@pytest.mark.parametrize("template", GYM.templates)
def test_same_seed_same_task_and_other_seeds_differ(template: str) -> None:
    tasks = [GYM.make_task(template, seed) for seed in range(6)]
    assert GYM.make_task(template, 3) == tasks[3]
    assert len({task.model_dump_json(exclude={"id", "seed"}) for task in tasks}) > 1
    assert {task.split for task in tasks} == {"train"}
    assert GYM.make_task(template, HELDOUT_SEED_BASE).split == "heldout"


@pytest.mark.parametrize("template", GYM.templates)
def test_every_step_getter_and_metric_it_names_exists(template: str) -> None:
    task = GYM.make_task(template, 1)
    assert {step["type"] for step in task.config} <= STEPS.keys()
    evaluator = task.evaluator or {}
    functions = evaluator["func"] if isinstance(evaluator["func"], list) else [evaluator["func"]]
    assert set(functions) <= {*METRICS, INFEASIBLE}
    for side in ("result", "expected"):
        given = evaluator.get(side) or []
        for one in given if isinstance(given, list) else [given]:
            assert one is None or one["type"] in GETTERS
