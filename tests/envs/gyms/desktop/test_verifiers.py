"""Every desktop task: its oracle passes, doing nothing fails, doing more fails, forging fails.

DESKHAND_TEST_SEED names another task of each template."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from envs.actions import Done, Infeasible
from envs.gyms.desktop.gym import script_oracle
from envs.gyms.registry import get_gym
from envs.observations import Observation, Observe
from envs.session import Verdict
from envs.tasks import Task
from tests.envs.desktop_box import DesktopUser
from tests.envs.gyms.desktop.tampering import forgeries, over_actions

pytestmark = pytest.mark.desktop
GYM = get_gym("desktop")
SEED = int(os.environ.get("DESKHAND_TEST_SEED", "7"))
SEEN = Observe(tree_chars=20_000)
GUI = [name for name in GYM.templates if "gui" in GYM.make_task(name, SEED).model_extra["oracle"]]


async def solve(user: DesktopUser, task: Task) -> Verdict:
    """Follows the task's oracle; every action must succeed."""
    observation = await user.reset(task, SEEN)
    oracle = script_oracle(task)
    for _ in range(task.limits.max_steps + 20):
        action = oracle.move(observation).action
        if isinstance(action, Done | Infeasible):
            answer = action.answer if isinstance(action, Done) else None
            return await user.session.evaluate(answer, isinstance(action, Infeasible))
        reply = await user.session.step([action], SEEN)
        assert reply.results[0].ok, (
            f"{action}: {reply.results[0].message}\n{_shown(reply.observation)}"
        )
        observation = reply.observation
    raise AssertionError("the oracle did not end")


def _shown(observation: Observation) -> str:
    return observation.tree.text if observation.tree else ""


@contextmanager
def put_back(home: Path) -> Iterator[None]:
    """Undoes what happens to the visible files meanwhile."""
    kept = home / ".kept-by-test"
    folders = [entry for entry in home.iterdir() if not entry.name.startswith(".")]
    kept.mkdir()
    for entry in folders:
        (shutil.copytree if entry.is_dir() else shutil.copy2)(entry, kept / entry.name)
    try:
        yield
    finally:
        for entry in home.iterdir():
            if not entry.name.startswith("."):
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
        for entry in kept.iterdir():
            entry.rename(home / entry.name)
        kept.rmdir()


@pytest.mark.parametrize("template", GYM.templates)
async def test_only_the_task_itself_scores(user: DesktopUser, template: str) -> None:
    task = GYM.make_task(template, SEED)
    await user.reset(task)
    nothing_done = await user.session.evaluate("done", False)
    assert nothing_done.score < 1, "doing nothing passes"
    for what, edit in forgeries(task, user.home):
        with put_back(user.home):
            edit()
            assert (await user.session.evaluate("done", False)).score < 1, f"{what} passes"

    solved = await solve(user, task)
    assert solved.success, solved.details
    answer = next((a.get("answer") for a in task.model_extra["oracle"]["api"][-1:]), None)
    for what, edit in over_actions(task, user.home):
        with put_back(user.home):
            edit()
            assert (await user.session.evaluate(answer, False)).score < 1, f"{what} is overlooked"
    assert (await user.session.evaluate(None, True)).score == 0, "giving up passes"


@pytest.mark.parametrize("template", GUI)
async def test_a_person_can_solve_it_with_mouse_and_keys(user: DesktopUser, template: str) -> None:
    task = GYM.make_task(template, SEED).model_copy(update={"tools": "gui"})
    solved = await solve(user, task)
    assert solved.success, solved.details
