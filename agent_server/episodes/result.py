"""How one attempt at an episode ended, as the runner reports it and the store keeps it."""

from __future__ import annotations

from dataclasses import dataclass, field

from envs.outcomes import EndReason, EpisodeFault, InvalidReason, Status
from envs.session import Verdict


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """A terminal status and what belongs to it: a verdict if, and only if, it was measured."""

    status: Status
    reason: EndReason | InvalidReason | None = None
    detail: str | None = None
    verdict: Verdict | None = None
    answer: str | None = None
    steps: int = 0
    version_min: int | None = None
    version_max: int | None = None
    timings: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.status.terminal:
            raise ValueError(f"{self.status} is not a terminal status")
        if self.status.has_score != (self.verdict is not None):
            raise ValueError(f"{self.status} and verdict {self.verdict} do not go together")
        if (self.status is Status.INVALID) != isinstance(self.reason, InvalidReason):
            raise ValueError(f"{self.status} and reason {self.reason} do not go together")

    @property
    def score(self) -> float | None:
        return None if self.verdict is None else self.verdict.score

    @property
    def success(self) -> bool | None:
        return None if self.verdict is None else self.verdict.success

    @classmethod
    def invalid(cls, fault: EpisodeFault) -> EpisodeResult:
        return cls(Status.INVALID, fault.reason, fault.detail[:2000])
