"""The pool of successes keeps the newest of each task and gives random ones back."""

from __future__ import annotations

import random

from trainer.replay import SuccessPool


def test_a_pulse_takes_a_random_few_of_each_task_from_every_version() -> None:
    pool = SuccessPool(per_task=3)
    for episode in "abcd":
        pool.add("price", "price/1", episode)
    pool.add("price", "price/2", "e")
    pool.add("remove", "remove/1", "f")
    assert (len(pool), pool.tasks) == (5, 3)
    picked = pool.pick(2, random.Random(0))
    assert len(picked) == 4
    assert {"e", "f"} < set(picked)
    assert "a" not in picked, "the oldest beyond the bound are gone"


def test_a_pool_survives_a_checkpoint_and_rescues_by_template() -> None:
    pool, other = SuccessPool(), SuccessPool()
    pool.add("price", "price/1", "a")
    other.load_state_dict(pool.state_dict())
    assert other.pick_from_template("price", random.Random(0)) == "a"
    assert other.pick_from_template("remove", random.Random(0)) is None
