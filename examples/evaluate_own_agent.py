"""An agent of your own: a Python class, evaluated on held-out tasks beside controls.

    .venv/bin/deskhand eval --policy examples.evaluate_own_agent:PriceReader \
        --gym shop --template price --episodes 20 --controls --name own-agent
    .venv/bin/deskhand eval show runs/own-agent --html own-agent.html

The first command prints success with intervals, for the agent and for two controls: one that does
nothing, one that calls every task infeasible. The page of the second has all trajectories.

An object of the class plays one episode, in the worker's process and with its rights. A model
behind an endpoint needs no class but a file: docs/agents.md.
"""

from __future__ import annotations

import re

from envs.contract.actions import Action, ActionResult, Done, Infeasible, Target, Type
from envs.contract.observations import Observation, parse_tree
from envs.contract.task import Task

PRODUCT = re.compile(r"(?:is|does|price of) the (.+?)(?: cost)?[?.]$")


class PriceReader:
    """Answers "How much is the Cedar Linen Apron?" by the shop's search, without any model."""

    def reset(self, task: Task) -> None:
        """Called once, before the first action. The task holds no solution."""
        match = PRODUCT.search(task.instruction)
        self.product = match[1] if match else None
        self.has_searched = False

    def act(self, observation: Observation) -> Action | list[Action]:
        """The next action, or a list of actions, for what the page shows now."""
        if self.product is None or observation.tree is None:
            return Infeasible()
        lines = parse_tree(observation.tree.text)
        for line in lines:  # e.g. link "Cedar Linen Apron $89.00"
            name, _, price = line.name.rpartition(" ")
            if line.role == "link" and name == self.product:
                return Done(answer=price)
        box = next((line for line in lines if (line.role, line.name) == ("box", "Search")), None)
        if box is None or self.has_searched:
            return Infeasible()
        self.has_searched = True
        return Type(target=Target(ref=box.ref), text=self.product, clear=True, submit=True)

    def on_results(self, results: list[ActionResult]) -> None:
        """Optional: whether the last actions worked, and what went wrong."""
