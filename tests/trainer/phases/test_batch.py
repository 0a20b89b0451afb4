"""From groups of episodes to weighted samples."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_server.store.tables import Episode
from tests.trainer.tiny_run import make_step, open_context, record_episode
from trainer.collector import FinishedGroup
from trainer.config import ReinforceConfig
from trainer.context import Context
from trainer.phases.batch import build_batch
from trainer.samples import Sample

CONFIG = ReinforceConfig(partial=0.0)


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    with open_context(tmp_path / "run") as opened:
        opened.version = 3
        yield opened


def make_group(context: Context, *scores: float, version: int = 3) -> FinishedGroup:
    """Episodes of one step each, all from the same page."""
    rows = []
    for index, score in enumerate(scores):
        row = Episode(run_id="run", task={}, score=score, success=score >= 1.0)
        row.id, row.version_min, row.version_max = f"e{index}v{version}", version, version
        record_episode(context, row.id, [make_step(version=version)])
        rows.append(row)
    task = context.make_task("shop/price", 1)
    return FinishedGroup(id="g", task=task, episodes=tuple(rows))


def test_steps_of_a_mixed_group_are_reinforced_by_their_advantage(context: Context) -> None:
    batch = build_batch(context, [make_group(context, 1.0, 0.0)], CONFIG, [])
    assert [sample.advantage for sample in batch.samples] == [1.0, -1.0]
    assert (batch.zero_variance, batch.rescued) == (0, 0)


def test_the_groups_baseline_divides_by_the_deviation(context: Context) -> None:
    config = CONFIG.model_copy(update={"advantage": "group"})
    batch = build_batch(context, [make_group(context, 1.0, 0.0, 0.0, 0.0)], config, [])
    assert batch.samples[0].advantage == pytest.approx(3**0.5)


def test_a_group_of_equal_rewards_is_counted_and_left_out(context: Context) -> None:
    batch = build_batch(context, [make_group(context, 1.0, 1.0)], CONFIG, [])
    assert (batch.samples, batch.zero_variance) == ([], 1)


def test_a_group_of_failures_is_rescued_by_a_kept_success(context: Context) -> None:
    record_episode(context, "kept", [make_step()])
    context.pool.add("shop/price", "shop/price@9", "kept")
    config = CONFIG.model_copy(update={"rescue_ce": 0.3})
    batch = build_batch(context, [make_group(context, 0.0, 0.0)], config, [])
    assert [(sample.ce, sample.rl) for sample in batch.samples] == [(0.3, 0.0)]
    assert (batch.zero_variance, batch.rescued) == (1, 1)


def test_staleness_is_counted_from_the_oldest_token(context: Context) -> None:
    batch = build_batch(context, [make_group(context, 1.0, 0.0, version=1)], CONFIG, [])
    assert {sample.staleness for sample in batch.samples} == {2}


def test_episodes_of_a_rejected_version_are_left_out(context: Context) -> None:
    context.rejected.add(2)
    batch = build_batch(context, [make_group(context, 1.0, 0.0, version=2)], CONFIG, [])
    assert (batch.samples, batch.zero_variance) == ([], 1)


def test_successes_are_replayed_and_oracle_steps_anchor(context: Context) -> None:
    config = CONFIG.model_copy(update={"replay_ce": 0.2, "anchor_ce": 0.1, "anchor_steps": 1})
    anchors = [Sample((1,), (2,), ce=1.0), Sample((1,), (3,), ce=1.0)]
    batch = build_batch(context, [make_group(context, 1.0, 0.0)], config, anchors)
    assert [sample.ce for sample in batch.samples] == [0.2, 0.0, 0.1]
