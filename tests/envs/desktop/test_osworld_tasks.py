"""Tasks in OSWorld's format on a real desktop: nothing done scores 0, a scripted solution 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from envs.contract.observations import Observe
from envs.contract.task import Task
from tasksets.desktop.actions import click, finish, key, tool
from tasksets.desktop.oracle import ActionListOracle
from tasksets.desktop.template import Json
from tests.envs.desktop_box import DesktopUser

pytestmark = pytest.mark.desktop

CHROME = {"command": ["google-chrome", "--remote-debugging-port=1337"]}
RESTARTED = [("launch", {"command": ["pkill", "chrome"]}), ("launch", CHROME)]


def keys(python: str, *pressed: str) -> tuple[str, Json]:
    code = f"import pyautogui; pyautogui.hotkey({', '.join(map(repr, pressed))})"
    return "execute", {"command": [python, "-c", code]}


def steps(*given: tuple[str, Json]) -> list[Json]:
    return [{"type": kind, "parameters": parameters} for kind, parameters in given]


def rule(**rules: Any) -> Json:
    return {"type": "rule", "rules": rules}


FOLDER_ON_THE_BAR = (
    steps(("launch", CHROME)),
    {
        "postconfig": steps(*RESTARTED),
        "func": "is_expected_bookmarks",
        "result": {"type": "bookmarks"},
        "expected": rule(type="bookmark_bar_folders_names", names=["Recipes"]),
    },
    [tool("chromium.add_bookmark_folder", folder="Recipes"), finish()],
)
"""The browser is told to end before it would have written the bookmark."""
DATA_OF_SITES = (
    steps(("launch", CHROME)),
    {
        "postconfig": steps(*RESTARTED),
        "func": "exact_match",
        "result": {"type": "data_delete_automacally"},
        "expected": rule(expected="true"),
    },
    [
        tool("chromium.navigate", url="chrome://settings/content/siteData"),
        click("Delete data sites have saved", "radio"),
        finish(),
    ],
)
"""Clicked on Chromium's settings page, whose parts are below menus and boxes without a size."""
VISITS = (
    steps(
        (
            "update_browse_history",
            {
                "history": [
                    {
                        "url": f"https://{site}.example/",
                        "title": site,
                        "visit_time_from_now_in_seconds": ago,
                    }
                    for site, ago in (("rain", 100), ("sun", 200), ("rain", 300))
                ]
            },
        ),
        ("launch", CHROME),
    ),
    {
        "postconfig": steps(*RESTARTED),
        "func": "check_history_deleted",
        "result": {"type": "history", "dest": "history.sqlite"},
        "expected": rule(type="keywords", keywords=["rain"]),
    },
    [tool("chromium.delete_history", text="rain"), finish()],
)
DOCKS = (
    steps(("launch", {"command": ["gimp"]})),
    {
        "postconfig": steps(keys("python3", "ctrl", "q"), ("sleep", {"seconds": 0.5})),
        "func": "check_config_status",
        "result": {"type": "gimp_config_file", "file_name": "sessionrc", "dest": "sessionrc"},
        "expected": rule(key="hide-docks", value="yes"),
    },
    [key("Tab"), finish()],
)
"""GIMP writes the file when the keys of the evaluator end it."""
TERMINAL = (
    [],
    {
        "postconfig": steps(keys("python", "ctrl", "alt", "t"), ("sleep", {"seconds": 0.7})),
        "func": "check_include_exclude",
        "result": {"type": "vm_terminal_output"},
        "expected": rule(include=["welcome home"], exclude=[]),
    },
    [tool("files.append", path="~/.bashrc", text="echo welcome home\n"), finish()],
)


@pytest.mark.parametrize(
    ("config", "evaluator", "script"),
    [FOLDER_ON_THE_BAR, DATA_OF_SITES, VISITS, DOCKS, TERMINAL],
    ids=["folder on the bar", "data of sites", "visits", "docks", "terminal"],
)
async def test_nothing_done_scores_0_and_the_solution_1(
    user: DesktopUser, config: list[Json], evaluator: Json, script: Sequence[Json]
) -> None:
    task = Task(id="t", instruction="", env="desktop", config=config, evaluator=evaluator)
    await user.reset(task)
    assert (await user.session.evaluate()).score == 0
    seen, oracle = await user.reset(task, Observe()), ActionListOracle(script)
    while (action := oracle.move(seen).action).type != "done":
        reply = await user.session.step([action], Observe())
        assert reply.results[0].ok, reply.results[0]
        seen = reply.observation
    assert (await user.session.evaluate()).score == 1
