"""Failed trials, grouped by the reason of the failure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from agent_server.evaluation.job.results import Trial
from envs.contract.outcomes import EndReason

END_PHRASES = {
    EndReason.DONE: "reported done, but the task was not done",
    EndReason.INFEASIBLE: "reported the task as infeasible",
    EndReason.STEP_LIMIT: "ran out of steps",
    EndReason.TIME_LIMIT: "ran out of time",
    EndReason.TOKEN_LIMIT: "used up its tokens",
    EndReason.COST_LIMIT: "used up its money",
    EndReason.LOOP: "repeated the same action",
    EndReason.MALFORMED: "wrote actions that cannot be parsed",
    EndReason.BOX_LIMIT: "its programs used more than the box allows",
}


@dataclass(frozen=True, slots=True)
class Cluster:
    """Trials that failed for one reason, in the order of the plan."""

    reason: str
    trials: tuple[Trial, ...]

    @property
    def domains(self) -> dict[str, int]:
        """Number of trials by domain, the most frequent first."""
        return dict(Counter(trial.domain for trial in self.trials).most_common())


def clusters(trials: Sequence[Trial]) -> list[Cluster]:
    """Group the trials that were not solved by reason; the largest group first."""
    by_reason: dict[str, list[Trial]] = defaultdict(list)
    for trial in trials:
        if not trial.success:
            by_reason[reason_of(trial)].append(trial)
    ordered = sorted(by_reason.items(), key=lambda item: (-len(item[1]), item[0]))
    return [Cluster(reason, tuple(members)) for reason, members in ordered]


def reason_of(trial: Trial) -> str:
    """Describe how a trial ended, how far it got, and its most frequent error."""
    if not trial.has_verdict:
        return trial.outcome
    parts = [END_PHRASES.get(EndReason(trial.outcome), trial.outcome)]
    missed_milestone = next(
        (name for name, reached in trial.milestones.items() if not reached), None
    )
    if missed_milestone is not None:
        parts.append(f"did not reach {missed_milestone!r}")
    elif trial.score:
        parts.append("partly correct")
    if trial.errors:
        error, count = Counter(trial.errors).most_common(1)[0]
        if 2 * count >= (trial.steps or 0):
            parts.append(f"most actions failed: {error}")
    return "; ".join(parts)
