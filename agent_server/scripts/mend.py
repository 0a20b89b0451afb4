"""A script is mended from an episode in which another agent took over from it.

The steps that held stay as they are, with all their ways to find elements; what the agent did from
there on becomes their continuation. Values become the script's parameters again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from agent_server.episodes.trajectory import Step
from agent_server.scripts.make import CannotScript, list_moves, make_script, make_step
from agent_server.scripts.make_checks import make_end
from agent_server.scripts.model import Script
from agent_server.scripts.play import NoPlay, read_play
from agent_server.scripts.replay import GIVES_UP
from envs.contract.task import Task

_TOOK_OVER = re.compile(rf"^script \S+ v\d+ {GIVES_UP} (?P<step>\d+)$")


def script_of_episode(
    name: str,
    task: Task,
    steps: Sequence[Step],
    stated: Mapping[str, str] | None = None,
    episode: str | None = None,
) -> Script:
    """The script of any episode: mended, where it was the replay of one from which another agent
    took over; made anew, where an agent had it from the beginning. Raises CannotScript."""
    try:
        play = read_play(task)
    except NoPlay:
        return make_script(name, task, steps, stated, episode)
    if stated:
        raise CannotScript("the parameters of a replay are those of its script")
    script = play.script.model_copy(update={"name": name})
    return mend_script(script, steps, play.all_values, episode)


def mend_script(
    script: Script, steps: Sequence[Step], values: Mapping[str, str], episode: str | None = None
) -> Script:
    """The next version of the script that was replayed with these values. Raises CannotScript where
    it held, or where what the agent did cannot be repeated."""
    takeover = find_takeover(steps)
    if takeover is None:
        raise CannotScript("the script was replayed to its end: there is nothing to mend")
    place, step = takeover
    moves, end, last = list_moves(steps[place + 1 :])
    mended = [*script.steps[: step - 1], *(make_step(move, values) for move in moves)]
    made_from = script.made_from if episode is None else (*script.made_from, episode)
    # Through validation: a mended script is as whole as a new one.
    return Script.model_validate(
        script.model_dump()
        | {
            "version": script.version + 1,
            "made_from": made_from[-100:],
            "steps": [entry.model_dump() for entry in mended],
            "end": make_end(end, last, values).model_dump(),
        }
    )


def find_takeover(steps: Sequence[Step]) -> tuple[int, int] | None:
    """Where another agent took over: the place in the trajectory, and the number of the script's
    step that did not fit; None where it held."""
    for place, step in enumerate(steps):
        if match := _TOOK_OVER.match(step.prompt):
            return place, int(match["step"])
    return None
