"""A request names a gym or brings tasks, and becomes a specification."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from agent_server.api.evaluation_models import EvaluationRequest, EvaluationState
from agent_server.api.models import TaskRequest
from envs.contract.task import Task


def test_one_of_gym_and_tasks_is_needed() -> None:
    task = Task(id="t", instruction="x")
    for fields in ({}, {"gym": "shop", "tasks": [task]}):
        with pytest.raises(ValidationError, match="give one of: gym, tasks"):
            EvaluationRequest.model_validate(fields)


@pytest.mark.parametrize(
    ("fields", "episodes"),
    [
        ({"gym": "shop", "episodes": 5000, "trials": 4}, None),
        ({"gym": "shop", "episodes": 5000, "trials": 4, "controls": True}, 30_000),
        ({"gym": "shop", "episodes": 201, "trials": 100}, 20_100),
        ({"tasks": [Task(id=f"t{n}", instruction="x") for n in range(1000)], "trials": 21}, 21_000),
    ],
)
def test_tasks_times_trials_are_bounded(fields: dict[str, Any], episodes: int | None) -> None:
    if episodes is None:
        EvaluationRequest.model_validate(fields)
        return
    with pytest.raises(ValidationError, match=f"are {episodes} episodes, more than 20000"):
        EvaluationRequest.model_validate(fields)


def test_the_specification_has_the_request_s_settings() -> None:
    request = EvaluationRequest(gym="billing", policy="oracle", trials=3, max_steps=7)
    spec = request.to_spec()
    assert (spec.gym, spec.policy, spec.trials, spec.max_steps) == ("billing", "oracle", 3, 7)
    assert spec.tasks is None


def test_clients_see_the_specification_as_asked() -> None:
    assert "asked" in EvaluationState.model_json_schema()["properties"]


@pytest.mark.parametrize("env", [{}, {"env": "desktop"}, {"env": "browser"}])
def test_a_task_file_of_osworld_is_for_a_desktop_unless_it_says_otherwise(
    env: dict[str, str],
) -> None:
    file = {"id": "a", "instruction": "x", "evaluator": {"func": "infeasible"}} | env
    (task,) = EvaluationRequest.model_validate({"tasks": [file]}).tasks or ()
    assert task.env == env.get("env", "desktop")
    sent = TaskRequest.model_validate({"task": file}).task
    assert sent is not None
    assert sent.env == task.env
