"""Agent: whoever acts in one episode. The runner knows nothing else of policies.

Guarantees: an answer that cannot be read comes back as `Parsed.error`, never as an exception; what
infrastructure did is an EpisodeFault; `Answer` holds what was sent and said, for the record.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agent_server.episodes.trajectory import Completion
from agent_server.policy.policy import Sampling
from envs.actions import ActionResult
from envs.dialects.dialect import Parsed
from envs.observations import Observation, Observe

LONGEST_S = 1200.0
"""Upper bound of `Agent.longest_s`."""


@dataclass(frozen=True, slots=True)
class Answer:
    """`sent`: what the agent was told that is new to it, without pictures. `waited_s`: time that an
    endpoint made it wait before it took the request; no time limit of a task counts it."""

    sent: str
    completion: Completion
    parsed: Parsed
    waited_s: float = 0.0


class Agent(Protocol):
    """For one episode, made with its task."""

    longest_s: float
    """The most that one `act` may take beyond the task's own time limit."""

    def wanted(self, observe: Observe) -> Observe:
        """What it needs to see, put over what is asked for anyway."""
        ...

    async def act(
        self, observation: Observation, results: Sequence[ActionResult], sampling: Sampling
    ) -> Answer:
        """`results`: of its last answer's actions, in order, up to the first that failed; none
        before its first answer or after one that could not be read. Raises EpisodeFault."""
        ...


def outcome(parsed: Parsed, results: Sequence[ActionResult]) -> ActionResult:
    """What became of an answer, as one result: what was wrong with it, the first failure, or the
    last value."""
    if parsed.error is not None:
        return parsed.error
    failed = next((result for result in results if not result.ok), None)
    if failed is not None:
        return failed
    valued = (result for result in reversed(results) if result.value is not None)
    return next(valued, results[-1] if results else ActionResult.success())
