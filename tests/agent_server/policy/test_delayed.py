"""Answers come later, and many wait side by side."""

from __future__ import annotations

import asyncio
import time

from agent_server.episodes.agent import Sampling, Turn
from agent_server.episodes.trajectory import Completion
from agent_server.policy.delayed import DelayedPolicy
from envs.contract.observations import Observation
from tasksets.registry import get_gym


class Echo:
    async def act(self, turn: Turn) -> Completion:
        return Completion(text=turn.prompt)


async def test_answers_wait_side_by_side() -> None:
    task = get_gym("shop").make_task("price", 1)
    policy, since = DelayedPolicy(Echo(), 0.05), time.monotonic()
    turns = [Turn(task, Observation(hash=""), prompt, Sampling()) for prompt in "abcdefgh"]
    answers = await asyncio.gather(*(policy.act(turn) for turn in turns))
    assert "".join(answer.text for answer in answers) == "abcdefgh"
    assert 0.05 <= time.monotonic() - since < 0.05 * len(turns)
