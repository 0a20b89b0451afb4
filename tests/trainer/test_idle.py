"""Idle shares, worked by hand."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from agent_server.store.artifacts import Artifacts, Recorder
from envs.contract.outcomes import Status
from tests.trainer.tiny_run import make_step
from trainer.context import PhaseRecord
from trainer.idle import Busy, clip, idle_shares, measure_busy, policy_requests
from trainer.report_rows import EpisodeRow


def row(start: float, end: float | None, episode_id: str = "e", total_s: float = 0) -> EpisodeRow:
    ended_at = None if end is None else datetime.fromtimestamp(end, UTC)
    return EpisodeRow(
        id=episode_id,
        phase="reinforce",
        status=Status.SCORED,
        steps=3,
        version_min=0,
        started_at=datetime.fromtimestamp(start, UTC),
        finished_at=ended_at,
        timings={"total_s": total_s},
    )


def make_record(slots: int | None = 4) -> PhaseRecord:
    # Two processes; between 110 and 200 the first one was killed.
    windows = [(100.0, 110.0), (200.0, 230.0)]
    return PhaseRecord("reinforce", "reinforce", learner_s=10.0, windows=windows, slots=slots)


def test_only_what_lies_in_a_window_counts() -> None:
    windows = [(100.0, 110.0), (200.0, 230.0)]
    spans = [(90.0, 95.0), (95.0, 105.0), (108.0, 205.0), (230.0, 240.0)]
    assert list(clip(spans, windows)) == [(100.0, 105.0), (108.0, 110.0), (200.0, 205.0)]


def test_shares_by_hand() -> None:
    rows = [row(100, 110), row(105, 205), row(200, 230), row(220, 260), row(225, None)]
    requests = [(100.0, 104.0), (102.0, 106.0), (150.0, 160.0), (200.0, 224.0)]
    busy = measure_busy(make_record(), rows, requests)
    assert busy == Busy(phase_s=40, learner_s=10, policy_s=30, episodes_s=60, slot_s=160)
    assert idle_shares(busy) == {"learner": 0.75, "policy": 0.25, "environments": 0.625}
    both = busy + Busy(phase_s=40, learner_s=30, policy_s=40, episodes_s=100, slot_s=160)
    assert idle_shares(both) == {"learner": 0.5, "policy": 0.125, "environments": 0.5}


def test_what_nobody_measured_gives_no_share() -> None:
    busy = measure_busy(make_record(slots=None), [row(100, 110)], [])
    for shares in (idle_shares(busy), idle_shares(busy + Busy())):
        assert shares == {"learner": 0.75, "policy": None, "environments": None}
    assert set(idle_shares(Busy()).values()) == {None}


def test_requests_are_placed_by_the_end_of_their_episode(tmp_path: Path) -> None:
    artifacts = Artifacts(str(tmp_path))
    with Recorder(artifacts, "e") as recorder:
        for begun, policy in [(1000.0, 500.0), (4000.0, 250.0)]:
            timings = {"asked": begun, "policy": policy, "env": 100.0}
            recorder.record_step(make_step().model_copy(update={"timings_ms": timings}))
        recorder.record_step(make_step())
    # It began at 100: leased at 98, and it waited two seconds for a session.
    requests = list(policy_requests(artifacts, [row(98, 110, total_s=10.0), row(98, None)]))
    assert requests == [pytest.approx((101.0, 101.5)), pytest.approx((104.0, 104.25))]
