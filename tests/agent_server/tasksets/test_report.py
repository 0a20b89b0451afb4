"""The report counts what a task set is made of and what is missing for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_server.tasksets.files import read_tasks
from agent_server.tasksets.report import local_inventory, report_on


def write(folder: Path, name: str, **fields: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    data = {"id": name, "instruction": "x", "evaluator": {"func": "infeasible"}} | fields
    (folder / f"{name}.json").write_text(json.dumps(data))


def test_parts_are_counted_and_unknown_ones_named(tmp_path: Path) -> None:
    sleep = {"type": "sleep", "parameters": {"seconds": 1}}
    write(tmp_path / "os", "a", config=[sleep, sleep])
    write(tmp_path / "os", "b", evaluator={"func": "no_such_metric"})
    write(tmp_path / "gimp", "c", config="no list")
    report = report_on(read_tasks(tmp_path), None)
    assert (report.files, report.tasks, len(report.errors)) == (3, 2, 1)
    assert report.domains == {"os": 2}
    assert report.steps == {"sleep": 2}
    assert report.incomplete_count == 1
    (part,) = report.absent["os/b.json"]
    assert (part.kind, part.name) == ("metric", "no_such_metric")
    as_json = report.as_json()
    assert as_json["setup"] == {"sleep": {"uses": 2, "here": True}}
    assert as_json["metrics"]["no_such_metric"]["here"] is False


def test_programs_of_this_machine_count_as_installed(tmp_path: Path) -> None:
    launch = {"type": "launch", "parameters": {"command": ["python3", "x.py"]}}
    write(tmp_path / "os", "a", config=[launch])
    inventory = local_inventory(read_tasks(tmp_path).tasks, None)
    assert inventory.assets is None


def test_vs_code_is_there_where_its_command_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "vs_code", "a", related_apps=["vscode"])
    tasks = read_tasks(tmp_path).tasks
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "vscode" not in local_inventory(tasks, None).applications
    command = tmp_path / "code"
    command.write_text("#!/bin/sh\n")
    command.chmod(0o755)
    assert "vscode" in local_inventory(tasks, None).applications
