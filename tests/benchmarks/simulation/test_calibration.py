"""Costs of one run, by hand."""

from __future__ import annotations

import pytest

from benchmarks.simulation.calibration import calibrate
from benchmarks.simulation.check import compare, make_plan
from benchmarks.simulation.growth import grow, make_figures
from benchmarks.simulation.reality import Played, RealRun

PLAYED = Played(
    steps=4, queued_s=1.0, reset_s=0.5, env_s=2.0, evaluate_s=0.25, policy_s=4.0, total_s=7.0
)
RUN = RealRun(
    sessions=1,
    think_s=1.0,
    seconds=7.0,
    cpu_s={"host": 0.75, "renderer": 1.5, "database": 9.0},
    other_cores=0.0,
    episodes=(PLAYED,),
)


def test_the_time_of_an_episode_is_shared_out() -> None:
    costs = calibrate([RUN])
    (episode,) = costs.episodes
    assert (episode.steps, episode.step_s, episode.around_s) == (4, 0.5, 0.25)
    # 3 s were not the policy's: the host worked for a quarter of them, the renderer for half.
    assert costs.shares == pytest.approx({"host": 0.25, "renderer": 0.5})
    assert costs.alone == {"host"}


def test_the_model_repeats_the_run_that_it_was_made_from() -> None:
    compared = compare(calibrate([RUN]), RUN)
    assert compared.error == pytest.approx(0.0, abs=0.01)
    assert make_plan(RUN).episodes == 1


def test_more_machines_do_more_and_cost_more() -> None:
    few, many = grow(calibrate([RUN]), sizes=(32, 64))
    assert many.outcome.steps_per_s > 1.8 * few.outcome.steps_per_s
    figures = make_figures([few, many], core_hour=0.5)
    assert figures["scale.sessions_64.a_day"]["p50"] == many.cores * 24 * 0.5
