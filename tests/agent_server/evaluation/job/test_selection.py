"""Which tasks run here: every other one is listed with its reason, nothing is dropped silently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_server.evaluation.job.create import FolderTaken, create_evaluation
from agent_server.evaluation.job.plan import EvalSpec, Evaluation
from agent_server.evaluation.job.selection import NothingToRun, select_tasks
from agent_server.tasksets.files import TaskFileError
from envs.contract.task import HELDOUT_SEED_BASE

BUNDLED = Path(__file__).parents[4] / "tasksets" / "bundled" / "desktop"
GOOD: dict[str, Any] = {
    "instruction": "Make a file.",
    "evaluator": {
        "func": "exact_match",
        "result": {"type": "vm_command_line", "command": ["ls", "/home/user"]},
        "expected": {"type": "rule", "rules": {"expected": "a"}},
    },
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    def put(domain: str, name: str, **changes: Any) -> None:
        file = tmp_path / "tasks" / domain / f"{name}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"id": name, **GOOD, **changes}))

    put("os", "unjudged", evaluator=None)
    put("os", "ungraded", evaluator={"func": "no_such_metric"})
    put("os", "live", instruction="Look at https://www.example.com/ for it.")
    put("files", "plain", evaluator={"func": "infeasible"})
    put("files", "scripted", evaluator={"func": "infeasible"}, oracle={"api": []})
    return tmp_path / "tasks"


def spec_of(folder: Path, **more: Any) -> EvalSpec:
    return EvalSpec(**{"policy": "noop", "tasks": str(folder), **more})


def test_what_cannot_run_here_is_listed_with_every_reason(folder: Path) -> None:
    selection = select_tasks(spec_of(folder), None)
    assert len(selection.tasks) == 5
    reasons = {task.id: " ".join(task.reasons) for task in selection.unsupported}
    assert reasons.keys() == {"unjudged", "ungraded", "live"}
    assert "nothing judges it" in reasons["unjudged"]
    assert "unknown metric 'no_such_metric' (evaluator.func)" in reasons["ungraded"]
    assert "needs the internet: www.example.com" in reasons["live"]
    assert {domain for domain, _ in selection.tasks} == {"os", "files"}


@pytest.mark.parametrize("provider", ["docker", "qemu"])
def test_a_program_of_this_machine_is_none_of_a_desktop_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, provider: str
) -> None:
    command = tmp_path / "code"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    for name, app in (("a", "vscode"), ("b", "gimp")):
        task = {"id": name, **GOOD, "related_apps": [app]}
        (tmp_path / f"{name}.json").write_text(json.dumps(task))

    def not_run(**more: Any) -> set[str]:
        return {task.id for task in select_tasks(spec_of(tmp_path, **more), None).unsupported}

    assert not_run() == set()
    assert not_run(provider=provider, image="desktop.qcow2") == {"a"}


def test_the_oracle_runs_where_there_is_one(folder: Path) -> None:
    selection = select_tasks(spec_of(folder, policy="oracle"), None)
    reasons = {task.id: task.reasons for task in selection.unsupported}
    assert reasons["plain"] == ("task plain has no api oracle",)
    assert "scripted" not in reasons
    with pytest.raises(NothingToRun, match="none of the 5 tasks can run here"):
        select_tasks(spec_of(folder, policy="oracle", tools="gui"), None)


def test_a_kept_solution_is_the_oracle_of_its_task(folder: Path) -> None:
    name, file = "215dfd39-f493-4bc3-a027-8a97d72c61bf", folder / "os" / "cone.json"
    file.write_text(json.dumps({**GOOD, "id": name}))
    run = {task.id for task in select_tasks(spec_of(folder, policy="oracle"), None).unsupported}
    assert name not in run
    with pytest.raises(NothingToRun, match=f"{name}|none of the 6"):
        select_tasks(spec_of(folder, policy="oracle", tools="gui"), None)


def test_broken_files_stop_everything_unless_they_are_to_be_skipped(folder: Path) -> None:
    (folder / "os" / "torn.json").write_text("{")
    (folder / "os" / "wrong.json").write_text(json.dumps({**GOOD, "id": 7}))
    with pytest.raises(TaskFileError, match=r"(?s)torn\.json.*wrong\.json"):
        select_tasks(spec_of(folder), None)
    selection = select_tasks(spec_of(folder, skip_broken=True), None)
    assert len(selection.tasks) == 5
    assert len(selection.broken) == 2
    for file in folder.rglob("*.json"):
        file.write_text("{")
    with pytest.raises(TaskFileError):
        select_tasks(spec_of(folder, skip_broken=True), None)


def test_a_split_list_chooses(folder: Path) -> None:
    (folder.parent / "small.json").write_text(json.dumps({"files": ["scripted"]}))
    selection = select_tasks(spec_of(folder, split="small.json"), None)
    assert [task.id for _, task in selection.tasks] == ["scripted"]


def test_tasks_of_a_gym_are_held_out_and_their_domain_is_their_template() -> None:
    selection = select_tasks(
        EvalSpec(policy="oracle", episodes=4, templates=("cheapest", "checkout")), None
    )
    assert [domain for domain, _ in selection.tasks] == ["cheapest", "checkout"] * 2
    assert all(task.seed >= HELDOUT_SEED_BASE for _, task in selection.tasks)
    assert selection.unsupported == ()


def test_training_tasks_are_chosen_where_the_specification_says_so() -> None:
    spec = EvalSpec(policy="oracle", gym="shop", episodes=6, training=True)
    tasks = [task for _, task in select_tasks(spec, None).tasks]
    assert {task.split for task in tasks} == {"train"}
    assert all(task.seed is not None and task.seed < HELDOUT_SEED_BASE for task in tasks)


def test_the_bundled_desktop_tasks_can_all_run_on_a_desktop() -> None:
    selection = select_tasks(EvalSpec(policy="oracle", tasks=str(BUNDLED)), None)
    assert len(selection.tasks) >= 95
    assert selection.unsupported == ()


def test_a_name_is_taken_once_and_nothing_is_written_for_what_cannot_run(
    folder: Path, tmp_path: Path
) -> None:
    sentences = create_evaluation(spec_of(folder, trials=2, controls=True), tmp_path / "runs" / "a")
    assert "2 tasks x 2 trials = 4 episodes of noop" in sentences
    assert "2 more of the controls infeasible" in sentences
    assert any(line.startswith("3 tasks cannot run here") for line in sentences)
    evaluation = Evaluation.read(tmp_path / "runs" / "a")
    assert [task.id for task in evaluation.tasks] == ["plain", "scripted"]
    with pytest.raises(FolderTaken, match="give another --name"):
        create_evaluation(spec_of(folder), tmp_path / "runs" / "a")
    with pytest.raises(NothingToRun):
        create_evaluation(spec_of(folder, policy="oracle", tools="gui"), tmp_path / "runs" / "b")
    assert not (tmp_path / "runs" / "b").exists()
