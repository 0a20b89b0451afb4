"""The verdict on an episode, made from its evidence alone, so it can be made again later.

`conj` "and" (the default): 0 if any metric is 0, else the mean. `conj` "or": the best score. An
infeasible task is solved by saying so; saying so of any other task scores 0. A missing value scores
0; a value that could not be read or judged is a fault of the evaluator, never a 0.

Beyond OSWorld: milestones are reported and do not count.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import Verdict
from envs.osworld.outside.judge import judge
from envs.osworld.outside.judge_messages import Limits
from envs.state.evidence import Evidence, Fault, Files, Measure, Missing, Value


async def judge_evidence(
    evidence: Evidence, folder: Path, *, compat: bool = False, limits: Limits | None = None
) -> Verdict:
    """`folder` holds the files of the evidence. `compat`: with OSWorld's own defects. Raises
    EpisodeFault(EVALUATOR_ERROR)."""
    if evidence.infeasible:
        return Verdict(score=float(evidence.gave_up))
    if evidence.gave_up:
        return Verdict(score=0.0, details={"infeasible": "the task can be done"})
    try:
        measures = [*evidence.measures, *evidence.milestones.values()]
        scores = await _scores(measures, folder, compat, limits)
        own_scores = scores[: len(evidence.measures)]
        names = _unique([measure.func for measure in evidence.measures])
        milestones = zip(evidence.milestones, scores[len(own_scores) :], strict=True)
        notes = {"notes": list(evidence.notes)} if evidence.notes else {}
        return Verdict(
            score=combine_scores(own_scores, evidence.conj),
            milestones={name: score >= 1 for name, score in milestones},
            details={"scores": dict(zip(names, own_scores, strict=True)), **notes},
        )
    except EpisodeFault as fault:
        raise EpisodeFault(fault.reason, f"task {evidence.task_id}: {fault.detail}") from fault
    except ValueError as error:
        raise EpisodeFault(
            InvalidReason.EVALUATOR_ERROR, f"task {evidence.task_id}: {error}"
        ) from error


def combine_scores(scores: Sequence[float], conj: str) -> float:
    """The score of several metrics. Raises ValueError for a `conj` that is neither "and" nor
    "or"."""
    if conj == "or":
        return max(scores)
    if conj != "and":
        raise ValueError(f"conj is {conj!r}, not 'and' or 'or'")
    return 0.0 if 0.0 in scores else sum(scores) / len(scores)


async def _scores(
    measures: Sequence[Measure], folder: Path, compat: bool, limits: Limits | None
) -> list[float]:
    present = [_as_compared(measure, compat) for measure in measures if not _is_missing(measure)]
    scores = iter(await judge(present, folder, compat=compat, limits=limits) if present else ())
    return [0.0 if _is_missing(measure) else next(scores) for measure in measures]


def _is_missing(measure: Measure) -> bool:
    """Whether a value is missing. Raises EpisodeFault for one that could not be read."""
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
