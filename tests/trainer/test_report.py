"""A report's numbers come from the run's folder; what was not measured is null."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.trainer.tiny_run import open_context, working
from trainer.config_file import to_toml
from trainer.phases.schedule import Position, make_run_file, run_schedule
from trainer.report import DEFINITIONS, write_report
from trainer.run_file import NotARun

SCHEDULE = ["imitate", "reinforce"]


async def test_a_finished_runs_figures_are_those_of_its_episodes(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    with open_context(run_dir, schedule=SCHEDULE) as context:
        (run_dir / "config.toml").write_text(to_toml(context.config))
        async with working(context):
            await run_schedule(context, Position(), time.monotonic())
        make_run_file(context, "finished", 60.0).write(run_dir)
    report = write_report(run_dir)
    assert report == json.loads((run_dir / "report.json").read_text())
    imitate, reinforce = report["phases"]
    assert (imitate["episodes"], imitate["eval"]["n"], imitate["policy_version"]) == (4, 3, 1)
    assert (reinforce["episodes"], reinforce["iterations"]) == (8, 2)
    assert reinforce["eval_policy_versions"] == {"3": 3}
    assert report["episodes"]["scored"] == 4 + 3 + 8 + 3 + 3 + 2 * 3, "greedy and two controls, too"
    assert report["swaps"] == {
        "count": 3,
        "rejected": 0,
        "failed_requests": 0,
        "pause_ms": {"p50": 5.0, "p95": 5.0},
    }
    assert report["throughput"]["episodes_per_min"] == 27.0
    assert report["mismatch"]["probe_abs_logprob_mean"] == pytest.approx(0.01)
    assert report["staleness"] == {
        "mean": 0.5,
        "max": 1,
        "episodes_refused": 0,
        "episodes_cancelled": 0,
        "refused_share": 0.0,
        "steps_mean_kept": 1.0,
        "steps_mean_all": 1.0,
    }
    idle = report["throughput"]["idle"]
    assert idle == reinforce["idle"]
    assert imitate["idle"] is None
    assert 0 < idle["learner"] < 1
    assert idle["environments"] is None, "nobody counted the slots of this worker"
    assert idle["policy"] is None, "it timed no request"
    assert report["definitions"] == DEFINITIONS
    assert "<svg" in (run_dir / "report.html").read_text()


async def test_the_end_of_a_run_says_what_it_does_on_what_it_never_saw(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    unseen = {"template": ["shop/remove"], "app": ["desk/first_due"]}
    sizes = {"episodes": 3, "dev_episodes": 2, "unseen_episodes": 2, "unseen": unseen}
    with open_context(run_dir, schedule=SCHEDULE, eval=sizes) as context:
        (run_dir / "config.toml").write_text(to_toml(context.config))
        async with working(context):
            await run_schedule(context, Position(), time.monotonic())
        make_run_file(context, "finished", 60.0).write(run_dir)
    report = write_report(run_dir)
    assert set(report["generalisation"]) == {"template", "app"}
    for figures in report["generalisation"].values():
        assert (figures["success_rate"], figures["n"]) == (1.0, 2)
        assert figures["ci95"] == pytest.approx([0.3424, 1.0], abs=1e-4), "Wilson, 2 of 2"
        assert set(figures["controls"]) == {"noop", "random"}
        assert figures["greedy"]["n"] == 2
        assert "solved" not in figures
    assert (report["final"]["phase"], report["final"]["n"]) == ("reinforce", 3)
    assert {name: dev["n"] for name, dev in report["final"]["dev"].items()} == {
        "imitate": 2,
        "reinforce": 2,
    }
    (pair,) = report["paired"]
    assert (pair["first"], pair["second"]) == ("imitate", "reinforce")
    assert (pair["difference"], pair["p"]) == (0.0, 1.0)
    assert report["ended_by_time"] == []
    assert report["throughput"]["env_steps_per_s_eval"] > 0
    text = (run_dir / "report.html").read_text()
    assert "random" in text
    assert "greedy" in text


def test_a_run_that_has_just_begun_has_no_figures_yet(tmp_path: Path) -> None:
    run_dir = tmp_path / "run"
    with open_context(run_dir, schedule=SCHEDULE) as context:
        (run_dir / "config.toml").write_text(to_toml(context.config))
        make_run_file(context, "interrupted", 0.0).write(run_dir)
    report = write_report(run_dir)
    assert (report["phases"], report["final"]) == ([], None)
    assert set(report["throughput"].values()) == {None}
    assert report["mismatch"]["abs_logprob_mean"] is None
    assert report["staleness"]["mean"] is None
    assert report["swaps"]["pause_ms"] == {"p50": None, "p95": None}


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotARun, match="not the folder of a run"):
        write_report(tmp_path)
