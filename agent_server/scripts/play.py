"""A script as the agent of a task: the replay travels in the task, under `script`.

So an episode's row holds exactly what was replayed, and a worker needs nothing else.
"""

from __future__ import annotations

from collections.abc import Callable

from pydantic import ValidationError

from agent_server.episodes.agent import Agent
from agent_server.scripts.model import ScriptPlay
from agent_server.scripts.replay import ScriptAgent
from agent_server.scripts.texts import fill, shows_value
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Limits, Task
from tasksets.registry import get_gym

POLICY = "script"
"""The name under which scripts are agents."""
STEPS_BEYOND = 3
"""Limits have so many times the recorded steps: for interruptions, and for whoever takes over."""


class NoPlay(ValueError):
    """The task says no script, or one that cannot be read; the message says what is wrong."""


def read_play(task: Task) -> ScriptPlay:
    """The replay that a task carries. Raises NoPlay."""
    data = (task.model_extra or {}).get(POLICY)
    if data is None:
        raise NoPlay("the task carries no script")
    try:
        return ScriptPlay.model_validate(data)
    except ValidationError as error:
        first = error.errors(include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise NoPlay(f"{where}: {first['msg']}".removeprefix(": ")) from error


def make_script_agent(task: Task, make_other: Callable[[str, Task], Agent]) -> Agent:
    """The agent of a task that carries a script. Raises EpisodeFault."""
    try:
        play = read_play(task)
    except NoPlay as error:
        raise EpisodeFault(InvalidReason.UNRUNNABLE, f"script: {error}") from error
    if play.otherwise is None:
        return ScriptAgent(play)
    if play.otherwise == POLICY:
        raise EpisodeFault(InvalidReason.UNRUNNABLE, "script: a script cannot take over from one")
    return ScriptAgent(play, make_other(play.otherwise, task))


def make_script_task(play: ScriptPlay, task_id: str, seed: int | None = None) -> Task:
    """The script's own task, carrying the replay. `seed`: of a gym's task instead of the recorded
    one; parameters that it draws itself have its values where `play` says no others. Raises
    KeyError, ValueError where the gym does not make it."""
    recorded = play.script.task
    steps = recorded.max_steps + STEPS_BEYOND * len(play.script.steps)
    if recorded.gym is not None:
        task = get_gym(recorded.gym).make_task(
            recorded.template or "", recorded.seed or 0 if seed is None else seed
        )
        drawn = {
            name: str(task.params[name])
            for name in play.script.examples
            if name in task.params and shows_value(task.instruction, str(task.params[name]))
        }
        play = play.model_copy(update={"values": drawn | play.values})
        limits = task.limits.model_copy(update={"max_steps": min(1000, steps)})
        return carry(task.model_copy(update={"limits": limits}), play)
    task = Task(
        id=task_id,
        instruction=fill(recorded.instruction, play.all_values),
        env=recorded.env,
        start_url=recorded.start_url,
        allow=recorded.allow,
        secrets=recorded.secrets,
        limits=Limits(max_steps=min(1000, steps)),
    )
    return carry(task, play)


def carry(task: Task, play: ScriptPlay) -> Task:
    """The same task with the replay in it."""
    return Task.model_validate(task.model_dump() | {POLICY: play.model_dump(mode="json")})
