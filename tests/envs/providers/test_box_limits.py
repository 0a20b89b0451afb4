"""Bombs in a real box: the task's programs end, the reason is told, and the host lives on."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from envs.contract.actions import Tool
from envs.contract.session import StepReply
from envs.desktop.limits import BoxLimits
from envs.io.control_groups import enter
from envs.providers.box_limits import SPARE_PROCESSES, groups_of_box
from tests.envs.desktop_box import NOTHING, Box, DesktopUser, desktop_box, desktop_user

pytestmark = pytest.mark.desktop
WAIT_S = 120.0
FORKS = """
import os, time
for _ in range(3000):
    try:
        if os.fork() == 0:
            time.sleep(600)
    except OSError:
        time.sleep(0.01)
time.sleep(600)
"""
"""Bounded, for a machine on which no limit holds."""
MEMORY = """
import time
kept = [b"x" * (1 << 24) for _ in range(64)]
time.sleep(600)
"""
DISK = """
import os, time
files = []
for number in range(4):
    name = f"/home/user/large{{number}}"
    files.append(open(name, "wb", 0))
    {unlink}
    for _ in range(4):
        files[-1].write(os.urandom(1 << 20) * 16)
time.sleep(600)
"""
"""One file alone is bounded by RLIMIT_FSIZE."""
BOMBS = {
    "processes": FORKS,
    "memory": MEMORY,
    "disk": DISK.format(unlink="pass"),
    "disk of a deleted file": DISK.format(unlink="os.unlink(name)"),
}
COUNT_FORKS = """
import os, time
count = 0
try:
    while count < 400:
        if os.fork() == 0:
            time.sleep(600)
        count += 1
except OSError:
    pass
print(count)
"""


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    """Little is allowed, so that little is enough."""
    with desktop_box(
        "--allow-shell", "--memory-mb", "512", "--processes", "400", "--disk-mb", "128"
    ) as started:
        yield started


@pytest.fixture
async def user(box: Box) -> AsyncIterator[DesktopUser]:
    async with desktop_user(box) as opened:
        yield opened


async def step(user: DesktopUser, command: str) -> StepReply:
    action = Tool(name="shell.run", arguments={"command": command})
    return await user.session.step([action], NOTHING)


@pytest.mark.parametrize("kind", BOMBS)
async def test_a_bomb_ends_the_episode_and_not_the_host(user: DesktopUser, kind: str) -> None:
    (user.home / "bomb.py").write_text(BOMBS[kind])
    reply = await step(user, "setsid python3 bomb.py > /dev/null 2>&1 & sleep 0.2")
    deadline = time.monotonic() + WAIT_S
    while reply.exceeded is None and time.monotonic() < deadline:
        reply = await step(user, "true")
    assert (reply.exceeded or "").startswith(kind.split()[0]), reply
    await user.reset()
    reply = await step(user, "ps ax | grep -c '[b]omb.py'; ls large0 2>&1")
    assert reply.exceeded is None
    assert reply.results[0].value["output"].startswith("0\n")
    assert "No such file" in reply.results[0].value["output"]


async def test_ordinary_work_passes_no_limit(user: DesktopUser) -> None:
    reply = await step(user, "python3 -c 'print(sum(len(b\"x\" * (1 << 20)) for _ in range(99)))'")
    assert reply.exceeded is None
    assert reply.results[0].value["output"] == f"{99 << 20}\n"


def test_a_control_group_bounds_processes_where_it_can_be_made() -> None:
    with groups_of_box(BoxLimits(memory_mb=256, processes=16)) as groups:
        if not groups:
            pytest.skip("no control group can be made here")
        assert all(group.is_dir() for group in groups)
        process = subprocess.Popen(
            [sys.executable, "-c", COUNT_FORKS], preexec_fn=lambda: enter(groups),
            stdout=subprocess.PIPE, text=True, start_new_session=True,
        )  # fmt: skip
        assert process.stdout is not None
        assert int(process.stdout.readline()) < 16 + SPARE_PROCESSES
        os.killpg(process.pid, 9)
        process.wait(60)
    assert not any(Path(group).exists() for group in groups)
