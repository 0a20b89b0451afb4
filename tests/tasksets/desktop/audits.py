"""What every desktop template must pass, on a real desktop and without one.

On a desktop: the oracle passes, doing nothing fails, doing more fails, forging fails.
DESKHAND_TEST_SEED chooses another task of each template. With DESKHAND_TEST_ALL=1 (`make check`)
every template is tried on a desktop, meets all kinds of forgeries, and has its GUI oracle followed;
else a sample of each.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from envs.contract.actions import Done, Infeasible
from envs.contract.observations import Observation, Observe
from envs.contract.session import Verdict
from envs.contract.task import HELDOUT_SEED_BASE, Task
from envs.osworld.inside.getters import GETTERS
from envs.osworld.inside.steps import STEPS
from envs.osworld.outside.getters import TASK_GETTERS
from envs.osworld.outside.metric_modules import available_metrics
from envs.state.evidence import INFEASIBLE
from tasksets.desktop.gym import GYM, script_oracle
from tasksets.desktop.template import DesktopTemplate
from tests.envs.desktop_box import DesktopUser
from tests.tasksets.desktop.tampering import KINDS, Edit, forgeries, over_actions

SEED = int(os.environ.get("DESKHAND_TEST_SEED", "7"))
EVERYTHING = os.environ.get("DESKHAND_TEST_ALL") == "1"
SHARE = 3
OBSERVE = Observe(tree_chars=20_000)


def for_each(templates: Iterable[DesktopTemplate]) -> pytest.MarkDecorator:
    """Parametrizes a test with the names of templates."""
    return pytest.mark.parametrize("template", [template.name for template in templates])


def for_each_on_a_desktop(templates: Iterable[DesktopTemplate]) -> pytest.MarkDecorator:
    """Parametrizes a test with the names of templates, or with a sample of them."""
    return for_each(template for template in templates if EVERYTHING or is_drawn(template, 1))


def is_drawn(template: DesktopTemplate, part: int) -> bool:
    """Whether it is in this one of SHARE parts, which are drawn by name, whatever the order."""
    return crc32(template.name.encode()) % SHARE == part


def for_each_with_gui(templates: Iterable[DesktopTemplate]) -> pytest.MarkDecorator:
    """Parametrizes a test with the names of templates that have a GUI oracle, or with a sample."""
    return for_each(
        template
        for template in templates
        if "gui" in (GYM.make_task(template.name, SEED).model_extra or {})["oracle"]
        and (EVERYTHING or is_drawn(template, 0))
    )


def check_is_deterministic(template: str) -> None:
    """Same seed, same task; other seeds give others; the split follows from the seed."""
    tasks = [GYM.make_task(template, seed) for seed in range(6)]
    assert GYM.make_task(template, 3) == tasks[3]
    assert len({task.model_dump_json(exclude={"id", "seed"}) for task in tasks}) > 1
    assert {task.split for task in tasks} == {"train"}
    assert GYM.make_task(template, HELDOUT_SEED_BASE).split == "test"


def check_names_exist(template: str) -> None:
    """Every step, getter and metric that the task names is registered."""
    task = GYM.make_task(template, 1)
    assert {step["type"] for step in task.config} <= STEPS.keys()
    evaluator = task.evaluator or {}
    functions = evaluator["func"] if isinstance(evaluator["func"], list) else [evaluator["func"]]
    assert set(functions) <= {*available_metrics(), INFEASIBLE}
    for side in ("result", "expected"):
        sources: Any = evaluator.get(side) or []
        for source in sources if isinstance(sources, list) else [sources]:
            assert source is None or source["type"] in GETTERS | TASK_GETTERS


async def check_only_the_task_scores(user: DesktopUser, template: str) -> None:
    """Doing nothing, forging, doing more and giving up fail; the oracle passes."""
    task = GYM.make_task(template, SEED)
    await user.reset(task)
    nothing_done = await user.session.evaluate("done", False)
    assert nothing_done.score < 1, "doing nothing passes"
    for description, edit in chosen_forgeries(task, user.home):
        with restore_files(user.home):
            edit()
            verdict = await user.session.evaluate("done", False)
            assert verdict.score < 1, f"{description} passes"

    solved = await solve(user, task)
    assert solved.success, solved.details
    script = (task.model_extra or {})["oracle"]["api"]
    answer = script[-1].get("answer")
    for description, edit in over_actions(task, user.home):
        with restore_files(user.home):
            edit()
            verdict = await user.session.evaluate(answer, False)
            assert verdict.score < 1, f"{description} is overlooked"
    assert (await user.session.evaluate(None, True)).score == 0, "giving up passes"


def chosen_forgeries(task: Task, home: Path) -> list[tuple[str, Edit]]:
    """One of each judged file, or all."""
    every = list(forgeries(task, home))
    return every if EVERYTHING else every[crc32((task.template or "").encode()) % KINDS :: KINDS]


async def check_gui_oracle(user: DesktopUser, template: str) -> None:
    """A person can solve the task with mouse and keys."""
    task = GYM.make_task(template, SEED).model_copy(update={"tools": "gui"})
    solved = await solve(user, task)
    assert solved.success, solved.details


async def solve(user: DesktopUser, task: Task) -> Verdict:
    """Follows the task's oracle; every action must succeed."""
    observation = await user.reset(task, OBSERVE)
    oracle = script_oracle(task)
    for _ in range(task.limits.max_steps + 20):
        action = oracle.move(observation).action
        if isinstance(action, Done | Infeasible):
            answer = action.answer if isinstance(action, Done) else None
            return await user.session.evaluate(answer, isinstance(action, Infeasible))
        reply = await user.session.step([action], OBSERVE)
        result = reply.results[0]
        assert result.ok, f"{action}: {result.message}\n{_tree_text(reply.observation)}"
        observation = reply.observation
    raise AssertionError("the oracle did not end")


def _tree_text(observation: Observation) -> str:
    return observation.tree.text if observation.tree else ""


@contextmanager
def restore_files(home: Path) -> Iterator[None]:
    """Undoes what the block changes of the visible files."""
    copies = home / ".kept-by-test"
    folders = [entry for entry in home.iterdir() if not entry.name.startswith(".")]
    copies.mkdir()
    for entry in folders:
        (shutil.copytree if entry.is_dir() else shutil.copy2)(entry, copies / entry.name)
    try:
        yield
    finally:
        for entry in home.iterdir():
            if not entry.name.startswith("."):
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        for entry in copies.iterdir():
            entry.rename(home / entry.name)
        copies.rmdir()
