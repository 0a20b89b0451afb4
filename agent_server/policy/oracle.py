"""A policy that knows the way: the oracle of the gym, the task's own, or the solution kept for its
id, in a model's dialect."""

from __future__ import annotations

from agent_server.episodes.compact import render
from agent_server.episodes.trajectory import Completion
from agent_server.policy.policy import Turn
from envs.gyms.desktop.gym import script_oracle
from envs.gyms.desktop.oracle import ScriptOracle
from envs.gyms.gym import Oracle, OracleLost
from envs.gyms.registry import get_gym
from envs.observations import parse_tree
from envs.outcomes import EpisodeFault, InvalidReason
from envs.solutions import solution
from envs.tasks import Task


class OraclePolicy:
    """For one episode. It sees what a model sees and, beyond that, the task's params."""

    def __init__(self, task: Task) -> None:
        try:
            self._oracle = find_oracle(task)
        except KeyError as error:
            raise EpisodeFault(InvalidReason.POLICY_ERROR, str(error.args[0])) from error

    async def act(self, turn: Turn) -> Completion:
        try:
            move = self._oracle.move(turn.observation)
        except OracleLost as error:
            raise EpisodeFault(
                InvalidReason.POLICY_ERROR, f"the oracle is lost: {error}"
            ) from error
        tree = turn.observation.tree
        lines = [] if tree is None else parse_tree(tree.text)
        return Completion(text=render(move.thought, move.action, lines))


def find_oracle(task: Task) -> Oracle:
    """Raises KeyError where the task has none for the actions that it allows."""
    if task.gym is not None:
        return get_gym(task.gym).oracle(task)
    own = "oracle" in (task.model_extra or {})
    script = None if own else solution(task)
    return script_oracle(task) if script is None else ScriptOracle(script)
