"""The verifier matrix of the kit's apps on real pages, and the ways in from outside."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

import agent_server.adapters.gymnasium_env as gymnasium_env
from envs.contract.actions import Tool
from envs.contract.observations import Observe
from envs.gyms.kit.gym import AppGym
from envs.gyms.server.audit import Auditor
from envs.gyms.server.new import BadName, make
from envs.gyms.server.registry import kit_gyms, web_gyms
from envs.providers.local import local_host

pytestmark = pytest.mark.gyms
ROOT = Path(__file__).parents[3]
KIT = kit_gyms()


async def test_a_state_in_the_middle_of_an_episode_is_put_back_in_each_app() -> None:
    async with Auditor(2) as auditor:
        for gym in KIT:
            (row,) = await auditor.run_forks(gym, gym.templates[:1], [1])
            assert row.holds, row.failures


@pytest.mark.parametrize("gym", KIT, ids=lambda gym: gym.name)
async def test_each_template_is_solved_by_its_oracle_and_by_nothing_else(gym: AppGym) -> None:
    async with Auditor(2) as auditor:
        rows = await auditor.run_matrix(gym, gym.templates, [1])
    assert not [failure for row in rows for failure in row.failures]
    assert all(row.holds for row in rows)
    assert all(max(row.steps) <= gym.spec(row.template).oracle_steps + 1 for row in rows)


async def test_oracles_solve_most_tasks_on_sites_that_get_in_the_way() -> None:
    """Some templates of each gym; `deskhand gym audit --disturb` plays all."""
    async with Auditor(2) as auditor:
        rough = [
            row
            for gym in KIT
            for row in await auditor.run_disturbed(gym, gym.templates[::4], [1], 0.5)
        ]
    solved = sum(row.held["oracle"] for row in rough)
    assert len(rough) > 40
    assert solved >= 0.9 * len(rough), [failure for row in rough for failure in row.failures]


async def test_oracles_by_site_tools_solve_what_they_are_for() -> None:
    async with local_host(1) as host:
        session = await host.open()
        for gym in KIT:
            for name in gym.templates:
                calls = gym.spec(name).tool_calls
                if calls is None:
                    continue
                task = gym.make_task(name, 4).model_copy(update={"tools": "api"})
                await session.reset(task, Observe(tree=False))
                infeasible = gym.spec(name).infeasible
                for call in calls(task.params):
                    reply = await session.step([call], Observe(tree=False))
                    assert reply.results[0].ok or infeasible, (task.id, reply.results[0])
                verdict = await session.evaluate(None, infeasible)
                assert not verdict.details["state"], (task.id, verdict)
                assert verdict.details["ending_ok"], (task.id, verdict)
        refused = await session.step([Tool(name="billing.nothing")], Observe(tree=False))
        assert not refused.results[0].ok
        await session.close()


def test_a_gym_is_a_gymnasium_environment() -> None:
    gymnasium_env.register_gyms()
    ids = {spec for spec in gymnasium.registry if spec.startswith("deskhand/")}
    assert ids == {f"deskhand/{name}-v0" for name in web_gyms()}
    env = gymnasium.make("deskhand/billing-v0", disable_env_checker=True)
    try:
        check_env(env.unwrapped, skip_render_check=True)
        first, info = env.reset(seed=5)
        again, _ = env.reset(seed=5)
        assert first == again
        assert first["instruction"] == info["instruction"]
        wrong, reward, ended, cut, details = env.step("clik Invoices")
        assert (reward, ended, cut) == (0.0, False, False)
        assert "cannot read the action" in wrong["result"] == details["result"]
        last = env.step("done")
        assert last[2]
        assert last[4]["success"] is False
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.unwrapped.step("done")
        assert "click NAME" in info["actions"]
        assert "click NAME" in repr(env.action_space)
        with pytest.raises(ValueError, match="split 'test'"):
            env.reset(seed=10**9 + 5)
    finally:
        env.close()
    with pytest.raises(ValueError, match="pay_invoice"):
        gymnasium_env.GymEnv("billing", template="nothing")


def test_a_new_gym_works_as_it_is_written(tmp_path: Path) -> None:
    for bad in ("Billing", "x", "a-b", "billing"):
        with pytest.raises(BadName):
            make(bad, ROOT)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "envs", tmp_path / "envs", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    written = make("notes", tmp_path)
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(written[-1])],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert tests.returncode == 0, tests.stdout[-2000:]
