"""Every template: the oracle, acting on pages over HTTP, reaches score 1."""

from __future__ import annotations

import pytest

from envs.gyms.registry import get_gym
from envs.tasks import HELDOUT_SEED_BASE
from tests.envs.gyms.conftest import Solve

SHOP = get_gym("shop")
SEEDS = [*range(6), HELDOUT_SEED_BASE, HELDOUT_SEED_BASE + 1]


@pytest.mark.parametrize("template", SHOP.templates)
def test_oracle_passes(template: str, solve: Solve) -> None:
    for seed in SEEDS:
        task = SHOP.make_task(template, seed)
        run = solve(task)
        assert run.verdict.score == 1.0, (task.id, task.instruction, run.verdict, run.trees[-1])
        assert all(run.verdict.milestones.values()), (task.id, run.verdict)
        assert set(run.verdict.milestones) == set(task.milestones)
        assert 2 * run.steps + 1 <= task.limits.max_steps
