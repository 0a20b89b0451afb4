"""What is in flight in each pipeline, who is waited for, who is cancelled, and what a later process
goes on with. The episodes end when a test says so."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.store.tables import utcnow
from envs.contract.outcomes import EndReason, Status
from envs.contract.session import Verdict
from tests.trainer.tiny_run import open_context
from trainer.collector import FinishedGroup
from trainer.context import Context
from trainer.pipeline.controller import RolloutController
from trainer.pipeline.publisher import Publisher
from trainer.reinforce_config import ReinforceConfig

BATCH = {"iterations": 4, "groups": 2, "group_size": 2}


def make_controller(context: Context, steps: int = 0, **changes: Any) -> RolloutController:
    config = ReinforceConfig.model_validate(BATCH | changes)
    return RolloutController(context, "reinforce", config, steps)


def lease(context: Context, count: int) -> list[str]:
    """Starts the oldest queued episodes, as a worker would."""
    waiting = context.store.episodes.waiting(utcnow())[:count]
    for episode_id in waiting:
        assert context.store.episodes.lease(episode_id, "worker") is not None
    return waiting


def finish(context: Context, episode_ids: list[str]) -> None:
    for episode_id in episode_ids:
        result = EpisodeResult(
            Status.SCORED,
            EndReason.DONE,
            verdict=Verdict(score=1.0),
            steps=3,
            version_min=context.version,
            version_max=context.version,
        )
        assert context.store.episodes.finish(episode_id, "worker", result)


async def take(controller: RolloutController, count: int = 2) -> list[FinishedGroup]:
    async with asyncio.timeout(20):
        return await controller.take(count, Publisher())


@pytest.mark.parametrize(
    ("pipeline", "at_start", "while_learning", "when_live"),
    [("sync", 2, 0, 2), ("one_step", 2, 2, 2), ("async", 4, 2, 4)],
)
async def test_groups_in_flight(
    tmp_path: Path, pipeline: str, at_start: int, while_learning: int, when_live: int
) -> None:
    with open_context(tmp_path / "run") as context:
        controller, collector = make_controller(context, pipeline=pipeline), context.collector
        controller.top_up()
        assert collector.in_flight == at_start
        finish(context, lease(context, 4))
        assert len(await take(controller)) == 2
        controller.begin_step()
        assert collector.in_flight == while_learning
        controller.end_step()
        assert collector.in_flight == when_live


async def test_a_phase_submits_no_more_than_it_needs(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        controller = make_controller(context, pipeline="async", max_staleness=3)
        for _ in range(4):
            controller.top_up()
            finish(context, lease(context, 100))
            assert len(await take(controller)) == 2
            controller.begin_step()
            controller.end_step()
            assert context.collector.in_flight == 0
        assert context.store.episodes.accounting("run").dispatched == 4 * 2 * 2
        assert await take(controller) == []


@pytest.mark.parametrize(
    ("share", "policies"),
    [(0.0, {"live"}), (0.5, {"live", "renamed"}), (1.0, {"renamed"})],
)
async def test_a_share_of_the_groups_sees_made_up_names(
    tmp_path: Path, share: float, policies: set[str]
) -> None:
    with open_context(tmp_path / "run") as context:
        make_controller(context, groups=12, renamed=share).top_up()
        waiting = context.store.episodes.waiting(utcnow())
        rows = context.store.episodes.get_many(waiting)
        assert len(rows) == 24
        assert {row.policy for row in rows} == policies
        alike = {(row.group_id, row.policy) for row in rows}
        assert len(alike) == 12, "all episodes of a group see the same"


@pytest.mark.parametrize(("lead", "policy"), [(0, "live"), (2, "led-2"), (99, "led-19")])
async def test_an_oracle_begins_where_the_policy_fails_alone_and_never_ends(
    tmp_path: Path, lead: int, policy: str
) -> None:
    with open_context(tmp_path / "run", env={"tasks": ["shop/price"], "max_steps": 20}) as context:
        context.sampler.leads.load_state_dict({"shop/price": lead})
        make_controller(context, groups=3, led=1.0).top_up()
        rows = context.store.episodes.get_many(context.store.episodes.waiting(utcnow()))
        assert len(rows) == 6
        assert {row.policy for row in rows} == {policy}


async def test_groups_are_led_and_renamed_at_their_shares(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        context.sampler.leads.load_state_dict({"shop/price": 1})
        make_controller(context, groups=200, renamed=0.25, led=0.25).top_up()
        rows = context.store.episodes.get_many(context.store.episodes.waiting(utcnow()))
        groups = {(row.group_id, row.policy) for row in rows}
        counts = Counter(policy for _, policy in groups)
        assert sum(counts.values()) == 200
        assert 30 < counts["renamed"] < 70
        assert 30 < counts["led-1"] < 70


async def test_groups_that_count_for_nothing_are_replaced(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        controller = make_controller(context, pipeline="sync")
        controller.top_up()
        finish(context, lease(context, 4))
        await take(controller)
        controller.replace(1)
        controller.top_up()
        assert context.collector.in_flight == 1


async def test_a_step_waits_for_the_groups_that_it_is_the_last_to_train_on(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        controller = make_controller(context, pipeline="async")
        controller.top_up()
        long = lease(context, 1)
        others = lease(context, 7)
        await controller.note_starts()
        finish(context, others)
        controller.end_step()
        context.version = 1
        taking = asyncio.create_task(take(controller))
        await asyncio.sleep(0.1)
        assert not taking.done(), "three groups wait, but the first began with version 0"
        finish(context, long)
        assert len(await taking) == 2


async def test_what_a_step_did_not_wait_for_is_cancelled_while_it_runs(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        controller = make_controller(context, pipeline="async", straggler_s=0.0)
        controller.top_up()
        (straggler,) = lease(context, 1)
        others = lease(context, 7)
        await controller.note_starts()
        finish(context, others)
        context.version = 1
        assert len(await take(controller)) == 2
        context.version = 2
        await controller.collect()
        assert context.store.episodes.renew([straggler], "worker").cancelled == {straggler}
        context.store.episodes.finish(straggler, "worker", EpisodeResult(Status.CANCELLED))
        await controller.collect()
        staleness = context.collector.staleness
        assert (staleness.cancelled, staleness.refused) == (1, 3), "the rest ended two versions ago"


async def test_a_failure_in_the_background_is_raised_where_groups_are_waited_for(
    tmp_path: Path,
) -> None:
    async def fail() -> None:
        raise OSError("the disk is full")

    with open_context(tmp_path / "run") as context:
        controller, publisher = make_controller(context), Publisher()
        controller.top_up()
        finish(context, lease(context, 4))
        publisher.start(fail())
        with pytest.raises(OSError, match="disk is full"):
            await controller.take(2, publisher)


async def test_a_later_process_goes_on_with_the_same_groups(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        controller = make_controller(context, pipeline="async")
        controller.top_up()
        finish(context, lease(context, 6))
        await controller.collect()
        assert (len(controller.buffer), context.collector.in_flight) == (3, 1)
        state = controller.state()
        before = [group.id for group in controller.buffer.groups]
        assert [group["id"] for group in state[:3]] == before
    with open_context(tmp_path / "run") as context:
        controller = make_controller(context, pipeline="async")
        controller.adopt(state)
        await controller.collect()
        assert [group.id for group in controller.buffer.groups] == before
        assert context.collector.in_flight == 1, "and no burst of new ones"
        assert controller.state() == state


async def test_groups_that_an_interrupted_run_cancelled_are_replaced(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        controller = make_controller(context)
        controller.top_up()
        (first, *_) = lease(context, 1)
        finish(context, [first])
        state = controller.state()
        context.collector.cancel_in_flight()
    with open_context(tmp_path / "run") as context:
        controller = make_controller(context)
        controller.adopt(state)
        assert context.collector.in_flight == 1, "of the other group nothing had ended"
        controller.top_up()
        finish(context, lease(context, 2))
        groups = await take(controller)
        assert [(len(group.episodes), group.lost) for group in groups] == [(1, 1), (2, 0)]
