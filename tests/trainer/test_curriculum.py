"""The curriculum favours what can be learnt now, and starves nothing."""

from __future__ import annotations

from collections import Counter

from envs.contract.task import HELDOUT_SEED_BASE
from trainer.curriculum import TaskSampler, make_task
from trainer.curriculum_config import CurriculumConfig

CONFIG = CurriculumConfig()


def test_templates_in_the_band_and_unseen_ones_weigh_more() -> None:
    sampler = TaskSampler(["easy", "middle", "hard", "new"], CONFIG, seed=0)
    sampler.record_group("easy", 8, 8)
    sampler.record_group("middle", 4, 8)
    sampler.record_group("hard", 0, 8)
    weights = [sampler.weight(name) for name in ("easy", "middle", "hard", "new")]
    assert weights == [1.0, CONFIG.weight, 1.0, CONFIG.weight]
    counts = Counter(name for name, _ in sampler.sample(8000))
    assert 2.6 < counts["middle"] / counts["easy"] < 3.4
    assert counts["hard"] > 700


def test_the_rate_forgets_at_the_configured_pace() -> None:
    sampler = TaskSampler(["a"], CurriculumConfig(memory=0.5), seed=0)
    for successes in (0, 8, 8):
        sampler.record_group("a", successes, 8)
    sampler.record_group("a", 0, 0)
    assert sampler.metrics() == {"a": 0.75}


def test_the_longest_success_of_a_template_is_kept() -> None:
    sampler = TaskSampler(["a", "b"], CONFIG, seed=0)
    assert (sampler.longest_success("a"), sampler.rate("a")) == (None, None)
    sampler.record_group("a", 2, 4, longest_success=7)
    sampler.record_group("a", 2, 4, longest_success=3)
    sampler.record_group("a", 0, 4)
    resumed = TaskSampler(["a", "b"], CONFIG, seed=0)
    resumed.load_state_dict(sampler.state_dict())
    assert (resumed.longest_success("a"), resumed.longest_success("b")) == (7, None)


def test_seeds_are_never_held_out_ones() -> None:
    pairs = TaskSampler(["a"], CONFIG, seed=3).sample(5000)
    assert all(0 <= seed < HELDOUT_SEED_BASE for _, seed in pairs)


def test_the_expected_length_follows_recent_episodes() -> None:
    sampler = TaskSampler(["a", "b"], CurriculumConfig(memory=0.5), seed=0)
    sampler.record_group("a", 1, 4, steps=40)
    sampler.record_group("a", 1, 4, steps=24)
    assert sampler.expected_steps("a") == 8.0
    assert sampler.expected_steps("b") is None


def test_a_restored_sampler_draws_the_same() -> None:
    first = TaskSampler(["a", "b"], CONFIG, seed=1)
    first.sample(10)
    first.record_group("a", 4, 8, steps=24)
    second = TaskSampler(["a", "b"], CONFIG, seed=2)
    second.load_state_dict(first.state_dict())
    assert first.sample(20) == second.sample(20)
    assert second.expected_steps("a") == 3.0


def test_leads_are_restored_also_from_a_checkpoint_without_any() -> None:
    sampler = TaskSampler(["a"], CurriculumConfig(), seed=1)
    sampler.leads.record("a", lead=0, successes=0, episodes=4)
    state = sampler.state_dict()
    restored = TaskSampler(["a"], CurriculumConfig(), seed=1)
    restored.load_state_dict(state)
    assert restored.leads.steps("a") == 1
    older = {key: value for key, value in state.items() if key != "leads"}
    restored.load_state_dict(older)
    assert restored.leads.steps("a") == 0


def test_a_task_says_where_it_comes_from() -> None:
    task = make_task("billing/pay_invoice", 3)
    assert (task.id, task.origin) == ("billing/pay_invoice@3", "billing/pay_invoice")
