"""Two sessions with constant times by hand, and what holds for any plan."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.simulation.system import (
    Costs,
    EpisodeCosts,
    Outcome,
    Plan,
    Policy,
    get_capacity,
    simulate,
)

EPISODE = EpisodeCosts(steps=2, reset_s=1.0, step_s=0.5, evaluate_s=1.0, around_s=0.0)
IDLE = Costs(episodes=(EPISODE,), shares={})
"""Environments that only wait: nothing is shared."""
PLAN = Plan(machines=1, sessions=2, cores=1, policy=Policy(think_s=2.0), episodes=4)


def test_two_sessions_play_four_episodes_in_two_rounds() -> None:
    # An episode: reset 1, twice (think 2, step 0.5), verdict 1 = 7 s. Two sessions, two rounds.
    outcome = simulate(IDLE, PLAN)
    assert outcome.seconds == pytest.approx(14.0)
    assert outcome.steps_per_s == pytest.approx(8 / 14)
    assert outcome.queued_s == pytest.approx([0.0, 0.0, 7.0, 7.0])


def test_two_sessions_share_one_processor() -> None:
    # All of an environment's time is work of a renderer: 3 s an episode, on one processor. Both
    # reset until 2, think until 4, step until 5, think until 7, step until 8, judge until 10.
    busy = replace(IDLE, shares={"renderer": 1.0})
    outcome = simulate(busy, replace(PLAN, episodes=2))
    assert outcome.seconds == pytest.approx(10.0, abs=0.02)
    assert outcome.busy["processors"] == pytest.approx(0.6, abs=0.01)


def test_a_program_works_on_one_thing_though_processors_are_idle() -> None:
    busy = replace(IDLE, shares={"host": 1.0}, alone=frozenset({"host"}))
    alone = simulate(busy, replace(PLAN, cores=4, episodes=2))
    together = simulate(replace(busy, alone=frozenset()), replace(PLAN, cores=4, episodes=2))
    assert alone.seconds > together.seconds == pytest.approx(7.0)


def test_work_of_others_slows_ours_down() -> None:
    busy = replace(IDLE, shares={"renderer": 1.0})
    slowed = simulate(busy, replace(PLAN, other_cores=0.5))
    assert slowed.seconds > 1.1 * simulate(busy, PLAN).seconds


def test_the_database_is_queued_for() -> None:
    slow = replace(IDLE, database_s=2.0)
    outcome = simulate(slow, replace(PLAN, episodes=2, database_cores=1))
    # The second lease waits for the first, 1 s; so does nothing after it, being 1 s later.
    assert outcome.queued_s == pytest.approx([1.0, 2.0])
    assert outcome.seconds == pytest.approx(10.0)


@settings(deadline=None, max_examples=40)
@given(
    machines=st.integers(1, 3),
    sessions=st.integers(1, 5),
    cores=st.integers(1, 3),
    episodes=st.integers(1, 40),
    share=st.floats(0.0, 1.8),
    batching=st.booleans(),
    seed=st.integers(0, 99),
)
def test_each_episode_ends_once_and_no_limit_is_passed(
    machines: int,
    sessions: int,
    cores: int,
    episodes: int,
    share: float,
    batching: bool,
    seed: int,
) -> None:
    policy = Policy(sizes=(1, 8), latency_s=(0.5, 0.9), room=8) if batching else Policy(think_s=0.4)
    costs = replace(IDLE, shares={"host": share / 2, "renderer": share / 2})
    costs = replace(costs, alone=frozenset({"host"}), database_s=0.01, beat_s=0.01)
    plan = Plan(machines=machines, sessions=sessions, cores=cores, policy=policy, episodes=episodes)
    outcome = simulate(costs, plan, seed)
    assert outcome.begun == outcome.ended == len(outcome.queued_s) == episodes
    assert outcome.steps == 2 * episodes
    # Work that was begun beside an episode may end after it: at most that of the last ones.
    assert outcome.steps_per_s <= get_capacity(costs, plan) * (1 + machines * sessions / episodes)
    assert all(0 <= part <= 1 + machines / episodes for part in outcome.busy.values())


def test_the_same_seed_gives_the_same_outcome() -> None:
    def play(seed: int) -> Outcome:
        plan = replace(PLAN, episodes=0, seconds=60.0, other_cores=0.3)
        return simulate(replace(IDLE, shares={"host": 0.8}), plan, seed)

    assert play(1) == play(1)
    assert play(1) != play(2)
