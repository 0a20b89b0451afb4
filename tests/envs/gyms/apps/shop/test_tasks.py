"""The tasks sampled from seeds, and the corpus of their instructions and pages."""

from __future__ import annotations

import pytest

from envs.contract.task import HELDOUT_SEED_BASE, split_of
from envs.gyms.apps.shop.catalogue import get_catalogue
from envs.gyms.apps.shop.gym import GYM as SHOP
from envs.gyms.kit.app import INCIDENTAL_PATHS
from envs.gyms.kit.template import make_expected_state
from envs.state.canonical import diff
from tasksets.registry import get_gym

MANY = [*range(25), *range(HELDOUT_SEED_BASE, HELDOUT_SEED_BASE + 25)]


@pytest.mark.parametrize("template", SHOP.templates)
def test_tasks_of_many_seeds_are_well_formed(template: str) -> None:
    for seed in MANY:
        task = SHOP.make_task(template, seed)
        assert task == SHOP.make_task(template, seed)
        assert task.id == f"shop/{template}@{seed}"
        assert task.split == split_of(seed)
        assert "{" not in task.instruction
        before = SHOP.initial_state(task)
        spec = SHOP.spec(template)
        expected = make_expected_state(spec, get_catalogue(seed), task.params, before)
        changes = diff(before, expected, INCIDENTAL_PATHS)
        asks_for_change = spec.expected_answer is None and not spec.infeasible
        assert bool(changes) == asks_for_change, task.id


def test_train_seeds_differ_in_product_layout_and_phrasing() -> None:
    tasks = [SHOP.make_task("add_sized", seed) for seed in range(60)]
    assert len({task.params["name"] for task in tasks}) > 50
    assert {get_catalogue(seed).appearance.layout for seed in range(60)} == {0, 1, 2}
    assert {get_catalogue(seed).appearance.theme for seed in range(60)} == {0, 1, 2, 3}
    assert {task.instruction.split()[0] for task in tasks} == {"Add", "Put", "I"}
    first, second = get_catalogue(0).products, get_catalogue(1).products
    assert {p.name: p.price for p in first} != {p.name: p.price for p in second}


def test_heldout_seeds_are_drawn_from_the_same_distribution() -> None:
    """Same layouts and words on both sides, in about the same shares."""
    count = 120
    sides = [range(count), range(HELDOUT_SEED_BASE, HELDOUT_SEED_BASE + count)]
    shares = [
        [
            sum(get_catalogue(s).appearance.layout == layout for s in side) / count
            for layout in range(3)
        ]
        for side in sides
    ]
    assert all(abs(a - b) < 0.2 for a, b in zip(*shares, strict=True)), shares
    words = [
        {word for s in side for word in SHOP.make_task("cheapest_sized", s).instruction.split()}
        for side in sides
    ]
    assert len(words[0] & words[1]) / len(words[0] | words[1]) > 0.8


def test_unknown_gym_and_template_name_what_there_is() -> None:
    with pytest.raises(KeyError, match="there are: shop"):
        get_gym("bank")
    with pytest.raises(KeyError, match="add_sized"):
        SHOP.make_task("steal", 0)
