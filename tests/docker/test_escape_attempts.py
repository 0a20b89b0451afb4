"""Attempts of programs on a Docker desktop, started as an agent starts them: those of bubblewrap
boxes (each works without a box where that is harmless), and none gets out."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from envs.client import RemoteSession
from envs.contract.actions import Tool
from envs.contract.observations import Observe
from envs.contract.task import Task
from envs.providers.boxes import RUN_LABEL, DockerConfig
from envs.providers.docker import DockerProvider
from tests.envs.providers.escape_attempts import ATTEMPTS, REACHED, RUNNER, Attempt
from tests.envs.providers.escape_controls import WAIT_S, machine, sources, unboxed

__all__ = ["machine", "unboxed"]
pytestmark = [pytest.mark.docker, pytest.mark.timeout(900)]

ELSEWHERE = {
    "an interface beside loopback",
    "a route to the outside",
    "find a file of the machine by its name",
}
"""Shown in test_escape.py: a container has an interface and a route, and a rule that rejects what
it sends; and the search of a machine's folders takes long."""
KNOWN = {"read /sys"}
"""What Docker shows to each container, read-only."""
HARMLESS = "/proc/pressure/"
"""Writable for everybody in a container: it asks to be told when the processor is short."""
CHOSEN = [attempt for attempt in ATTEMPTS if attempt.name not in ELSEWHERE | KNOWN]
COMMAND = (
    "python", "-m", "envs.host", "--env", "desktop", "--port", "8200", "--bind", "0.0.0.0",
    "--allow-shell",
)  # fmt: skip
NOTHING = Observe(tree=False)
TASK = Task(id="empty", instruction="nothing", env="desktop")


async def use_tool(session: RemoteSession, name: str, **arguments: Any) -> Any:
    (result,) = (await session.step([Tool(name=name, arguments=arguments)], NOTHING)).results
    assert result.ok, result
    return result.value


@pytest.fixture(scope="module")
def boxed(engine: Any, desktop_image: str, machine: dict[str, Any]) -> dict[str, str]:
    """Outputs in a box; its host still answers."""

    async def run() -> dict[str, str]:
        config = DockerConfig(env="desktop", command=COMMAND)
        async with DockerProvider(config) as provider, provider.lease() as host:
            (box,) = engine.containers.list(filters={"label": f"{RUN_LABEL}={provider.run}"})
            session = await host.open("desktop")
            await session.reset(TASK, NOTHING)
            for path, text in (("runner.py", RUNNER), ("given.json", json.dumps(sources(machine)))):
                await use_tool(session, "files.write", path=f"/home/user/{path}", text=text)
            script = "VICTIM=1 setsid /usr/bin/python3 runner.py given.json answers.json"
            await use_tool(session, "shell.run", command=f"{script} > runner.log 2>&1 &")
            deadline = time.monotonic() + WAIT_S
            while (read := box.exec_run(["cat", "/home/user/answers.json"])).exit_code:
                log = box.exec_run(["cat", "/home/user/runner.log"]).output
                assert time.monotonic() < deadline, log
                await asyncio.sleep(0.5)
            outputs: dict[str, str] = json.loads(read.output)
            await session.reset(TASK, NOTHING)
            output = await use_tool(session, "shell.run", command="echo well")
            assert output["output"] == "well\n"
            await session.close()
            return outputs

    return asyncio.run(run())


@pytest.mark.parametrize("attempt", CHOSEN, ids=lambda attempt: attempt.name)
def test_an_attempt_works_outside_and_fails_inside(
    attempt: Attempt, unboxed: dict[str, str], boxed: dict[str, str]
) -> None:
    if attempt.name in unboxed:
        assert REACHED in unboxed[attempt.name], f"no control: {unboxed[attempt.name]}"
    lines = [line for line in boxed[attempt.name].splitlines() if HARMLESS not in line]
    assert REACHED not in "\n".join(lines)
    assert "SyntaxError" not in boxed[attempt.name]
    assert "NameError" not in boxed[attempt.name]


def test_there_are_enough_of_them() -> None:
    shown = [attempt for attempt in CHOSEN if attempt.control != "none"]
    assert len(shown) >= 40


BOMB = """
import time
kept = [b"x" * (1 << 24) for _ in range(80)]
time.sleep(600)
"""
"""1280 MB, of 1228 that programs may take of 2048."""


async def test_a_memory_bomb_ends_the_episode_and_not_the_container(
    engine: Any, desktop_image: str
) -> None:
    config = DockerConfig(env="desktop", command=COMMAND, memory_mb=2048, tmpfs_mb=128, shm_mb=64)
    async with DockerProvider(config) as provider, provider.lease() as host:
        session = await host.open("desktop")
        await session.reset(TASK, NOTHING)
        await use_tool(session, "files.write", path="/home/user/bomb.py", text=BOMB)
        start = Tool(
            name="shell.run",
            arguments={"command": "setsid python3 bomb.py > /dev/null 2>&1 & sleep 0.2"},
        )
        reply = await session.step([start], NOTHING)
        deadline = time.monotonic() + WAIT_S
        idle = Tool(name="shell.run", arguments={"command": "sleep 0.2"})
        while reply.exceeded is None and time.monotonic() < deadline:
            reply = await session.step([idle], NOTHING)
        assert (reply.exceeded or "").startswith("memory: "), reply
        await session.reset(TASK, NOTHING)
        assert (await use_tool(session, "shell.run", command="echo well"))["output"] == "well\n"
        assert len(engine.containers.list(filters={"label": f"{RUN_LABEL}={provider.run}"})) == 1
        await session.close()
