"""Held-out draws are the same for the same seed, and never training seeds."""

from __future__ import annotations

from agent_server.tasksets.heldout import sample_heldout
from envs.contract.task import HELDOUT_SEED_BASE, split_of


def test_templates_take_turns_and_no_seed_comes_twice() -> None:
    draws = sample_heldout(["a", "b", "c"], 8, seed=4)
    assert [template for template, _ in draws] == ["a", "b", "c", "a", "b", "c", "a", "b"]
    seeds = [seed for _, seed in draws]
    assert len(set(seeds)) == 8
    assert all(seed >= HELDOUT_SEED_BASE for seed in seeds)


def test_equal_seeds_draw_equal_tasks() -> None:
    assert sample_heldout(["a"], 5, seed=4) == sample_heldout(["a"], 5, seed=4)
    assert sample_heldout(["a"], 5, seed=4) != sample_heldout(["a"], 5, seed=5)


def test_dev_and_test_share_no_seed() -> None:
    dev, test = sample_heldout(["a"], 50, 4, "dev"), sample_heldout(["a"], 50, 4, "test")
    assert {split_of(seed) for _, seed in dev} == {"dev"}
    assert {split_of(seed) for _, seed in test} == {"test"}
    assert sample_heldout(["a"], 20, 4, "dev") == dev[:20], "fewer are the first of more"
