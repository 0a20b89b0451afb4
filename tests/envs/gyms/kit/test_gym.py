"""Gyms of the kit: tasks of every seed, records, verdicts."""

from __future__ import annotations

import random
from typing import Any

import pytest

from envs.gyms.kit.app import INCIDENTAL_PATHS
from envs.gyms.kit.expected_state import check
from envs.gyms.kit.gym import HARM_CAP, PARTIAL, WRONG_CAP, AppGym, partial_score
from envs.gyms.kit.template import is_success
from envs.gyms.server.registry import web_gyms
from envs.state.canonical import diff

KIT = [gym for gym in web_gyms().values() if isinstance(gym, AppGym)]


@pytest.mark.parametrize("gym", KIT, ids=lambda gym: gym.name)
def test_every_template_has_a_task_for_every_seed(gym: AppGym) -> None:
    for template in gym.templates:
        for seed in (0, 1, 2, 3, 10**9, 10**9 + 1):
            task = gym.make_task(template, seed)
            assert task == gym.make_task(template, seed)
            assert "{" not in task.instruction, task.instruction
            assert len(gym.spec(template).phrasings) > 1
            assert gym.spec(template).milestones[-1][1] is is_success


@pytest.mark.parametrize("gym", KIT, ids=lambda gym: gym.name)
def test_records_have_ids_of_their_own(gym: AppGym) -> None:
    def check(value: Any, path: str) -> None:
        if isinstance(value, list) and value and isinstance(value[0], dict) and "id" in value[0]:
            ids = [record["id"] for record in value]
            assert len(set(ids)) == len(ids), path
        for key, part in value.items() if isinstance(value, dict) else ():
            check(part, f"{path}/{key}")

    state = gym.initial_state(gym.make_task(gym.templates[0], 3))
    check(state, "")
    assert state == gym.initial_state(gym.make_task(gym.templates[0], 3))


@pytest.mark.parametrize("gym", KIT, ids=lambda gym: gym.name)
def test_doing_nothing_or_something_else_is_no_success(gym: AppGym) -> None:
    for template in gym.templates:
        task = gym.make_task(template, 2)
        before, after = gym.initial_state(task), gym.initial_state(task)
        for infeasible in (False, True):
            assert not gym.verdict(task, before, after, None, infeasible).success
            assert not gym.verdict(task, before, after, "42", infeasible).success
        gym.apply_stray_change(after, random.Random(template))
        assert diff(before, after, INCIDENTAL_PATHS)
        assert gym.verdict(task, before, after, None, False).score <= 0.1


def test_milestones_count_in_order() -> None:
    nothing = check({}, {}, {})
    assert partial_score({"a": True, "b": False, "c": True}, nothing) == PARTIAL / 3
    assert partial_score({"a": False, "b": True}, nothing) == 0.0


def test_wrong_and_forbidden_changes_cap_the_score() -> None:
    reached = {"a": True, "b": True}
    wrong = check({"x": 1}, {"x": 2}, {"x": 3})
    assert partial_score(reached, wrong) == WRONG_CAP
    forbidden = check({"x": 1}, {"x": 1}, {"x": 3})
    assert partial_score(reached, forbidden) == HARM_CAP
