"""Pipelines are compared over the same learner steps, and at a success that all of them reached."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from benchmarks import processors
from benchmarks.pipeline import (
    MOST_CONCURRENCY,
    PipelineRun,
    Work,
    compare,
    moving_means,
    read_run,
)
from benchmarks.processors import ProcessorLog
from tests.trainer.tiny_run import open_context, working
from trainer.config import TrainConfig
from trainer.config_file import to_toml
from trainer.phases.schedule import Position, make_run_file, run_schedule
from trainer.report import write_report


def make_run(seconds: float, *success: float) -> PipelineRun:
    return PipelineRun(
        ended_s=tuple(seconds * (index + 1) for index in range(len(success))),
        success=success,
        steps=120,
        idle={"learner": 0.5, "policy": 0.1, "environments": None},
        busy=0.9,
        refused_share=0.0,
        length_ratio=1.0,
    )


def test_speed_and_time_to_success_by_hand() -> None:
    runs = {
        "sync": make_run(20.0, 0.3, 0.3, 0.6, 0.6),
        "async": make_run(10.0, 0.3, 0.3, 0.3, 0.9),
    }
    figures = compare(runs, "_remote")
    assert figures["pipeline.async_speedup_remote"]["p50"] == 2.0
    assert figures["pipeline.success_level_remote"]["p50"] == 0.5, "0.3, 0.3 and 0.9"
    assert figures["pipeline.sync_remote.time_to_success_s"]["p50"] == 80.0
    assert figures["pipeline.async_remote.time_to_success_s"]["p50"] == 40.0
    assert figures["pipeline.async_remote.env_steps_per_s"]["p50"] == 3.0
    assert "pipeline.sync_remote.idle_environments" not in figures


def test_too_few_learner_steps_are_refused() -> None:
    assert moving_means([0.0, 0.3, 0.6, 0.9]) == pytest.approx([0.3, 0.6])
    with pytest.raises(ValueError, match="2 learner steps are too few"):
        moving_means([0.0, 1.0])


async def test_a_runs_figures_are_read_from_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processors, "SAMPLE_S", 0.02)
    run_dir = tmp_path / "run"
    with ProcessorLog() as log, open_context(run_dir, schedule=["reinforce"]) as context:
        (run_dir / "config.toml").write_text(to_toml(context.config))
        async with working(context):
            await run_schedule(context, Position(), time.monotonic())
        make_run_file(context, "finished", 60.0).write(run_dir)
    write_report(run_dir)
    figures = read_run(run_dir, log)
    assert 0 < figures.ended_s[0] < figures.ended_s[1]
    assert (figures.success, figures.steps) == ((0.5, 0.5), 8)
    assert 0 < figures.busy < 1.1, "the kernel counts in ticks of ten milliseconds"
    assert (figures.refused_share, figures.length_ratio) == (0.0, 1.0)


def test_a_row_of_more_staleness_has_a_name_and_room_of_its_own() -> None:
    assert Work().suffix == ""
    assert Work().settings("local")[1:] == ["reinforce.groups=6", "reinforce.max_staleness=1"]
    assert "serve.concurrency=48" in Work().settings("remote")
    wide = Work(groups=24, max_staleness=2)
    assert wide.suffix == "_staleness2_groups24"
    assert "serve.concurrency=256" in wide.settings("remote"), "of 288 that may be in flight"
    TrainConfig.model_validate({"serve": {"concurrency": MOST_CONCURRENCY}})
