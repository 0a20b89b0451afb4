"""Verdicts from evidence: infeasible tasks, missing values, faults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.osworld.outside.verdict import combine_scores, judge_evidence
from envs.state.evidence import Data, Evidence, Fault, Measure, Missing


def evidence(*measures: Measure, **fields: Any) -> Evidence:
    return Evidence(task_id="t", measures=measures, **fields)


MISSING = Measure(func="text_is", result=Missing(what="a.txt"), expected=Data(value="x"))
FAULT = Measure(func="text_is", result=Fault(reason="the disk is gone"))


@pytest.mark.parametrize(
    ("infeasible", "gave_up", "score"), [(True, True, 1), (True, False, 0), (False, True, 0)]
)
async def test_only_an_infeasible_task_is_solved_by_saying_so(
    tmp_path: Path, infeasible: bool, gave_up: bool, score: float
) -> None:
    verdict = await judge_evidence(evidence(infeasible=infeasible, gave_up=gave_up), tmp_path)
    assert verdict.score == score


async def test_a_missing_value_scores_0_and_no_metric_runs(tmp_path: Path) -> None:
    verdict = await judge_evidence(evidence(MISSING, MISSING, conj="or"), tmp_path)
    assert verdict.score == 0
    assert verdict.details == {"scores": {"0:text_is": 0.0, "1:text_is": 0.0}}


async def test_a_value_that_could_not_be_read_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(EpisodeFault, match="task t: the disk is gone") as fault:
        await judge_evidence(evidence(FAULT), tmp_path)
    assert fault.value.reason is InvalidReason.EVALUATOR_ERROR


def test_scores_of_several_metrics() -> None:
    assert combine_scores([1.0, 0.5], "and") == 0.75
    assert combine_scores([1.0, 0.0], "and") == 0
    assert combine_scores([0.2, 0.9], "or") == 0.9
    with pytest.raises(ValueError, match="'xor'"):
        combine_scores([1.0], "xor")
