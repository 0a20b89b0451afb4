"""What tasks need, where the file says so, and what an installation lacks of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envs.contract.task import Task
from envs.osworld.format.assets import asset_path
from envs.osworld.format.requirements import (
    DESKTOP_IMAGE,
    LIVE,
    Requirement,
    task_requirements,
    unsupported_reasons,
)

BOOK = "https://files.example/a/book.xlsx"
GOLD = "https://files.example/a/gold.xlsx"


def task(config: list[dict[str, Any]] | None = None, **more: Any) -> Task:
    return Task(id="t", instruction="Do it.", env="desktop", config=config or [], **more)


def step(kind: str, **parameters: Any) -> dict[str, Any]:
    return {"type": kind, "parameters": parameters}


OFFICE = task(
    [step("download", files=[{"url": BOOK, "path": "/home/user/book.xlsx"}])],
    related_apps=["libreoffice_calc", "os"],
    evaluator={
        "func": "compare_table",
        "result": {"type": "vm_file", "path": "/home/user/book.xlsx", "dest": "book.xlsx"},
        "expected": {"type": "cloud_file", "path": GOLD, "dest": "gold.xlsx"},
    },
)


def test_files_and_applications_with_the_path_that_names_them() -> None:
    assert task_requirements(OFFICE) == [
        Requirement("application", "libreoffice", "related_apps[0]"),
        Requirement("asset", BOOK, "config[0].parameters.files[0].url"),
        Requirement("asset", GOLD, "evaluator.expected.path"),
    ]


@pytest.mark.parametrize(
    ("needy_task", "expected"),
    [
        (task([step("chrome_open_tabs", urls_to_open=["https://www.nba.com/a"])]),
         Requirement("network", "www.nba.com", "config[0].parameters.urls_to_open[0]")),
        (task(evaluator={"func": "f", "result": {"type": "active_tab_html_parse"}}),
         Requirement("network", LIVE, "evaluator.result")),
        (task(evaluator={"func": ["f"], "expected": [{"type": "pdf_from_url",
                                                      "path": "https://a.example/b"}]}),
         Requirement("network", "a.example", "evaluator.expected[0].path")),
        (task([step("googledrive", settings_file="a.yml", operation=["delete"], args=[{}])]),
         Requirement("account", "Google", "config[0]")),
        (task([step("launch", command=["code", "/home/user/a.py"])]),
         Requirement("application", "vscode", "config[0].parameters.command")),
        (task([step("execute", command="gsettings get org.gnome.a b", shell=True)]),
         Requirement("gnome", "gsettings", "config[0].parameters.command")),
        (task([step("command", command="echo {CLIENT_PASSWORD} | sudo -S ls", shell=True)]),
         Requirement("root", "sudo", "config[0].parameters.command")),
        (task(evaluator={"func": "f", "result": {"type": "vm_command_line",
                                                 "command": ["timedatectl"]}}),
         Requirement("systemd", "timedatectl", "evaluator.result.command")),
        (task([step("execute", command=["python", "-c", "import pyautogui; p.click(170, 250)"])]),
         Requirement("screen", "click(170, ...", "config[0].parameters.command")),
        (task(evaluator={"func": "f", "postconfig": [step("execute", command=["wmctrl", "-l"])]}),
         Requirement("window manager", "wmctrl", "evaluator.postconfig[0].parameters.command")),
        (task(evaluator={"func": "check_gnome_favorite_apps"}),
         Requirement("gnome", "the dock", "evaluator.func")),
        (task(proxy=True), Requirement("proxy", "sites that refuse data centres", "proxy")),
    ],
)  # fmt: skip
def test_each_kind_of_need(needy_task: Task, expected: Requirement) -> None:
    assert expected in task_requirements(needy_task)


def test_a_page_of_the_browser_itself_needs_no_network() -> None:
    def address(url: str) -> dict[str, Any]:
        return {"type": "rule", "rules": {"expected": [f"^{url}$"]}}

    needy_task = task(evaluator={
        "func": ["f", "f"],
        "result": [{"type": "active_url_from_accessTree"}, {"type": "url_dashPart"}],
        "expected": [address("chrome://settings/languages"), address("https://a.example")],
    })  # fmt: skip
    assert task_requirements(needy_task) == [Requirement("network", LIVE, "evaluator.result[1]")]


def test_a_task_that_needs_nothing() -> None:
    plain = task([step("launch", command=["gimp"]), step("execute", command=["ls", "/"])])
    assert [need.kind for need in task_requirements(plain)] == ["application"]
    assert unsupported_reasons(plain, DESKTOP_IMAGE) == []


def test_addresses_on_the_machine_itself_are_no_network() -> None:
    assert (
        task_requirements(task([step("chrome_open_tabs", urls_to_open=["http://localhost:80/"])]))
        == []
    )


def test_a_task_can_run_once_the_mirror_has_its_files(tmp_path: Path) -> None:
    inventory = replace(DESKTOP_IMAGE, assets=tmp_path)
    asset_path(BOOK, tmp_path).touch()
    (reason,) = unsupported_reasons(OFFICE, inventory)
    assert reason == f"1 assets are not here, first {GOLD} (evaluator.expected.path)"
    asset_path(GOLD, tmp_path).touch()
    assert unsupported_reasons(OFFICE, inventory) == []


def test_every_reason_is_told_with_its_path() -> None:
    needy_task = task(
        [step("launch", command=["code"]), step("login", platform="googledrive"),
         step("execute", command="yq . a", shell=True)],
    )  # fmt: skip
    assert unsupported_reasons(needy_task, DESKTOP_IMAGE) == [
        "needs an account: Google (config[1])",
        "needs vscode (config[0].parameters.command)",
        "needs the program yq (config[2].parameters.command)",
    ]
