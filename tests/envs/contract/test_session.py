"""A verdict is one model from the judge to the database."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from envs.contract.session import Verdict


def test_further_details_leave_the_rest_as_it_is() -> None:
    verdict = Verdict(score=0.5, milestones={"half": True}, details={"scores": {"a": 0.5}})
    extended = verdict.with_details(state_hash="abc")
    assert extended.model_dump() == {
        "score": 0.5,
        "milestones": {"half": True},
        "details": {"scores": {"a": 0.5}, "state_hash": "abc"},
    }
    assert verdict.details == {"scores": {"a": 0.5}}


@pytest.mark.parametrize(("score", "success"), [(0.0, False), (0.99, False), (1.0, True)])
def test_only_a_full_score_is_a_success(score: float, success: bool) -> None:
    assert Verdict(score=score).success is success


@pytest.mark.parametrize("score", [-0.1, 1.1])
def test_scores_are_from_0_to_1(score: float) -> None:
    with pytest.raises(ValidationError):
        Verdict(score=score)
