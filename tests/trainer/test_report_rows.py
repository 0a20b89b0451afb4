"""Time that overlapping episodes cover, and what is read of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent_server.episodes.agent import Sampling
from envs.contract.outcomes import Status
from tests.trainer.tiny_run import open_context, working
from trainer.report_rows import (
    EpisodeRow,
    busy_s,
    count_steps,
    count_versions,
    mean_steps,
    read_rows,
    union_s,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def at(second: float) -> datetime:
    return NOON + timedelta(seconds=second)


@pytest.mark.parametrize(
    ("spans", "seconds"),
    [
        ([], 0.0),
        ([(0, 10), (20, 25)], 15.0),
        ([(0, 10), (5, 12)], 12.0),
        ([(0, 10), (2, 3), (10, 11)], 11.0),
        ([(5, 6), (0, 1)], 2.0),
    ],
)
def test_overlapping_spans_count_once(spans: list[tuple[int, int]], seconds: float) -> None:
    assert union_s(spans) == seconds


def test_rows_are_counted_by_their_oldest_version() -> None:
    rows = [
        EpisodeRow("a", "reinforce", Status.SCORED, 3, 10, at(0), at(4), {}),
        EpisodeRow("b", "reinforce", Status.TRUNCATED, 2, 2, at(2), at(5), {}),
        EpisodeRow("c", "reinforce", Status.RUNNING, 0, None, at(9), None, {}),
    ]
    assert count_steps(rows) == 5
    assert list(count_versions(rows).items()) == [("2", 1), ("10", 1)], "in the order of numbers"
    assert (mean_steps(rows), mean_steps(rows[2:])) == (2.5, None)
    assert busy_s(rows) == 5.0, "an episode that has not ended covers nothing yet"


async def test_attempts_are_read_by_phase(tmp_path: Path) -> None:
    with open_context(tmp_path / "run") as context:
        for phase in ("imitate", "imitate/eval"):
            context.collector.submit(
                phase=phase,
                purpose="train",
                tasks=[context.make_task("shop/price", 1)],
                size=2,
                policy="live",
                sampling=Sampling(),
            )
        async with working(context):
            await context.collector.gather(2)
        rows = read_rows(context.store, "run")
    assert {phase: len(part) for phase, part in rows.items()} == {"imitate": 2, "imitate/eval": 2}
    assert all(row.steps == 1 and row.version_min == 0 for row in rows["imitate"])
    assert busy_s(rows["imitate"]) >= 0.0
