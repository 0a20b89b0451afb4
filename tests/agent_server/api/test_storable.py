"""Input that a worker could not read back is refused with its place."""

from __future__ import annotations

import pytest

from agent_server.api.errors import ApiError
from agent_server.api.storable import read_back, storable
from envs.contract.task import Limits, Task


def test_what_can_be_stored_comes_back_equal() -> None:
    task = Task(id="t", instruction="x", params={"price": 3.5, "names": ["a"]})
    assert read_back(task) == task
    assert Task.model_validate(storable(task)) == task


def test_a_number_that_is_not_finite_is_refused() -> None:
    limits = Limits.model_construct(max_steps=5, max_seconds=float("inf"))
    task = Task(id="t", instruction="x").model_copy(update={"limits": limits})
    with pytest.raises(ApiError, match="must be a finite value") as caught:
        storable(task)
    assert caught.value.status == 422


def test_text_that_is_no_unicode_is_refused() -> None:
    task = Task(id="t", instruction="x").model_copy(update={"instruction": "\ud800"})
    with pytest.raises(ApiError, match="cannot be stored"):
        storable(task)
