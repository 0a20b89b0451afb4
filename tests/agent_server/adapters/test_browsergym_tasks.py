"""BrowserGym itself shows the web gyms' pages and gets their verdicts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent_server.adapters.text_episode import TextEpisode, make_gym_task, shared_host
from envs.contract.actions import Action, Click, Done, SetValue, Type
from envs.contract.observations import TreeLine, parse_tree
from envs.gyms.server.registry import get_web_gym

pytestmark = pytest.mark.ecosystem
SEED = 7
ROLES = {"box": {"textbox", "searchbox", "spinbutton"}, "select": {"combobox"}}
"""BrowserGym's roles of what a tree calls otherwise."""


@pytest.fixture(scope="module")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The system's Chromium in the place where Playwright looks for its own: BrowserGym's chat
    window takes no other."""
    import playwright

    chromium = shutil.which("chromium") or shutil.which("chromium-headless-shell")
    assert chromium is not None
    driver = Path(playwright.__file__).parent / "driver" / "package" / "browsers.json"
    entries = json.loads(driver.read_text())["browsers"]
    revision = next(entry["revision"] for entry in entries if entry["name"] == "chromium")
    home = tmp_path_factory.mktemp("browsers")
    program = home / f"chromium-{revision}" / "chrome-linux" / "chrome"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {chromium} "$@"\n')
    program.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(home))
        patch.setenv("PLAYWRIGHT_SKIP_VALIDATE_HOST_REQUIREMENTS", "1")
        yield


def find_bid(observation: dict[str, Any], line: TreeLine) -> str:
    """BrowserGym's number of an element that our tree shows."""
    roles = ROLES.get(line.role, {line.role})
    bids = [
        node["browsergym_id"]
        for node in observation["axtree_object"]["nodes"]
        if node.get("browsergym_id")
        and node["role"]["value"] in roles
        and node.get("name", {}).get("value", "") == line.name
    ]
    assert bids, f"BrowserGym shows no {line.role} {line.name!r}"
    return str(bids[0])


def actions_for(action: Action, observation: dict[str, Any], lines: list[TreeLine]) -> list[str]:
    """BrowserGym's actions for an oracle's."""
    if isinstance(action, Done):
        return [f"send_msg_to_user({action.answer or 'done'!r})"]
    assert isinstance(action, Click | Type | SetValue), action
    assert action.target is not None
    target = action.target
    bid = find_bid(observation, next(line for line in lines if line.ref == target.ref))
    if isinstance(action, Click):
        return [f"click({bid!r})"]
    if isinstance(action, SetValue):
        return [f"select_option({bid!r}, {action.value!r})"]
    return [f"fill({bid!r}, {action.text!r})", *([f"press({bid!r}, 'Enter')"] * action.submit)]


@pytest.mark.usefixtures("browsers")
@pytest.mark.parametrize("template", ["price", "cheapest"])
def test_the_oracle_earns_1_and_who_does_nothing_0(template: str) -> None:
    """The oracle looks at the same episode on our own host, step by step."""
    import gymnasium

    from agent_server.adapters.browsergym_tasks import register_tasks

    assert f"browsergym/deskhand.shop.{template}" in register_tasks()
    env = gymnasium.make(f"browsergym/deskhand.shop.{template}", pre_observation_delay=0.1)
    task = make_gym_task("shop", template, SEED, tools="gui")
    oracle, mirror = get_web_gym("shop").oracle(task), TextEpisode(shared_host())
    try:
        seen, _ = env.reset(seed=SEED)
        assert seen["goal"] == task.instruction
        _, reward, ended, _, _ = env.step("send_msg_to_user('done')")
        assert (reward, ended) == (0, True)
        seen, _ = env.reset(seed=SEED)
        mirror.reset(task)
        reward, ended = 0.0, False
        while not ended:
            tree = mirror.observation.tree
            assert tree is not None
            action = oracle.move(mirror.observation).action
            assert (reward, ended) == (0, False)
            for text in actions_for(action, seen, parse_tree(tree.text)):
                seen, reward, ended, _, details = env.step(text)
                assert seen["last_action_error"] == "", (text, seen["last_action_error"])
            mirror.step(action)
        assert reward == 1
        assert details["task_info"]["success"] is True
    finally:
        env.close()
        mirror.close()


@pytest.mark.usefixtures("browsers")
def test_a_task_given_up_is_judged_once() -> None:
    import gymnasium

    from agent_server.adapters.browsergym_tasks import register_tasks

    register_tasks()
    env = gymnasium.make(
        "browsergym/deskhand.shop.price", task_kwargs={"split": "test"}, pre_observation_delay=0.1
    )
    try:
        _, info = env.reset(seed=SEED)
        assert info["task_info"]["task"] == make_gym_task("shop", "price", SEED, "test").id
        _, reward, ended, _, details = env.step("report_infeasible('there is no such thing')")
        assert (reward, ended, details["task_info"]["success"]) == (0, True, False)
    finally:
        env.close()
