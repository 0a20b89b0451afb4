"""The report of a study is made from what its runs left, with or without reports of their own."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from tests.trainer.study.tiny_study import make_runs
from trainer.config_file import to_toml
from trainer.context import PhaseRecord
from trainer.report import write_report
from trainer.run_file import RunFile
from trainer.study.report import write_study
from trainer.study.rows import NAME
from trainer.study.runs import StudyRuns

SOLVED = {"uninterrupted": ["a", "b"], "reset": ["a", "a", "b", "c"]}


def make_finished_runs(tmp_path: Path) -> StudyRuns:
    """Two arms after their end, of four episodes each; neither has a report."""
    runs = make_runs(tmp_path, [])
    for arm, solved in SOLVED.items():
        run_dir = runs.run_dir(arm, 3)
        run_dir.mkdir(parents=True)
        (run_dir / "config.toml").write_text(to_toml(runs.study.run_config(arm, 3, runs.file)))
        figures = {
            "success_rate": len(solved) / 4,
            "ci95": [0.0, 1.0],
            "n": 4,
            "lost": 0,
            "score_mean": len(solved) / 4,
            "solved": solved,
            "by_template": {},
        }
        record = PhaseRecord("reinforce", "reinforce", eval=figures)
        RunFile(run_dir.name, "tiny", 3, "finished", records=[record]).write(run_dir)
    return runs


@pytest.mark.parametrize("left", ["nothing", "a report from before the end"])
def test_a_run_that_was_stopped_before_its_report_gets_one(tmp_path: Path, left: str) -> None:
    runs = make_finished_runs(tmp_path)
    run_dir = runs.run_dir("reset", 3)
    if left != "nothing":
        finished = RunFile.read(run_dir)
        RunFile(run_dir.name, "tiny", 3, "interrupted").write(run_dir)
        write_report(run_dir)
        finished.write(run_dir)
    assert write_study(runs)["missing"] == ["longer/seed-3"]
    assert orjson.loads((run_dir / "report.json").read_bytes())["status"] == "finished"


def test_a_task_counts_as_often_as_it_was_solved(tmp_path: Path) -> None:
    arms = write_study(make_finished_runs(tmp_path))["arms"]
    assert arms["uninterrupted"]["success"]["mean"] == 0.5
    assert arms["reset"]["success"]["mean"] == 1.0
    assert arms["reset"]["difference"]["mean"] == 0.5


def test_runs_of_several_commits_are_told(tmp_path: Path) -> None:
    runs = make_finished_runs(tmp_path)
    assert len(write_study(runs)["commits"]) == 1
    path = runs.folder / NAME
    rows = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    other = {**rows[0], "seed": 4, "commit": "another"}
    path.write_bytes(path.read_bytes() + orjson.dumps(other) + b"\n")
    assert "another" in write_study(make_runs(tmp_path, [], seeds=[3, 4]))["commits"]
