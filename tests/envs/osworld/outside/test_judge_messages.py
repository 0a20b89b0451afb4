"""Messages of the judge are validated on both sides."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from envs.osworld.outside.judge_messages import Call, Limits, Reply
from envs.state.evidence import Data, Measure


def test_a_call_survives_json() -> None:
    measure = Measure(func="text_is", options={"a": [1]}, result=Data(value=None))
    call = Call(measures=[measure], folder=Path("/x"), compat=True, limits=Limits(cpu_s=3))
    assert Call.model_validate_json(call.model_dump_json()) == call


@pytest.mark.parametrize("limit", ["wall_s", "cpu_s", "memory", "file_size", "open_files"])
def test_a_limit_is_more_than_nothing(limit: str) -> None:
    with pytest.raises(ValidationError):
        Limits(**{limit: 0})


def test_a_reply_has_scores_or_an_error() -> None:
    assert Reply.model_validate_json('{"scores": [0.5, null]}').scores == [0.5, None]
    assert Reply.model_validate_json('{"func": "f", "error": "e"}').scores == []
