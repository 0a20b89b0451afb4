"""Reinforcement: groups are collected, trained on and swapped in, iteration by iteration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.trainer.tiny_run import open_context, working
from trainer.config import ReinforceConfig
from trainer.context import PhaseRecord
from trainer.metrics import read_metrics
from trainer.phases.reinforce import learning_rate, reinforce
from trainer.pipeline.controller import GroupState


async def run_phase(
    run_dir: Path, start: int = 0, **changes: object
) -> tuple[PhaseRecord, list[int]]:
    record, saved = PhaseRecord("reinforce", "reinforce"), []

    async def save(iteration: int, groups: Callable[[], list[GroupState]]) -> None:
        saved.append(iteration)
        in_flight.append(len(groups()))

    in_flight: list[int] = []
    with open_context(run_dir, schedule=["reinforce"], **changes) as context:
        async with working(context):
            await reinforce(context, record, start, [], save)
        assert context.collector.in_flight == 0
        counts = context.store.episodes.accounting("run")
        assert (counts.is_balanced, counts.cancelled) == (True, 0), "no group beyond the phase's"
        assert in_flight[-1:] in ([], [0])
    return record, saved


@pytest.mark.parametrize("pipeline", ["sync", "one_step", "async"])
async def test_each_iteration_trains_swaps_and_is_saved(tmp_path: Path, pipeline: str) -> None:
    config = {"iterations": 2, "groups": 2, "group_size": 2, "pipeline": pipeline}
    record, saved = await run_phase(tmp_path / "run", reinforce=config)
    assert (saved, record.iterations, record.ended_by) == ([1, 2], 2, "iterations")
    assert record.policy_version == 2
    events = [event for event in read_metrics(tmp_path / "run") if event["event"] == "reinforce"]
    assert [event["groups"] for event in events] == [2, 2]
    assert [event["success"] for event in events] == [0.5, 0.5]
    assert all(event["flat"] == 0 and event["samples"] == 4 for event in events)


async def test_a_resumed_phase_begins_where_it_was(tmp_path: Path) -> None:
    # A checkpoint would bring the reference back; this phase begins in the middle without one.
    config = {"iterations": 2, "groups": 2, "group_size": 2, "ref_kl": 0.0}
    record, saved = await run_phase(tmp_path / "run", start=1, reinforce=config)
    assert (saved, record.policy_version) == ([2], 1)


async def test_no_iteration_begins_after_the_phases_minutes(tmp_path: Path) -> None:
    config = {"iterations": 50, "groups": 1, "group_size": 2, "max_minutes": 1e-9}
    record, saved = await run_phase(tmp_path / "run", reinforce=config)
    assert (saved, record.ended_by) == ([], "max_minutes")


@pytest.mark.parametrize(
    ("groups", "group_size", "iteration", "rate"),
    [(12, 8, 5, 4e-4), (12, 8, 0, 2e-4), (6, 4, 5, 2e-4), (24, 8, 5, 4e-4)],
)
def test_small_learner_steps_have_a_lower_rate(
    groups: int, group_size: int, iteration: int, rate: float
) -> None:
    config = ReinforceConfig(lr=4e-4, warmup_iterations=2, groups=groups, group_size=group_size)
    assert learning_rate(config, iteration) == pytest.approx(rate)
