"""Trials that were not solved, put together by what went wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from agent_server.evaluation.results import Trial
from envs.outcomes import EndReason

SAID = {
    EndReason.DONE: "said done, and it was not",
    EndReason.INFEASIBLE: "said that it cannot be done",
    EndReason.STEP_LIMIT: "ran out of steps",
    EndReason.TIME_LIMIT: "ran out of time",
    EndReason.LOOP: "did the same over and over",
    EndReason.MALFORMED: "wrote actions that cannot be read",
}


@dataclass(frozen=True, slots=True)
class Cluster:
    """`reason`: one phrase; `trials` in the order of the plan."""

    reason: str
    trials: tuple[Trial, ...]

    @property
    def domains(self) -> dict[str, int]:
        return dict(Counter(trial.domain for trial in self.trials).most_common())


def clusters(trials: Sequence[Trial]) -> list[Cluster]:
    """Of the trials that were not solved, the largest first."""
    found: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        if not trial.success:
            found[reason_of(trial)].append(trial)
    ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return [Cluster(reason, tuple(own)) for reason, own in ordered]


def reason_of(trial: Trial) -> str:
    """How it ended, how far it came, and the error that it met most often."""
    if not trial.arrived:
        return trial.outcome
    parts = [SAID.get(EndReason(trial.outcome), trial.outcome)]
    missed = next((name for name, reached in trial.milestones.items() if not reached), None)
    if missed is not None:
        parts.append(f"did not reach {missed!r}")
    elif trial.score:
        parts.append("was right in part")
    if trial.errors:
        error, count = Counter(trial.errors).most_common(1)[0]
        if 2 * count >= (trial.steps or 0):
            parts.append(f"most actions failed: {error}")
    return "; ".join(parts)
