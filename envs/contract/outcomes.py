"""How an episode ends, and what may be done about it.

This is the project's one failure taxonomy. An episode reaches exactly one terminal `Status`.
Infrastructure faults are `invalid`: no score, never trained on, never counted as a failure of the
policy, and run again under the rule of their class. What the agent did wrong is scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """The life of an episode row; the last five are terminal. Unjudged: it ended as a scored one
    does, and its task has nothing that could judge it."""

    QUEUED = "queued"
    RUNNING = "running"
    SCORED = "scored"
    TRUNCATED = "truncated"
    UNJUDGED = "unjudged"
    INVALID = "invalid"
    CANCELLED = "cancelled"

    @property
    def terminal(self) -> bool:
        """Whether the status never changes again."""
        return self not in (Status.QUEUED, Status.RUNNING)

    @property
    def has_score(self) -> bool:
        """Scored and truncated episodes were evaluated; the others carry no score."""
        return self in (Status.SCORED, Status.TRUNCATED)


class EndReason(StrEnum):
    """Why a scored or truncated episode ended: always something the agent did."""

    DONE = "done"
    INFEASIBLE = "infeasible"
    STEP_LIMIT = "step_limit"
    TIME_LIMIT = "time_limit"
    TOKEN_LIMIT = "token_limit"
    COST_LIMIT = "cost_limit"
    LOOP = "loop"
    MALFORMED = "malformed"
    BOX_LIMIT = "box_limit"


ENDED_BY_AGENT = (EndReason.DONE, EndReason.INFEASIBLE)
"""Reasons by which the agent itself ended the episode: all others cut it off."""


class InvalidReason(StrEnum):
    """Infrastructure faults, by the boundary at which they were seen."""

    HOST_START = "host_start"
    RESET = "reset"
    ACTION_TIMEOUT = "action_timeout"
    OBSERVATION = "observation"
    HOST_LOST = "host_lost"
    GYM_LOST = "gym_lost"
    POLICY_TIMEOUT = "policy_timeout"
    POLICY_ERROR = "policy_error"
    POLICY_UNREADABLE = "policy_unreadable"
    POLICY_RATE_LIMIT = "policy_rate_limit"
    POLICY_REFUSED = "policy_refused"
    POLICY_DENIED = "policy_denied"
    EVALUATOR_ERROR = "evaluator_error"
    WORKER_LOST = "worker_lost"
    UNRUNNABLE = "unrunnable"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class RetryRule:
    """How often, and after how long, an invalid episode is dispatched again."""

    max_retries: int
    delay_s: float


RETRY_RULES: dict[InvalidReason, RetryRule] = {
    InvalidReason.HOST_START: RetryRule(5, 2.0),
    InvalidReason.RESET: RetryRule(3, 0.5),
    InvalidReason.ACTION_TIMEOUT: RetryRule(2, 0.5),
    InvalidReason.OBSERVATION: RetryRule(3, 0.5),
    InvalidReason.HOST_LOST: RetryRule(5, 2.0),
    InvalidReason.GYM_LOST: RetryRule(15, 3.0),
    InvalidReason.POLICY_TIMEOUT: RetryRule(3, 2.0),
    InvalidReason.POLICY_ERROR: RetryRule(15, 5.0),
    InvalidReason.POLICY_UNREADABLE: RetryRule(2, 5.0),
    InvalidReason.POLICY_RATE_LIMIT: RetryRule(6, 30.0),
    InvalidReason.POLICY_REFUSED: RetryRule(0, 0.0),
    InvalidReason.POLICY_DENIED: RetryRule(0, 0.0),
    InvalidReason.EVALUATOR_ERROR: RetryRule(1, 0.5),
    InvalidReason.WORKER_LOST: RetryRule(5, 0.0),
    InvalidReason.UNRUNNABLE: RetryRule(0, 0.0),
    InvalidReason.STALE: RetryRule(0, 0.0),
}
"""A policy server and a gym server take up to a minute to come back, so their rules outlast that;
an evaluator that raised will most likely raise again, so it gets one more chance only. What was
refused of one episode for good (too long, no valid request, an agent's own code raised) gets none,
nor does what is denied to all (the key, the model). An unrunnable episode asks for what is not
there and does not come by waiting (a template, a desktop, a policy server that nobody configured),
so it gets none."""

POLICY_FAULTS = frozenset(reason for reason in InvalidReason if reason.startswith("policy_"))
"""Those of who answers, not of where it acts: the session stays well."""


class EpisodeFault(Exception):
    """An infrastructure fault that ends the episode as `invalid`. Picklable, for Celery."""

    def __init__(self, reason: InvalidReason, detail: str) -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.reason}: {self.detail}"
