"""A policy that knows the solution: the gym's oracle, the task's own script, or the stored solution
of its id; it answers in a model's dialect.
"""

from __future__ import annotations

from agent_server.episodes.agent import Turn
from agent_server.episodes.compact import render
from agent_server.episodes.trajectory import Completion
from envs.contract.actions import ActionError, ActionResult
from envs.contract.observations import tree_lines
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.task import Task
from envs.gyms.server.gym import Oracle, OracleLost
from tasksets.desktop.gym import script_oracle
from tasksets.desktop.oracle import ActionListOracle
from tasksets.registry import get_gym
from tasksets.solutions import find_solution

FAULTS_OF_PROGRAMS = frozenset({ActionError.TOOL_FAILED, ActionError.TIMEOUT})
"""Of actions that were right: a program did not answer, or not in time."""


class OraclePolicy:
    """The oracle of one episode. It sees the observation and also the task's params."""

    def __init__(self, task: Task) -> None:
        try:
            self._oracle = find_oracle(task)
        except (KeyError, ValueError) as error:
            raise EpisodeFault(InvalidReason.UNRUNNABLE, str(error.args[0])) from error

    async def act(self, turn: Turn) -> Completion:
        """The oracle's next move. Raises EpisodeFault when the state is not one it knows, and where
        a program failed that a list of actions needs: the list goes on as if it had not."""
        if isinstance(self._oracle, ActionListOracle):
            _check_result(turn.result)
        try:
            move = self._oracle.move(turn.observation)
        except OracleLost as error:
            raise EpisodeFault(
                InvalidReason.POLICY_UNREADABLE, f"the oracle is lost: {error}"
            ) from error
        lines = tree_lines(turn.observation.tree)
        return Completion(text=render(move.thought, move.action, lines, move.called))


def _check_result(result: ActionResult | None) -> None:
    """Raises EpisodeFault."""
    if result is not None and result.error in FAULTS_OF_PROGRAMS:
        detail = f"the oracle's action failed ({result.error}): {result.message}"
        raise EpisodeFault(InvalidReason.ACTION_TIMEOUT, detail)


def find_oracle(task: Task) -> Oracle:
    """The task's oracle. Raises KeyError where it has none for the actions that it allows,
    ValueError where its script holds what is no action."""
    if task.gym is not None:
        return get_gym(task.gym).oracle(task)
    has_script = "oracle" in (task.model_extra or {})
    script = None if has_script else find_solution(task)
    return script_oracle(task) if script is None else ActionListOracle(script)
