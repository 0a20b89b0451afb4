"""What may hold an agent's actions back before they run: a person, asked through a gate.

An episode without a gate runs as if there were none: training and evaluations have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from envs.contract.actions import Action, ActionResult, SimpleAction
from envs.contract.observations import Observation, Observe


@dataclass(frozen=True, slots=True)
class Review:
    """What became of an answer's actions before they ran.

    `result`: what the agent reads in their place, where they do not run. `person`: what a person
    did meanwhile, and `observation` what that led to. `waited_s` counts for no limit of the
    agent."""

    result: ActionResult | None = None
    person: tuple[Action, ...] = ()
    observation: Observation | None = None
    waited_s: float = 0.0


GO = Review()
"""They run."""


class Gate(Protocol):
    """Looks at the actions of one episode before they run."""

    def hear(self, text: str) -> None:
        """What the user said meanwhile: part of the task from now on."""
        ...

    async def review(
        self,
        actions: Sequence[SimpleAction],
        observation: Observation,
        step: int,
        checks: Sequence[str],
        observe: Observe,
    ) -> Review:
        """Returns when they may run, or may not. `checks`: what the agent itself wants a person to
        look at; `observe`: how the page is looked at again where it changed. Raises
        EpisodeFault."""
        ...
