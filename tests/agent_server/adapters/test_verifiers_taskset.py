"""verifiers itself loads the web gyms as a taskset, serves their tools and scores rollouts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_server.adapters.text_episode import make_gym_task

pytestmark = pytest.mark.ecosystem
FOLDER = Path(__file__).parent
EXAMPLE = Path(__file__).parents[3] / "examples" / "verifiers"


@pytest.fixture
def plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    """verifiers finds tasksets and harnesses by the names of their modules."""
    monkeypatch.syspath_prepend(str(EXAMPLE))
    monkeypatch.syspath_prepend(str(FOLDER))


def make_environment(moves: bool) -> Any:
    import verifiers.v1 as vf
    from verifiers.v1.utils.loaders import load_environment

    from agent_server.adapters.verifiers_taskset import WebGymConfig

    taskset = WebGymConfig(id="deskhand_web", gym="shop", templates=("price", "cheapest"), seeds=3)
    agent = vf.AgentConfig.model_validate(
        {"harness": {"id": "oracle_harness", "moves": moves}, "runtime": {"type": "subprocess"}}
    )
    return load_environment(vf.SingleAgentEnvConfig(taskset=taskset, agent=agent))


@pytest.mark.usefixtures("plugins")
def test_the_package_loads_the_tasks_by_their_id() -> None:
    tasks = list(make_environment(moves=True).taskset)
    assert [task.data.idx for task in tasks] == list(range(6))
    assert tasks[1].data.id == make_gym_task("shop", "price", 1).id
    assert make_gym_task("shop", "price", 1).instruction in tasks[1].data.prompt
    assert len({task.key for task in tasks}) == 6


@pytest.mark.usefixtures("plugins")
@pytest.mark.parametrize(("moves", "reward"), [(True, 1.0), (False, 0.0)])
async def test_the_oracle_earns_1_and_who_does_nothing_0(moves: bool, reward: float) -> None:
    import verifiers.v1 as vf

    environment = make_environment(moves)
    model = vf.ModelContext(model="none", client=vf.EvalClientConfig())
    tasks = [task for task in environment.taskset if task.data.seed == 2]
    async with environment.serving():
        for task in tasks:
            episode = await environment.run_episode(task, model)
            assert not episode.errors, episode.errors
            (trace,) = episode.traces
            assert trace.ok, trace.errors
            assert trace.reward == reward
            assert trace.metrics["has_ended"] == 1
