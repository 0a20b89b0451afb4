"""A task request is one of three kinds, complete."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from agent_server.api.models import TaskRequest, TaskState
from agent_server.store.tables import Episode


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({}, "give one of"),
        ({"gym": "shop", "template": "price", "seed": 1, "instruction": "x"}, "give one of"),
        ({"gym": "shop", "template": "price"}, "gym needs template and seed"),
        ({"instruction": "x"}, "instruction needs start_url"),
        ({"instruction": "x", "start_url": "file:///etc/passwd"}, "start_url"),
        ({"instruction": "x", "start_url": "about:blank"}, "start_url"),
        ({"instruction": "x", "start_url": "http://"}, "start_url"),
        ({"instruction": "x", "env": "desktop", "stepz": 1}, "stepz"),
    ],
)
def test_incomplete_and_mixed_requests_are_refused(fields: dict[str, Any], error: str) -> None:
    with pytest.raises(ValidationError, match=error):
        TaskRequest.model_validate(fields)


def test_an_instruction_for_a_desktop_needs_no_url() -> None:
    assert TaskRequest(instruction="x", env="desktop").start_url is None


def test_a_task_keeps_its_id_over_retries() -> None:
    task = {"id": "t", "instruction": "x"}
    row = Episode(
        id="e_1.2", root_id="e_1", run_id="api", purpose="api", attempt=2, task=task, version_max=4
    )
    state = TaskState.of(row, retry_follows=False)
    assert (state.id, state.name, state.attempt, state.policy_version) == ("e_1", "t", 2, 4)
