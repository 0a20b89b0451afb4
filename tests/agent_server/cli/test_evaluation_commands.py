"""`deskhand eval show|compare|export` on recorded evaluations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from agent_server.cli import evaluation_commands
from agent_server.evaluation.figures.compare import NotComparable
from agent_server.evaluation.job.create import create_evaluation
from agent_server.evaluation.job.plan import EvalSpec, Evaluation
from agent_server.evaluation.job.runner import NothingToCancel
from agent_server.settings import Settings
from agent_server.store.store import Store
from envs.contract.outcomes import EndReason
from tests.agent_server.evaluation.recorded_evaluation import End, record, task

TASKS = [("mail", task("m1")), ("mail", task("m2")), ("files", task("f1"))]
WRONG = End(score=0, reason=EndReason.STEP_LIMIT)


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    def oracle(*ends: End) -> dict[Any, End]:
        names = [item.id for _, item in TASKS]
        return {("oracle", name, 0): end for name, end in zip(names, ends, strict=False)}

    spec = EvalSpec(policy="oracle")
    record(tmp_path / "a", spec, TASKS, oracle(End(), WRONG, WRONG))
    record(tmp_path / "b", spec, TASKS, oracle(End(), End(), WRONG))
    record(tmp_path / "c", spec, TASKS[:2], oracle(WRONG, End()))
    return tmp_path


def eval_(*arguments: object) -> Any:
    app = typer.Typer()
    evaluation_commands.register(app)
    app.callback()(lambda: None)
    texts = [str(item) for item in arguments]
    return CliRunner().invoke(app, ["eval", *texts], env={"COLUMNS": "200"})


def test_show_tells_rate_failures_and_stamp_and_writes_both_files(runs: Path) -> None:
    html, figures = runs / "a.html", runs / "a.json"
    shown = eval_("show", runs / "a", "--html", html, "--json", figures)
    assert shown.exit_code == 0, shown.output
    assert "ran out of steps" in shown.output
    assert "success 33.3%  [6.1%, 79.2%]  n=3  lost 0" in shown.output
    assert "commit 0123456789ab" in shown.output
    assert html.read_text().startswith("<!doctype html>")
    assert json.loads(figures.read_text())["policies"][0]["total"]["solved"] == 1


def test_compare_names_what_flipped(runs: Path) -> None:
    shown = eval_("compare", runs / "a", runs / "b", "--json", runs / "ab.json")
    assert shown.exit_code == 0, shown.output
    assert "only b: m2" in shown.output
    assert "a 33.3%  b 66.7%  difference +33.3%" in shown.output
    assert "p=1.0000 (McNemar)  3 tasks" in shown.output
    assert json.loads((runs / "ab.json").read_text())["only_second"] == ["m2"]


def test_compare_refuses_other_tasks_unless_forced_and_then_says_so(runs: Path) -> None:
    refused = eval_("compare", runs / "a", runs / "c")
    assert refused.exit_code == 1
    assert isinstance(refused.exception, NotComparable)
    assert "1 tasks only in the first: f1" in str(refused.exception)
    forced = eval_("compare", runs / "a", runs / "c", "--force")
    assert forced.exit_code == 0, forced.output
    assert "only the 2 common tasks are compared" in forced.output
    assert "a 50.0%  c 50.0%  difference +0.0%" in forced.output


@pytest.mark.parametrize("form", ["osworld", "inspect", "jsonl"])
def test_export_says_what_it_wrote(runs: Path, form: str) -> None:
    shown = eval_("export", runs / "a", "--to", runs / "out", "--format", form)
    assert shown.exit_code == 0, shown.output
    assert f"to {runs / 'out'}" in shown.output
    assert any((runs / "out").rglob("*.json*"))


def test_a_leaderboard_ranks_runs_and_writes_page_and_json(runs: Path) -> None:
    page, boards = runs / "board.html", runs / "board.json"
    shown = eval_(
        "leaderboard", runs / "a", runs / "b", runs / "c", "--html", page, "--json", boards
    )
    assert shown.exit_code == 0, shown.output
    assert shown.output.index("run b") < shown.output.index("run a")
    assert "2 tasks" in shown.output
    assert page.read_text().startswith("<!doctype html>")
    assert [len(board["entries"]) for board in json.loads(boards.read_text())] == [2, 1]


def test_a_second_contender_must_differ_and_be_able_to_run(runs: Path) -> None:
    for versus in ("oracle", "live", "nobody"):
        shown = eval_("--policy", "oracle", "--versus", versus, "--runs", runs)
        assert shown.exit_code == 2, shown.output
        assert "--versus" in shown.output


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("--policy", "orcale"), "did you mean oracle?"),
        (("--policy", "oracle", "--versus", "nop"), "did you mean noop?"),
        (("--policy", "oracle", "--gym", "shp"), "did you mean shop?"),
        (("--policy", "oracle", "--template", "cheapst"), "did you mean cheapest?"),
        (("--policy", "oracle", "--tools", "bth"), "did you mean both?"),
        (("--policy", "oracle", "--provider", "dcoker"), "did you mean docker?"),
        (("--policy", "stumbling"), "there is no 'stumbling'"),
        (("--policy", "oracle", "--until", "0.05"), "width=0.05"),
        (("--policy", "oracle", "--trials", "100000000"), "less than or equal to 1000"),
        (("--policy", "oracle", "--episodes", "9" * 20), "less than or equal to 100000"),
        (("--policy", "oracle", "--seed", "9" * 20), "less than or equal to"),
        (("--policy", "oracle", "--max-seconds", "1e9"), "less than or equal to 86400"),
        (("--gym", "shop"), "name it with --policy"),
    ],
)
def test_a_mistyped_option_is_told_what_is_near(
    tmp_path: Path, arguments: tuple[str, ...], hint: str
) -> None:
    shown = eval_(*arguments, "--runs", tmp_path / "runs")
    assert shown.exit_code == 2, shown.output
    assert hint in " ".join(shown.output.replace("│", "").split())
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize("option", [("--gym", "mail"), ("--template", "price"), ("--training",)])
def test_options_of_a_gym_are_refused_beside_task_files(
    tmp_path: Path, option: tuple[str, ...]
) -> None:
    shown = eval_("--policy", "oracle", "--tasks", tmp_path, *option)
    assert shown.exit_code == 2, shown.output
    assert option[0] in shown.output
    assert "leave it out" in shown.output


def test_a_missing_run_folder_is_told_what_is_near(runs: Path) -> None:
    (runs / "shop-mine").mkdir()
    refused = eval_("show", runs / "shop-min")
    assert refused.exit_code == 1
    assert "there is no such folder (did you mean shop-mine?)" in str(refused.exception)


@pytest.mark.parametrize(
    "command",
    [
        ("show", "a", "--json"),
        ("show", "a", "--html"),
        ("compare", "a", "b", "--json"),
        ("leaderboard", "a", "--html"),
        ("leaderboard", "a", "--json"),
        ("--policy", "oracle", "--json"),
        ("resume", "a", "--json"),
    ],
)
def test_a_file_that_could_not_be_written_is_refused_before_anything_runs(
    runs: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.chdir(runs)
    before = sorted(runs.iterdir())
    for path, complaint in (("none/file", "there is no folder none"), ("a", "a is a folder")):
        refused = eval_(*command, path)
        assert refused.exit_code == 2, refused.output
        assert complaint in refused.output
    assert sorted(runs.iterdir()) == before


def test_an_evaluation_that_has_ended_or_not_begun_stays_as_it_is_when_cancelled(
    runs: Path,
) -> None:
    plan = Evaluation.read(runs / "a")
    with Store.open(Settings(run_dir=runs / "a")) as store:
        store.runs.set_status(plan.run_id, "finished")
        refused = eval_("cancel", runs / "a")
        assert isinstance(refused.exception, NothingToCancel)
        run = store.runs.get(plan.run_id)
        assert run is not None
        assert run.status == "finished"
    create_evaluation(EvalSpec(policy="oracle", episodes=1), runs / "new")
    refused = eval_("cancel", runs / "new")
    assert "has not begun" in str(refused.exception)
