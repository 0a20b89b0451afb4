"""Lets an oracle play a task in an application of others."""

from __future__ import annotations

from envs.client import RemoteSession
from envs.contract.actions import Done, Infeasible
from envs.contract.observations import Observe
from envs.contract.session import Verdict
from envs.gyms.real.gym import ApplicationGym

OBSERVE = Observe(tree_chars=12_000, tree_options=30)


async def play(
    gym: ApplicationGym, session: RemoteSession, template: str, seed: int
) -> tuple[Verdict, str]:
    """The oracle's episode: the verdict, and the hash of what was seen first."""
    task = gym.make_task(template, seed)
    oracle = gym.oracle(task)
    observation = (await session.reset(task, OBSERVE)).observation
    first = observation.hash
    assert not (await session.evaluate(None, False)).success
    for _ in range(task.limits.max_steps):
        action = oracle.move(observation).action
        if isinstance(action, Done | Infeasible):
            break
        reply = await session.step([action], OBSERVE)
        assert reply.results[0].ok, reply.results
        observation = reply.observation
    answer = action.answer if isinstance(action, Done) else None
    return await session.evaluate(answer, isinstance(action, Infeasible)), first
