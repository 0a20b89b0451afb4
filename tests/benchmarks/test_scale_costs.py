"""Costs of one run, by hand."""

from __future__ import annotations

import pytest

from benchmarks.scale_costs import calibrate
from benchmarks.scale_runs import Played, RealRun

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
