"""Reinforcement: groups are collected, trained on and swapped in, iteration by iteration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from agent_server.run_metrics import read_metrics
from agent_server.store.tables import Episode
from envs.contract.task import Task
from tests.trainer.tiny_run import make_step, open_context, working
from trainer.context import PhaseRecord
from trainer.phases.reinforce import learning_rate, reinforce
from trainer.pipeline.controller import GroupState
from trainer.reinforce_config import ReinforceConfig
from trainer.samples import ce_sample

PROBE = [ce_sample(make_step())]


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


async def test_groups_without_signal_are_replaced_where_the_algorithm_says_so(
    tmp_path: Path,
) -> None:
    flat: set[str | None] = set()

    def solves(row: Episode) -> bool:
        # The first two groups fail altogether, the others are mixed.
        if len(flat) < 2:
            flat.add(row.group_id)
        return row.group_id not in flat and row.slot % 2 == 0

    sizes = {"iterations": 1, "groups": 2, "group_size": 2, "rescue_ce": 0.0, "algorithm": "dapo"}
    record = PhaseRecord("reinforce", "reinforce")
    run_dir = tmp_path / "run"
    with open_context(run_dir, schedule=["reinforce"], reinforce=sizes) as context:
        async with working(context, solves):
            await reinforce(context, record, 0, [], save_nothing)
    (event,) = [e for e in read_metrics(run_dir) if e["event"] == "reinforce"]
    assert (event["refills"], event["groups"], event["flat"]) == (1, 4, 2)
    assert event["samples"] == 4


async def save_nothing(_: int, groups: Callable[[], list[GroupState]]) -> None:
    """No checkpoint."""


async def test_an_algorithm_may_choose_how_many_and_how_long_episodes_are(tmp_path: Path) -> None:
    sizes: dict[str, object] = {"iterations": 1, "groups": 1, "group_size": 6}
    sizes |= {"algorithm": "dart", "options": {"shortest_limit": 3}}
    record = PhaseRecord("reinforce", "reinforce")
    with open_context(tmp_path / "run", schedule=["reinforce"], reinforce=sizes) as context:
        # Always solved, in four steps at most: three episodes of at most four steps.
        context.sampler.record_group("shop/price", 8, 8, longest_success=4)
        tasks: list[Task] = []

        def solves(row: Episode) -> bool:
            tasks.append(Task.model_validate(row.task))
            return row.slot % 2 == 0

        async with working(context, solves):
            await reinforce(context, record, 0, [], save_nothing)
        assert context.make_task("shop/price", 1).limits.max_steps > 4
    assert [task.limits.max_steps for task in tasks] == [4, 4, 4]


async def test_a_trigger_ends_the_phase_also_when_it_is_resumed(tmp_path: Path) -> None:
    sizes: dict[str, object] = {"iterations": 5, "groups": 1, "group_size": 2}
    sizes["until"] = {"on": "plateau", "window": 1, "gain": 0.1}
    record = PhaseRecord("reinforce", "reinforce")
    with open_context(tmp_path / "run", schedule=["reinforce"], reinforce=sizes) as context:
        async with working(context):
            await reinforce(context, record, 0, [], save_nothing)
            assert (record.iterations, record.ended_by) == (2, "plateau")
            assert [reading.success for reading in record.readings] == [0.5, 0.5]
            await reinforce(context, record, 2, [], save_nothing)
        assert (record.iterations, context.learner.steps) == (2, 4)


async def test_an_interleave_phase_pulses_when_its_trigger_fires(tmp_path: Path) -> None:
    record = PhaseRecord("interleave", "interleave")
    changes = {
        "reinforce": {"groups": 1, "group_size": 2, "minibatches": 1},
        "interleave": {"iterations": 5, "updates": 3, "when": {"on": "schedule", "steps": 2}},
    }
    with open_context(tmp_path / "run", schedule=["interleave"], **changes) as context:
        async with working(context):
            await reinforce(context, record, 0, [], save_nothing)
        assert context.learner.steps == 5 + 2 * 3, "five learner steps, a pulse after two of them"
    assert (record.iterations, record.ended_by, record.pulsed_after) == (5, "iterations", 4)
    events = read_metrics(tmp_path / "run")
    steps = {
        name: [event["step"] for event in events if event["event"] == name]
        for name in ("interleave", "interleave/pulse")
    }
    assert steps == {"interleave": [0, 1, 2, 3, 4], "interleave/pulse": [0, 0]}
    assert record.policy_version == 5


async def test_reinforcement_goes_on_after_reinforcement_unless_it_is_reset(tmp_path: Path) -> None:
    sizes = {"iterations": 1, "groups": 1, "group_size": 2, "minibatches": 1}
    first, second = (PhaseRecord(name, "reinforce") for name in ("reinforce-1", "reinforce-2"))
    for middle, optimizer_steps in (([], 2), (["reset"], 1)):
        schedule = ["reinforce", *middle, "reinforce"]
        run_dir = tmp_path / ("reset" if middle else "goes_on") / "run"
        reset = {"what": ["optimizer"]}
        with open_context(run_dir, schedule=schedule, reinforce=sizes, reset=reset) as context:
            async with working(context):
                await reinforce(context, first, 0, [], save_nothing)
                reference = context.learner.reference_logprobs(PROBE)
                await reinforce(context, second, 0, [], save_nothing)
            assert context.learner.phase_steps == optimizer_steps
            assert context.learner.reference_logprobs(PROBE) == reference
            assert context.learner.logprobs(PROBE) != reference


@pytest.mark.parametrize(
    ("groups", "group_size", "iteration", "rate"),
    [(12, 8, 5, 4e-4), (12, 8, 0, 2e-4), (6, 4, 5, 2e-4), (24, 8, 5, 4e-4)],
)
def test_small_learner_steps_have_a_lower_rate(
    groups: int, group_size: int, iteration: int, rate: float
) -> None:
    config = ReinforceConfig(lr=4e-4, warmup_iterations=2, groups=groups, group_size=group_size)
    assert learning_rate(config, iteration) == pytest.approx(rate)
    assert learning_rate(config, 0, is_warm=True) == learning_rate(config, 9)
