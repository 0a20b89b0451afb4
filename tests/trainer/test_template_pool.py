"""Templates are promoted, demoted, refilled and called back; the moves worked out by hand."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from trainer.curriculum import TaskSampler
from trainer.curriculum_config import CurriculumConfig
from trainer.template_pool import TemplatePool

CONFIG = CurriculumConfig(active=2, least_groups=2, patience=3)
NAMES = ["a", "b", "c", "d"]


def make_pool() -> TemplatePool:
    return TemplatePool(NAMES, CONFIG)


def places(pool: TemplatePool) -> tuple[str, str, str]:
    return "".join(pool.active), "".join(pool.waiting), "".join(pool.mastered)


def test_a_mastered_template_makes_room_for_the_next() -> None:
    pool = make_pool()
    pool.record("a", 1.0)
    assert places(pool) == ("ab", "cd", ""), "one group says little"
    pool.record("a", 0.9)
    assert places(pool) == ("bc", "d", "a")


def test_a_template_that_stays_below_the_band_waits_again() -> None:
    pool = make_pool()
    for rate in (0.0, 0.1):
        pool.record("b", rate)
    assert places(pool) == ("ab", "cd", "")
    pool.record("b", 0.0)
    assert places(pool) == ("ac", "db", "")


def test_a_forgotten_template_comes_back() -> None:
    pool = make_pool()
    for template, rate in (("a", 1.0), ("a", 1.0), ("a", 0.6)):
        pool.record(template, rate)
    assert places(pool) == ("bc", "d", "a")
    pool.record("a", 0.6)
    assert places(pool) == ("bc", "da", "")


def test_nobody_is_demoted_where_nobody_waits() -> None:
    pool = TemplatePool(["a", "b"], CONFIG)
    for _ in range(9):
        pool.record("a", 0.0)
    assert places(pool) == ("ab", "", "")


def test_what_is_all_mastered_is_sampled_all_the_same() -> None:
    pool = TemplatePool(["a"], CONFIG)
    pool.record("a", 1.0)
    pool.record("a", 1.0)
    assert (pool.active, pool.choices()) == ([], ["a"])


@settings(max_examples=50)
@given(st.lists(st.tuples(st.sampled_from(NAMES), st.floats(0, 1)), max_size=60))
def test_every_template_is_in_one_place_and_the_pool_continues_from_its_state(
    results: list[tuple[str, float]],
) -> None:
    pool = make_pool()
    for template, rate in results[:30]:
        pool.record(template, rate)
    again = make_pool()
    again.load_state_dict(pool.state_dict())
    for template, rate in results[30:]:
        pool.record(template, rate)
        again.record(template, rate)
    assert sorted("".join(places(pool))) == NAMES
    assert len(pool.active) == 2 or not pool.waiting
    assert places(again) == places(pool)


def test_only_active_templates_are_sampled_and_the_starved_are_revisited() -> None:
    sampler = TaskSampler(NAMES, CONFIG, seed=0)
    assert {template for template, _ in sampler.sample(40)} == {"a", "b"}
    revisiting = CONFIG.model_copy(update={"revisit": 0.5})
    sampler = TaskSampler(NAMES, revisiting, seed=0)
    drawn = [template for template, _ in sampler.sample(40)]
    assert set(drawn) == set(NAMES)
    later = TaskSampler(NAMES, revisiting, seed=1)
    later.load_state_dict(sampler.state_dict())
    assert later.sample(20) == sampler.sample(20)


def test_without_the_new_settings_tasks_are_drawn_as_before() -> None:
    # Golden: what the sampler drew before there was a pool.
    sampler = TaskSampler(NAMES, CurriculumConfig(), seed=0)
    assert [template for template, _ in sampler.sample(8)] == [
        "c",
        "c",
        "b",
        "c",
        "c",
        "a",
        "c",
        "d",
    ]
