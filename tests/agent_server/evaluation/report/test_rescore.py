"""`deskhand eval rescore`: verdicts made again from recorded evidence, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from agent_server.cli import evaluation_commands
from agent_server.evaluation.job.plan import EvalSpec, Evaluation
from agent_server.evaluation.job.results import read_trials
from envs.contract.outcomes import EndReason
from envs.gyms.server.registry import get_web_gym
from envs.state.bundle import pack_evidence
from envs.state.canonical import make_patch
from envs.state.evidence import Evidence, Measure, pack_value
from envs.state.gym_evidence import GymEvidence, session_hash, unpack
from envs.state.gym_evidence import pack as pack_gym_evidence
from tests.agent_server.evaluation.recorded_evaluation import End, record, task

TASKS = [("os", task(name)) for name in ("right", "wrong", "gym", "lost", "broken")]


def evidence(folder: Path, result: str, expected: str) -> bytes:
    """Of a task that compares a text with a file's."""
    (folder / "0").mkdir(exist_ok=True)
    (folder / "0/a.txt").write_text(result)
    measure = Measure(
        func="text_is", result=pack_value(folder / "0/a.txt", folder), expected=pack_value(expected)
    )
    return pack_evidence(Evidence(task_id="t", measures=(measure,)), folder)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    same, other = (evidence(tmp_path, "x", expected) for expected in ("x", "y"))
    ends = {
        "right": End(evidence=same),
        "wrong": End(score=1, evidence=other),
        "gym": End(score=1),
        "lost": End(lost=True, evidence=same),
        "broken": End(score=0, reason=EndReason.STEP_LIMIT, evidence=same[:40]),
    }
    folder = tmp_path / "run"
    record(folder, EvalSpec(policy="oracle"), TASKS,
           {("oracle", name, 0): end for name, end in ends.items()})  # fmt: skip
    return folder


def of_gym(answer: str | None) -> bytes:
    """Of an episode that left the shop as it was."""
    shop = get_web_gym("shop")
    made = shop.make_task("price", 3)
    state = shop.initial_state(made)
    return pack_gym_evidence(
        GymEvidence(
            task=made, answer=answer, infeasible=False, change=make_patch(state, state),
            state_hash=session_hash(made, state),
        )
    )  # fmt: skip


def rescored(*arguments: object) -> Any:
    app = typer.Typer()
    evaluation_commands.register(app)
    app.callback()(lambda: None)
    return CliRunner().invoke(app, ["eval", "rescore", *map(str, arguments)])


def scores(run: Path) -> dict[str, float | None]:
    return {trial.task_id: trial.score for trial in read_trials(run, Evaluation.read(run))}


def test_every_verdict_is_made_again_and_changes_are_named(run: Path, tmp_path: Path) -> None:
    before = scores(run)
    shown = rescored(run, "--json", tmp_path / "again.json")
    assert shown.exit_code == 0, shown.output
    assert "wrong trial 1 (oracle): 1 -> 0" in shown.output
    assert "lost trial 1 (oracle): no verdict -> 1" in shown.output
    assert "gym trial 1 (oracle): 1, not judged again: not recorded" in shown.output
    assert "broken trial 1 (oracle): 0, not judged again: the evidence cannot be" in shown.output
    assert "3 of 5 trials judged again, 2 changed" in shown.output
    assert "oracle: 3 solved -> 3" in shown.output
    assert scores(run) == before
    written = json.loads((run / "rescored.json").read_text())
    assert written == json.loads((tmp_path / "again.json").read_text())
    assert [trial["now"] for trial in written["trials"]] == [1, 0, None, 1, None]


def test_only_with_write_do_new_verdicts_take_the_place_of_the_recorded(run: Path) -> None:
    refused = rescored(run, "--write", "--compat")
    assert refused.exit_code == 2
    written = rescored(run, "--write")
    assert "1 recorded verdicts replaced" in written.output
    assert scores(run) == {"right": 1, "wrong": 0, "gym": 1, "lost": None, "broken": 0}
    assert (run / "rescored.json").is_file()


def test_upstream_s_defects_count_when_asked_for(tmp_path: Path) -> None:
    rule = {"type": "contain", "expected": "test.py"}
    measure = Measure(func="is_extension_installed", result=pack_value("mytest.py"),
                      expected=pack_value(rule))  # fmt: skip
    kept = pack_evidence(Evidence(task_id="t", measures=(measure,)), tmp_path)
    folder = tmp_path / "run"
    ends = {("oracle", "right", 0): End(score=0, evidence=kept)}
    record(folder, EvalSpec(policy="oracle"), TASKS[:1], ends)
    assert "0 changed" in rescored(folder).output
    assert "right trial 1 (oracle): 0 -> 1" in rescored(folder, "--compat").output
    assert (folder / "rescored-compat.json").is_file()


def test_a_gym_judges_again_what_its_server_s_state_became(tmp_path: Path) -> None:
    kept = of_gym("no price")
    changed = GymEvidence.model_validate(
        dict(unpack(kept) or {})
        | {"change": {"in": {"cart": {"is": []}, "x": {"is": 1}}, "out": []}}
    )
    folder, key = tmp_path / "run", ("oracle", "right", 0)
    record(folder, EvalSpec(policy="oracle"), TASKS[:1], {key: End(score=1, evidence=kept)})
    assert "right trial 1 (oracle): 1 -> 0" in rescored(folder).output
    other = tmp_path / "other"
    lying = {key: End(score=1, evidence=pack_gym_evidence(changed))}
    record(other, EvalSpec(policy="oracle"), TASKS[:1], lying)
    assert "not judged again: the state cannot be made again" in rescored(other).output
