"""The curriculum favours what can be learnt now, and starves nothing."""

from __future__ import annotations

import random
from collections import Counter

from envs.tasks import HELDOUT_SEED_BASE
from trainer.config import CurriculumConfig
from trainer.curriculum import TaskSampler
from trainer.replay import SuccessPool

CONFIG = CurriculumConfig()


def test_templates_in_the_band_and_unseen_ones_weigh_more() -> None:
    sampler = TaskSampler(["easy", "middle", "hard", "new"], CONFIG, seed=0)
    sampler.record("easy", 8, 8)
    sampler.record("middle", 4, 8)
    sampler.record("hard", 0, 8)
    weights = [sampler.weight(name) for name in ("easy", "middle", "hard", "new")]
    assert weights == [1.0, CONFIG.weight, 1.0, CONFIG.weight]
    drawn = Counter(name for name, _ in sampler.draw(8000))
    assert 2.6 < drawn["middle"] / drawn["easy"] < 3.4
    assert drawn["hard"] > 700


def test_the_rate_forgets_at_the_configured_pace() -> None:
    sampler = TaskSampler(["a"], CurriculumConfig(memory=0.5), seed=0)
    for successes in (0, 8, 8):
        sampler.record("a", successes, 8)
    sampler.record("a", 0, 0)
    assert sampler.metrics() == {"a": 0.75}


def test_seeds_are_never_held_out_ones() -> None:
    drawn = TaskSampler(["a"], CONFIG, seed=3).draw(5000)
    assert all(0 <= seed < HELDOUT_SEED_BASE for _, seed in drawn)


def test_a_restored_sampler_draws_the_same() -> None:
    first = TaskSampler(["a", "b"], CONFIG, seed=1)
    first.draw(10)
    first.record("a", 4, 8)
    second = TaskSampler(["a", "b"], CONFIG, seed=2)
    second.load_state_dict(first.state_dict())
    assert first.draw(20) == second.draw(20)


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
    assert other.pick_like("price", random.Random(0)) == "a"
    assert other.pick_like("remove", random.Random(0)) is None
