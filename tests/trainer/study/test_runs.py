"""A study runs each arm once a seed, continues where it was, and reports what is there."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest
import typer
from typer.testing import CliRunner

from tests.trainer.study.tiny_study import TRAIN, make_runs
from trainer.checkpoints import load_checkpoint
from trainer.config import ConfigError
from trainer.config_file import load_config, to_toml
from trainer.run_file import RunFile
from trainer.study.commands import register
from trainer.study.config import TRUNK
from trainer.study.fork import CannotFork, fork_run
from trainer.study.report import table_rows, write_study
from trainer.study.rows import NAME as ROWS
from trainer.study.rows import portable_settings, row_config
from trainer.study.runs import StudyRuns, is_finished

pytestmark = pytest.mark.timeout(900)  # processes that import PyTorch


def write_run(runs: StudyRuns, arm: str, status: str) -> Path:
    """The folder of a run as the study has it now, ended with this status."""
    run_dir = runs.run_dir(arm, 3)
    (run_dir / "checkpoints/step-000001").mkdir(parents=True)
    config = runs.study.run_config(arm, 3, runs.file)
    (run_dir / "config.toml").write_text(to_toml(config))
    RunFile(f"{arm}-3", config.preset, 3, status).write(run_dir)
    return run_dir


async def test_arms_continue_from_the_trunk_and_are_compared(tmp_path: Path) -> None:
    lines: list[str] = []
    runs = make_runs(tmp_path, lines)
    await runs.run()
    assert runs.failed == []
    assert [line for line in lines if line.endswith("running")] == [
        f"[{place}/4] {arm}/seed-3: running"
        for place, arm in enumerate(("trunk", "uninterrupted", "reset", "longer"), 1)
    ]
    phase_names = [line.partition(": ")[2].split()[0] for line in lines if " of 3, " in line]
    own_phases = ["imitate", "reinforce-1", "reinforce-2"]
    assert phase_names == ["imitate", "reinforce", "reinforce-2", "reinforce-2", *own_phases], lines
    trunk, plain, reset, longer = (
        RunFile.read(runs.run_dir(arm, 3)) for arm in (TRUNK, "uninterrupted", "reset", "longer")
    )
    for run in (plain, reset):
        assert run.records[:2] == trunk.records[:2], "the trunk's phases are not run again"
    assert longer.records[0].iterations == 4
    assert [record.kind for record in reset.records] == [
        "imitate",
        "reinforce",
        "reset",
        "reinforce",
    ]

    report = write_study(runs)
    assert report["missing"] == []
    rows = [
        orjson.loads(line) for line in (runs.folder / "results.jsonl").read_bytes().splitlines()
    ]
    assert [(row["arm"], row["seed"], row["tasks"]) for row in rows] == [
        ("uninterrupted", 3, 3),
        ("reset", 3, 3),
        ("longer", 3, 3),
    ]
    assert all(len(row["phases"][-1]["readings"]) == 1 for row in rows)
    assert report["arms"]["uninterrupted"]["difference"] is None
    assert report["arms"]["reset"]["difference"]["tasks"] == 3
    assert report["arms"]["reset"]["entropy_fixed"] > 0
    assert table_rows(report)[0][3] == "reference"
    assert "<svg" in (runs.folder / "study.html").read_text()

    lines.clear()
    await runs.run()
    assert {line.rpartition(" ")[2] for line in lines} == {"finished"}, "nothing is run again"


async def test_an_interrupted_run_goes_on_and_a_fork_is_not_finished(tmp_path: Path) -> None:
    runs = make_runs(tmp_path, [], seeds=[3])
    await runs._finish(TRUNK, 3, "a run")
    config = runs.study.run_config("reset", 3, runs.file)
    target = runs.run_dir("reset", 3)
    target.parent.mkdir()
    fork_run(runs.run_dir(TRUNK, 3), target, config)
    assert not is_finished(target)
    assert load_config(target / "config.toml") == config
    assert (
        load_checkpoint(target)["learner"]["steps"]
        == load_checkpoint(runs.run_dir(TRUNK, 3))["learner"]["steps"]
    )
    await runs._finish("reset", 3, "a run")
    assert is_finished(target)
    report = write_study(runs)
    assert report["missing"] == ["uninterrupted/seed-3", "longer/seed-3"]
    assert report["arms"]["reset"]["difference"] is None, "the reference has not run"
    assert table_rows(report)[0][1:3] == ["0", "not measured"]


async def test_a_run_that_fails_is_tried_again_and_then_left_out(tmp_path: Path) -> None:
    lines: list[str] = []
    runs = make_runs(tmp_path, lines)
    runs.command = (sys.executable, "-c", "raise SystemExit('the disk is full')")
    await runs._finish("longer", 3, "a run")
    assert runs.failed == ["longer/seed-3"]
    assert lines[-1].startswith("a run: failed 3 times; see ")
    assert "the disk is full" in (runs.folder / "longer/seed-3.log").read_text()
    runs.command = TRAIN
    await runs._finish("longer", 3, "a run")
    assert is_finished(runs.run_dir("longer", 3))


async def test_a_run_that_differs_before_its_end_is_not_forked(tmp_path: Path) -> None:
    runs = make_runs(tmp_path, [])
    await runs._finish(TRUNK, 3, "a run")
    source = runs.run_dir(TRUNK, 3)
    config = runs.study.run_config("longer", 3, runs.file)
    with pytest.raises(CannotFork, match=r"differs from .* in more than the phases behind it"):
        fork_run(source, tmp_path / "seed-3", config)
    with pytest.raises(CannotFork, match="must be called seed-3"):
        fork_run(source, tmp_path / "other", runs.study.run_config("reset", 3, runs.file))


async def test_settings_of_phases_behind_the_trunk_may_differ(tmp_path: Path) -> None:
    arm = {"schedule": ["imitate", "reinforce"], "overrides": ["reinforce.lr=1e-5"]}
    arms = {"plain": {"schedule": ["imitate", "reinforce"]}, "slower": arm}
    changes = {"trunk": ["imitate"], "arms": arms, "reference": "plain"}
    runs = make_runs(tmp_path, [], **changes)
    assert [runs.study.begins_with_trunk(name) for name in arms] == [True, True]
    await runs._finish(TRUNK, 3, "a run")
    await runs._finish("slower", 3, "a run")
    assert load_config(runs.run_dir("slower", 3) / "config.toml").reinforce.lr == 1e-5
    assert is_finished(runs.run_dir("slower", 3))


@pytest.mark.parametrize("status", ["finished", "interrupted"])
async def test_a_run_that_began_with_other_settings_stops_the_study(
    tmp_path: Path, status: str
) -> None:
    run_dir = write_run(make_runs(tmp_path, []), "reset", status)
    edited = make_runs(tmp_path, [], overrides=["reinforce.iterations=2", "env.tools=gui"])
    with pytest.raises(ConfigError) as refused:
        await edited.run()
    message = str(refused.value)
    assert message.startswith(f"arm reset, seed 3: {run_dir} was begun with other settings than ")
    assert "env.tools ('both' then, 'gui' now), reinforce.iterations (1 then, 2 now)" in message
    assert message.endswith("give the study another name, or delete the folder to run it again")
    assert not edited.run_dir(TRUNK, 3).exists(), "nothing has run"


def test_a_report_refuses_runs_of_other_settings(tmp_path: Path) -> None:
    run_dir = write_run(make_runs(tmp_path, []), "longer", "finished")
    file = make_runs(tmp_path, [], overrides=["reinforce.iterations=2"]).file
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    arguments = ["study", str(file), "--runs", str(tmp_path / "runs"), "--report"]
    result = CliRunner().invoke(app, arguments)
    assert isinstance(result.exception, ConfigError)
    assert f"arm longer, seed 3: {run_dir} was begun" in str(result.exception)


def test_a_study_goes_on_when_nothing_of_its_runs_changed(tmp_path: Path) -> None:
    runs = make_runs(tmp_path, [])
    config_file = write_run(runs, "reset", "interrupted") / "config.toml"
    # As of a version that did not have these keys yet.
    lines = config_file.read_text().splitlines(keepends=True)
    added = ("tree_options = ", "straggler_s = ")
    config_file.write_text("".join(line for line in lines if not line.startswith(added)))
    assert len(config_file.read_text().splitlines()) == len(lines) - 2
    make_runs(tmp_path, [], seeds=[3, 4]).check()


def test_a_run_without_a_checkpoint_is_begun_anew_with_the_new_settings(tmp_path: Path) -> None:
    run_dir = write_run(make_runs(tmp_path, []), "reset", "failed")
    (run_dir / "checkpoints/step-000001").rmdir()
    make_runs(tmp_path, [], overrides=["reinforce.iterations=2"]).check()


def test_a_run_whose_settings_cannot_be_read_is_named(tmp_path: Path) -> None:
    run_dir = write_run(make_runs(tmp_path, []), "reset", "finished")
    (run_dir / "config.toml").write_text("[env]\nscreens = 2")
    with pytest.raises(ConfigError, match=r"arm reset, seed 3: .* unknown key env\.screens"):
        make_runs(tmp_path, []).check()


async def test_a_study_goes_on_elsewhere_from_its_rows_alone(tmp_path: Path) -> None:
    (first_machine := tmp_path / "first").mkdir()
    (second_machine := tmp_path / "second").mkdir()
    long = {"schedule": ["imitate"]}
    short = long | {"overrides": ["imitate.updates=1"]}
    changes: dict[str, Any] = {"trunk": [], "arms": {"long": long, "short": short}}
    changes["reference"] = "long"
    runs = make_runs(first_machine, [], **changes)
    await runs.run()
    report = write_study(runs)
    assert str(first_machine) not in (runs.folder / ROWS).read_text()

    lines: list[str] = []
    folder = make_runs(second_machine, lines, **changes).folder
    folder.mkdir(parents=True)
    shutil.copy(runs.folder / ROWS, folder / ROWS)
    moved = make_runs(second_machine, lines, **changes)
    await moved.run()
    assert {line.rpartition(" ")[2] for line in lines} == {"finished"}, "nothing is run again"
    assert write_study(moved)["arms"] == report["arms"]
    assert (folder / ROWS).read_bytes() == (runs.folder / ROWS).read_bytes()

    fewer = make_runs(second_machine, lines, **changes | {"arms": {"long": long}})
    write_study(fewer)
    assert (folder / ROWS).read_bytes() == (runs.folder / ROWS).read_bytes(), "nothing is lost"

    edited = make_runs(second_machine, lines, **changes, overrides=["imitate.batch_steps=3"])
    message = r"seed 3: .*results\.jsonl was begun with other .* or delete its line to run it again"
    with pytest.raises(ConfigError, match=message):
        edited.check()


def test_a_policy_is_the_same_wherever_the_checkout_is(tmp_path: Path) -> None:
    source = tmp_path / "here/study.toml"
    config = load_config(None, [f"model.path={tmp_path}/here/policy"])
    row = {"arm": "reset", "seed": 3, "config": portable_settings(config, source)}
    assert row["config"]["model"]["path"] == "policy"
    moved = row_config(row, tmp_path / "there/study.toml")
    assert str(moved.model.path) == f"{tmp_path}/there/policy"


def test_a_line_that_is_no_row_is_named(tmp_path: Path) -> None:
    folder = make_runs(tmp_path, []).folder
    folder.mkdir(parents=True)
    (folder / ROWS).write_text('{"arm": "reset", "seed": 3}\n{"arm": ')
    with pytest.raises(ConfigError, match=r"results\.jsonl, line 2, is no row of a study"):
        make_runs(tmp_path, [])


def test_a_row_without_a_configuration_stands_for_no_run(tmp_path: Path) -> None:
    folder = make_runs(tmp_path, []).folder
    folder.mkdir(parents=True)
    (folder / ROWS).write_text('{"arm": "reset", "seed": 3, "success": 0.5}\n')
    assert make_runs(tmp_path, []).rows() == {}
