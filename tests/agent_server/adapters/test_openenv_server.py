"""OpenEnv's own client and validator accept the web gyms' server."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from agent_server.adapters.text_episode import (
    TextEpisode,
    describe_page,
    make_gym_task,
    shared_host,
)
from agent_server.episodes.compact import render
from envs.contract.observations import parse_tree
from envs.gyms.server.registry import get_web_gym
from envs.providers.local import free_port

pytestmark = pytest.mark.ecosystem
ROOT = Path(__file__).parents[3]
OPENENV = Path(sys.executable).with_name("openenv")
START_S = 90.0


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The application of the example's folder, as its openenv.yaml names it."""
    port = free_port()
    command = ["uvicorn", "server.app:app", "--port", str(port), "--log-level", "warning"]
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT / "examples" / "openenv",
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'examples' / 'openenv'}"},
    )
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + START_S
    try:
        while not _is_up(url):
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.2)
        yield url
    finally:
        process.terminate()
        process.wait(30)


def _is_up(url: str) -> bool:
    try:
        return httpx.get(f"{url}/health").status_code == 200
    except httpx.TransportError:
        return False


def run_validator(*arguments: str) -> str:
    done = subprocess.run(
        [OPENENV, "validate", *arguments], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_folder_passes_openenv_validate() -> None:
    report = run_validator(str(ROOT / "examples" / "openenv"), "--level", "static")
    assert "PASS  static.manifest" in report


def test_the_running_server_passes_openenv_validate(server: str) -> None:
    report = run_validator("--url", server, "--timeout", "60")
    assert '"passed": true' in report or "Verdict: PASS" in report


@pytest.mark.parametrize("template", ["price", "cheapest"])
def test_the_oracle_earns_1_and_who_does_nothing_0(server: str, template: str) -> None:
    from openenv.core import GenericEnvClient

    task = make_gym_task("shop", template, 7)
    oracle, mirror = get_web_gym("shop").oracle(task), TextEpisode(shared_host())
    try:
        with GenericEnvClient(base_url=server).sync() as client:
            first = client.reset(template=template, seed=7)
            nothing = client.step({"line": "done"})
            assert (nothing.reward, nothing.done) == (0, True)
            assert client.reset(template=template, seed=7).observation == first.observation
            mirror.reset(task)
            assert first.observation["instruction"] == task.instruction
            assert first.observation["page"] == describe_page(mirror.observation)
            assert client.state()["task"] == task.id
            while mirror.is_running:
                tree = mirror.observation.tree
                assert tree is not None
                action = oracle.move(mirror.observation).action
                step = client.step({"line": render("", action, parse_tree(tree.text))})
                mirror.step(action)
                assert step.observation["result"] == "ok" or step.done
                assert step.done is not mirror.is_running
            assert step.reward == 1
            assert client.state()["step_count"] == mirror.steps
    finally:
        mirror.close()


def test_two_clients_have_an_episode_each(server: str) -> None:
    from openenv.core import GenericEnvClient

    with (
        GenericEnvClient(base_url=server).sync() as first,
        GenericEnvClient(base_url=server).sync() as second,
    ):
        first.reset(template="price", seed=1)
        second.reset(template="price", seed=2)
        first.step({"line": "scroll down"})
        assert [first.state()["step_count"], second.state()["step_count"]] == [1, 0]
        assert first.state()["seed"] != second.state()["seed"]


def test_reset_step_and_state_are_answered_over_plain_http(server: str) -> None:
    with httpx.Client(base_url=server, timeout=60) as http:
        reset = http.post("/reset", json={"template": "price", "seed": 7}).json()
        assert reset["observation"]["instruction"] == make_gym_task("shop", "price", 7).instruction
        step = http.post("/step", json={"action": {"line": "clik Cart"}}).json()
        assert "cannot read the action" in step["observation"]["result"]
        assert (step["reward"], step["done"]) == (0, False)
        assert http.get("/state").json()["gym"] == "shop"
        assert http.post("/step", json={"action": {"text": "done"}}).status_code == 422
