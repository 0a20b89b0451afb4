"""What an episode has used of its limits."""

from __future__ import annotations

from dataclasses import dataclass

from agent_server.episodes.trajectory import Completion
from envs.contract.outcomes import EndReason
from envs.contract.task import Limits


@dataclass(slots=True)
class Spending:
    """Steps, tokens and money so far. None: nothing was counted, as of an oracle."""

    steps: int = 0
    tokens: int | None = None
    cost: float | None = None

    def add(self, completion: Completion, cost: float | None) -> None:
        """Count one step."""
        self.steps += 1
        if completion.tokens is not None:
            used = completion.tokens.prompt + completion.tokens.completion
            self.tokens = (self.tokens or 0) + used
        if cost is not None:
            self.cost = (self.cost or 0.0) + cost

    def find_exceeded(self, limits: Limits) -> tuple[EndReason, str] | None:
        """The first limit that is used up, and a sentence about it. The answer that used it up was
        still carried out: what an answer costs is known when it is there."""
        if self.steps >= limits.max_steps:
            return EndReason.STEP_LIMIT, f"max_steps: {limits.max_steps} steps were made"
        if limits.max_tokens is not None and (self.tokens or 0) >= limits.max_tokens:
            return EndReason.TOKEN_LIMIT, f"max_tokens: {self.tokens} of {limits.max_tokens}"
        if limits.max_cost is not None and (self.cost or 0.0) >= limits.max_cost:
            return EndReason.COST_LIMIT, f"max_cost: {self.cost:.6g} of {limits.max_cost:g}"
        return None
