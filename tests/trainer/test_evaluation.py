"""Evaluation: the denominator is fixed, the interval is Wilson's, the tasks are held out."""

from __future__ import annotations

import pytest

from agent_server.heldout import heldout_draws
from agent_server.store.tables import Episode
from envs.gyms.registry import get_gym
from envs.outcomes import Status
from envs.tasks import HELDOUT_SEED_BASE
from trainer.collector import FinishedGroup
from trainer.evaluation import summarize


def test_held_out_tasks_are_the_same_for_every_phase_and_never_trained_on() -> None:
    drawn = heldout_draws(["a", "b", "c"], 210, seed=4)
    assert drawn == heldout_draws(["a", "b", "c"], 210, seed=4)
    assert drawn != heldout_draws(["a", "b", "c"], 210, seed=5)
    assert len({seed for _, seed in drawn}) == 210
    assert all(seed >= HELDOUT_SEED_BASE for _, seed in drawn)
    assert [sum(name == wanted for name, _ in drawn) for wanted in "abc"] == [70, 70, 70]


def group(template: str, seed: int, score: float | None) -> FinishedGroup:
    task = get_gym("shop").make_task(template, seed)
    rows = []
    if score is not None:
        rows = [
            Episode(
                run_id="r", task={}, status=Status.SCORED, score=score, success=score >= 1, steps=4
            )
        ]
    return FinishedGroup(f"{template}{seed}", task, tuple(rows), lost=1 - len(rows))


def test_an_episode_that_was_lost_counts_as_not_solved() -> None:
    groups = [group("price", 1, 1.0), group("price", 2, 0.6), group("remove", 3, None)]
    found = summarize(groups, 4)
    assert (found["success_rate"], found["n"], found["lost"]) == (0.25, 4, 2)
    assert found["score_mean"] == pytest.approx(0.4)
    assert found["by_template"]["shop/price"] == {"success_rate": 0.5, "n": 2}
    assert found["by_template"]["shop/remove"] == {"success_rate": 0.0, "n": 1}
