"""An agent to start from: it clicks the first button that it sees, then says that it is done."""

from __future__ import annotations

from envs.contract.actions import Action, ActionResult, Click, Done, Target
from envs.contract.observations import Observation, parse_tree
from envs.contract.task import Task


class FirstButton:
    """One object an episode. `options` of the agent's file are its arguments."""

    def __init__(self, clicks: int = 1) -> None:
        self.left = clicks

    def reset(self, task: Task) -> None:
        self.instruction = task.instruction

    def act(self, observation: Observation) -> list[Action]:
        lines = [] if observation.tree is None else parse_tree(observation.tree.text)
        buttons = [line.ref for line in lines if line.role == "button" and line.ref is not None]
        if self.left == 0 or not buttons:
            return [Done()]
        self.left -= 1
        return [Click(target=Target(ref=buttons[0]))]

    def on_results(self, results: list[ActionResult]) -> None:
        """What became of the actions of the last answer. May be missing."""
