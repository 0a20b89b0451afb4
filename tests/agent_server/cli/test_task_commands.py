"""`deskhand tasks check`: exit code, report, JSON; `tasks versions`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer import Typer
from typer.testing import CliRunner

from agent_server.cli import task_commands
from envs.osworld.format.assets import asset_path

TASK: dict[str, Any] = {
    "id": "a",
    "instruction": "Compare.",
    "related_apps": ["libreoffice_calc"],
    "config": [
        {"type": "download", "parameters": {"files": [
            {"url": "https://a.example/b.xlsx", "path": "/home/user/b.xlsx"}]}},
        {"type": "login", "parameters": {}},
    ],
    "evaluator": {"func": "exact_match", "result": {"type": "vm_command_line", "command": ["ls"]},
                  "expected": {"type": "rule", "rules": {"expected": "a"}}},
}  # fmt: skip


def check(folder: Path, *arguments: str) -> tuple[int, str]:
    app = Typer()
    task_commands.register(app)
    result = CliRunner().invoke(
        app, ["tasks", "check", str(folder), *arguments], env={"COLUMNS": "200"}
    )
    return result.exit_code, result.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "os").mkdir()
    write(tmp_path, "a", TASK)
    return tmp_path


def write(folder: Path, name: str, data: Any) -> None:
    (folder / "os" / f"{name}.json").write_text(json.dumps(data))


def test_a_good_set_is_reported_with_what_it_uses_and_needs(folder: Path, tmp_path: Path) -> None:
    code, output = check(folder, "--json", str(tmp_path / "report.txt"))
    assert code == 0
    assert "1 of 1 task files load; 0 errors" in output
    report = json.loads((tmp_path / "report.txt").read_bytes())
    assert report["domains"] == {"os": 1}
    assert report["setup"] == {
        "download": {"uses": 1, "here": True},
        "login": {"uses": 1, "here": False},
    }
    assert report["getters"]["vm_command_line"] == {"uses": 1, "here": True}
    assert report["metrics"] == {"exact_match": {"uses": 1, "here": True}}
    assert report["needs"]["application"] == {"libreoffice": 1}
    assert report["unsupported"] == {
        "os/a.json": [
            "needs an account: Google (config[1])",
            "1 assets are not here, first https://a.example/b.xlsx "
            "(config[0].parameters.files[0].url)",
        ]
    }


def test_a_task_that_nothing_judges_cannot_be_evaluated(folder: Path, tmp_path: Path) -> None:
    unjudged = {key: value for key, value in TASK.items() if key != "evaluator"} | {"id": "b"}
    write(folder, "b", unjudged)
    _, printed = check(folder, "--unsupported")
    assert "os/b.json: " in printed
    assert "nothing judges it" in printed


def test_errors_are_told_and_end_with_code_1(folder: Path) -> None:
    write(folder, "b", TASK | {"id": "b", "config": [{"type": "fly"}]})
    code, output = check(folder)
    assert code == 1
    assert "os/b.json: config[0].type: no setup step 'fly'" in output
    assert "1 of 2 task files load; 1 errors" in output


def test_what_is_not_here_yet_is_an_error_only_when_strict(folder: Path) -> None:
    write(folder, "b", TASK | {"id": "b", "evaluator": {"func": "looks_nice"}})
    code, output = check(folder)
    assert code == 0
    assert "1 tasks with a getter or metric that is not here" in output
    code, output = check(folder, "--strict")
    assert code == 1
    assert "os/b.json: evaluator.func: no metric 'looks_nice'" in output


def test_a_mirror_takes_its_files_off_the_list(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror = tmp_path / "mirror"
    mirror.mkdir()
    asset_path("https://a.example/b.xlsx", mirror).touch()
    assert "assets are not here" in check(folder, "--unsupported")[1]
    monkeypatch.setenv("DESKHAND_ASSETS", str(mirror))
    output = check(folder, "--unsupported")[1]
    assert "os/a.json: needs an account: Google (config[1])" in output
    assert "assets are not here" not in output


def test_versions_are_listed_with_what_changed_in_them() -> None:
    app = Typer()
    task_commands.register(app)
    listed = CliRunner().invoke(app, ["tasks", "versions"]).output
    assert "osworld-verified-2026-04-nogdrive: 361 tasks" in listed
    changes = CliRunner().invoke(app, ["tasks", "versions", "osworld-verified-2026-04"]).output
    assert "chrome/" in changes
    assert "226 of 369" in changes
    refused = CliRunner().invoke(app, ["tasks", "versions", "osworld"])
    assert refused.exit_code == 1
    assert "osworld-verified-2026-04" in refused.output
