"""Expert iteration imitates the successes of its own rounds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agent_server.run_metrics import read_metrics
from tests.trainer.tiny_run import open_context, working
from trainer.context import PhaseRecord
from trainer.phases.expert_iteration import expert_iteration
from trainer.pipeline.controller import GroupState

SIZES = {"iterations": 3, "groups": 2, "group_size": 4, "updates": 2, "batch_steps": 2}


async def run_phase(
    run_dir: Path, start: int = 0, **changes: object
) -> tuple[PhaseRecord, list[int]]:
    record, saved = PhaseRecord("expert_iteration", "expert_iteration"), []

    async def save(iteration: int, groups: Callable[[], list[GroupState]]) -> None:
        assert groups() == []
        saved.append(iteration)

    section = SIZES | changes
    with open_context(run_dir, schedule=["expert_iteration"], expert_iteration=section) as context:
        async with working(context):
            await expert_iteration(context, record, start, save)
        assert context.collector.in_flight == 0
        assert len(context.pool) == 4 * 3 - 4 * start, "two of four episodes of two groups a round"
    return record, saved


async def test_each_round_trains_swaps_and_is_saved(tmp_path: Path) -> None:
    record, saved = await run_phase(tmp_path / "run", per_task=1)
    assert (saved, record.iterations, record.ended_by) == ([1, 2, 3], 3, "iterations")
    assert record.policy_version == 3
    rounds = [e for e in read_metrics(tmp_path / "run") if e["event"] == "expert_iteration/round"]
    assert [(event["imitated"], event["samples"], event["flat"]) for event in rounds] == [
        (2, 2, 0)
    ] * 3
    assert [event["success"] for event in rounds] == [0.5] * 3
    assert all(event["entropy_fixed"] > 0 for event in rounds)


async def test_a_resumed_phase_goes_on_with_its_round(tmp_path: Path) -> None:
    record, saved = await run_phase(tmp_path / "run", start=2)
    assert (saved, record.iterations) == ([3], 3)


async def test_a_trigger_ends_it_early(tmp_path: Path) -> None:
    record = PhaseRecord("expert_iteration", "expert_iteration")
    section = SIZES | {"until": {"on": "plateau", "window": 1}}

    async def save(iteration: int, groups: Callable[[], list[GroupState]]) -> None:
        """No checkpoint."""

    run_dir = tmp_path / "run"
    with open_context(run_dir, schedule=["expert_iteration"], expert_iteration=section) as context:
        async with working(context):
            await expert_iteration(context, record, 0, save)
    assert (record.iterations, record.ended_by) == (2, "plateau")
