"""One oracle episode, timed: what the browser, gym and MiniWoB++ benchmarks have in common."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from envs.client import RemoteSession
from envs.contract.actions import Action, Done, Infeasible, Note
from envs.contract.observations import Observe
from envs.contract.task import Task
from envs.gyms.server.gym import Gym


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTiming:
    """Milliseconds of one action with the observation after it."""

    action: Action
    ms: float
    changed_url: bool


@dataclass(slots=True, kw_only=True)
class EpisodeTiming:
    """Milliseconds of a reset with its observation, and of each step."""

    reset_ms: float
    reset_level: str
    steps: list[StepTiming] = field(default_factory=list)


async def time_oracle_episode(
    session: RemoteSession, gym: Gym, task: Task, observe: Observe
) -> EpisodeTiming:
    """Plays a task with its oracle. Raises RuntimeError if an action fails or the score is not 1:
    the times of an episode that went wrong mean nothing."""
    oracle = gym.oracle(task)
    started = time.perf_counter()
    reply = await session.reset(task, observe)
    timing = EpisodeTiming(reset_ms=elapsed_ms(started), reset_level=reply.reset_level)
    observation = reply.observation
    for _ in range(task.limits.max_steps + 1):
        action = oracle.move(observation).action
        if isinstance(action, Done | Infeasible):
            answer = action.answer if isinstance(action, Done) else None
            verdict = await session.evaluate(answer, isinstance(action, Infeasible))
            if not verdict.success:
                raise RuntimeError(f"{task.id}: the oracle scored {verdict.score}")
            return timing
        if isinstance(action, Note):
            continue
        url = observation.url
        started = time.perf_counter()
        stepped = await session.step([action], observe)
        ms = elapsed_ms(started)
        if not stepped.results[0].ok:
            raise RuntimeError(f"{task.id}: {action.type}: {stepped.results[0].message}")
        observation = stepped.observation
        timing.steps.append(StepTiming(action=action, ms=ms, changed_url=observation.url != url))
    raise RuntimeError(f"{task.id}: the oracle did not finish within the task's steps")


def elapsed_ms(started: float) -> float:
    """Milliseconds since a `time.perf_counter()`."""
    return (time.perf_counter() - started) * 1000
