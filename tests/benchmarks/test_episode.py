"""An oracle episode is timed step by step, and one that goes wrong has no times."""

from __future__ import annotations

import pytest

from benchmarks.episode import time_oracle_episode
from envs.client import RemoteSession
from envs.contract.observations import Observe
from envs.providers.local import local_host
from tasksets.registry import get_gym


@pytest.mark.browser
async def test_times_are_of_every_step_and_failures_are_refused() -> None:
    gym = get_gym("shop")
    task = gym.make_task("price", 1)
    async with local_host() as client:
        session: RemoteSession = await client.open()
        timing = await time_oracle_episode(session, gym, task, Observe())
        assert timing.reset_ms > 0
        assert timing.steps
        assert all(step.ms > 0 for step in timing.steps)
        assert any(step.changed_url for step in timing.steps)

        task = gym.make_task("checkout", 1)
        limits = task.limits.model_copy(update={"max_steps": 1})
        with pytest.raises(RuntimeError, match="did not finish within the task's steps"):
            await time_oracle_episode(
                session, gym, task.model_copy(update={"limits": limits}), Observe()
            )
        await session.close()
