"""The verdict on an episode, from its evidence alone: the same now and when it is made again.

`conj` "and" (the default) gives 0 as soon as one metric is 0, else the mean, "or" the best. A task
that is infeasible wants the agent to say so; saying so of any other task scores 0. What is missing
scores 0; what could not be looked at or judged is a fault of the evaluator, never a 0.

Beyond OSWorld: milestones are reported and do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from envs.outcomes import EpisodeFault, InvalidReason
from envs.session import Verdict
from envs.verify.evidence import Evidence, Fault, Files, Measure, Missing, Value
from envs.verify.judge import judge
from envs.verify.judge_messages import Limits


async def verdict(
    evidence: Evidence, folder: Path, *, compat: bool = False, limits: Limits | None = None
) -> Verdict:
    """`folder`: where the files of the evidence lie. `compat`: with OSWorld's own defects. Raises
    EpisodeFault(EVALUATOR_ERROR)."""
    if evidence.infeasible:
        return Verdict(score=float(evidence.gave_up))
    if evidence.gave_up:
        return Verdict(score=0.0, details={"infeasible": "the task can be done"})
    try:
        measures = [*evidence.measures, *evidence.milestones.values()]
        scores = await _scores(measures, folder, compat, limits)
        counted = scores[: len(evidence.measures)]
        names = _unique([measure.func for measure in evidence.measures])
        reached = zip(evidence.milestones, scores[len(counted) :], strict=True)
        return Verdict(
            score=conjoined(counted, evidence.conj),
            milestones={name: score >= 1 for name, score in reached},
            details={"scores": dict(zip(names, counted, strict=True))},
        )
    except EpisodeFault as fault:
        raise EpisodeFault(fault.reason, f"task {evidence.task_id}: {fault.detail}") from fault
    except ValueError as error:
        raise EpisodeFault(
            InvalidReason.EVALUATOR_ERROR, f"task {evidence.task_id}: {error}"
        ) from error


def conjoined(scores: Sequence[float], conj: str) -> float:
    """Raises ValueError for anything but "and" and "or"."""
    if conj == "or":
        return max(scores)
    if conj != "and":
        raise ValueError(f"conj is {conj!r}, not 'and' or 'or'")
    return 0.0 if 0.0 in scores else sum(scores) / len(scores)


async def _scores(
    measures: Sequence[Measure], folder: Path, compat: bool, limits: Limits | None
) -> list[float]:
    there = [_as_compared(one, compat) for one in measures if not _missing(one)]
    judged = iter(await judge(there, folder, compat=compat, limits=limits) if there else ())
    return [0.0 if _missing(one) else next(judged) for one in measures]


def _missing(measure: Measure) -> bool:
    """Raises EpisodeFault for what could not be looked at."""
    for value in (measure.result, measure.expected):
        if isinstance(value, Missing):
            return True
        if isinstance(value, Fault):
            raise EpisodeFault(InvalidReason.EVALUATOR_ERROR, value.reason)
    return False


def _as_compared(measure: Measure, compat: bool) -> Measure:
    """OSWorld takes the first of several files when the task does not say which."""
    if not compat:
        return measure
    sides = {"result": _first(measure.result), "expected": _first(measure.expected)}
    return measure.model_copy(update=sides)


def _first(value: Value | None) -> Value | None:
    return value.files[0] if isinstance(value, Files) and value.unchosen else value


def _unique(names: Sequence[str]) -> list[str]:
    return [
        name if names.count(name) == 1 else f"{index}:{name}" for index, name in enumerate(names)
    ]
