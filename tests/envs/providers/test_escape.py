"""Attempts to get out of a bubblewrap box: each works without one where that is harmless, and fails
inside. The host of the box answers before and after."""

from __future__ import annotations

import asyncio
import json
import shutil
import time
from typing import Any

import pytest

from tests.envs.desktop_box import desktop_box, desktop_user
from tests.envs.providers.escape_attempts import ATTEMPTS, REACHED, RUNNER, Attempt
from tests.envs.providers.escape_controls import WAIT_S, machine, sources, unboxed

__all__ = ["machine", "unboxed"]
pytestmark = [pytest.mark.desktop, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def boxed(machine: dict[str, Any]) -> dict[str, str]:
    """Outputs in a box; its host still answers."""

    async def run() -> dict[str, str]:
        async with desktop_user(box) as user:
            (user.home / "runner.py").write_text(RUNNER)
            (user.home / "attempts.json").write_text(json.dumps(sources(machine)))
            script = "VICTIM=1 setsid /usr/bin/python3 runner.py attempts.json answers.json"
            await user.tool("shell.run", command=f"{script} > runner.log 2>&1 &")
            deadline = time.monotonic() + WAIT_S
            while not (user.home / "answers.json").exists():
                assert time.monotonic() < deadline, (user.home / "runner.log").read_text()
                await asyncio.sleep(0.2)
            outputs: dict[str, str] = json.loads((user.home / "answers.json").read_text())
            await user.reset()
            assert (await user.tool("shell.run", command="echo well"))["output"] == "well\n"
            return outputs

    with desktop_box("--allow-shell") as box:
        return asyncio.run(run())


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.name)
def test_an_attempt_works_outside_and_fails_inside(
    attempt: Attempt, unboxed: dict[str, str], boxed: dict[str, str]
) -> None:
    if attempt.name in unboxed:
        assert REACHED in unboxed[attempt.name], f"no control: {unboxed[attempt.name]}"
    assert REACHED not in boxed[attempt.name]
    assert "SyntaxError" not in boxed[attempt.name]
    assert "NameError" not in boxed[attempt.name]


def test_there_are_enough_of_them() -> None:
    assert len(ATTEMPTS) >= 60
    assert len({attempt.name for attempt in ATTEMPTS}) == len(ATTEMPTS)
    assert shutil.which("bwrap")
