"""Sets of generated apps as one gym."""

from __future__ import annotations

import pytest

from envs.gyms.generated.catalogue import expand_set
from envs.gyms.generated.gym_set import find_set
from tasksets.registry import get_gym


def test_the_tasks_of_a_set_are_those_of_its_apps() -> None:
    gym = find_set("gen-dev:3")
    assert gym is not None
    names = expand_set("gen-dev:3")
    assert {name.partition("/")[0] for name in gym.templates} == set(names)
    assert [name.partition("/")[0] for name in gym.templates[:3]] == list(names)
    task = gym.make_task(gym.templates[0], 2 * 10**9)
    assert task.gym == names[0]
    assert task == get_gym(names[0]).make_task(task.template or "", task.seed)
    with pytest.raises(KeyError, match="no app 'shop'"):
        gym.make_task("shop/checkout", 1)


def test_only_a_set_is_one() -> None:
    assert find_set("gen-0001") is None
    assert find_set("shop") is None
    assert get_gym("gen-test:2").name == "gen-test:2"
