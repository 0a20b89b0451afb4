"""The oracle of a task, if it has one."""

from __future__ import annotations

import pytest

from agent_server.policy.oracle import OraclePolicy, find_oracle
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Task
from tasksets.registry import get_gym


def test_a_gym_s_task_has_its_gym_s_oracle() -> None:
    assert find_oracle(get_gym("shop").make_task("price", 1)) is not None


def test_a_task_without_one_is_refused() -> None:
    task = Task(id="nobody-solved-this", instruction="x", env="desktop")
    with pytest.raises(KeyError):
        find_oracle(task)
    with pytest.raises(EpisodeFault):
        OraclePolicy(task)
