"""Which casts of planner and grounder can be written."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from envs.dialects.roles import Roles

ENDPOINT = {"base_url": "http://127.0.0.1:8000/v1/", "model": "m"}


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"train": ["planner"]}, "roles are not apart"),
        ({"apart": True, "endpoint_plays": "planner"}, "go together"),
        ({"apart": True, "endpoint": ENDPOINT}, "go together"),
        ({"apart": True, "train": []}, "at least one role"),
        (
            {"apart": True, "endpoint_plays": "planner", "endpoint": ENDPOINT,
             "train": ["planner"]},
            "not ours",
        ),
    ],
)  # fmt: skip
def test_a_cast_that_could_not_learn_or_speak_is_refused(
    settings: dict[str, Any], complaint: str
) -> None:
    with pytest.raises(ValidationError, match=complaint):
        Roles.model_validate(settings)


def test_what_the_policy_plays_is_trained_unless_said_otherwise() -> None:
    assert Roles(apart=True).learners == {"planner", "grounder"}
    assert Roles(apart=True, train=("grounder",)).learners == {"grounder"}
    cast = Roles.model_validate({"apart": True, "endpoint_plays": "planner", "endpoint": ENDPOINT})
    assert cast.learners == {"grounder"}
    assert cast.endpoint is not None
    assert cast.endpoint.server_url == "http://127.0.0.1:8000"
