"""Attempts of programs in a QEMU machine, started as an agent starts them: each works without the
machine, or for root of a machine that is offered everything, and none gets through."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from envs.client import RemoteSession
from envs.contract.actions import Launch, Tool, Wait
from envs.contract.observations import Observe
from envs.contract.task import Task
from envs.providers.qemu import QemuConfig, QemuProvider
from envs.providers.qemu_process import choose_accelerator
from tests.envs.providers.escape_attempts import ATTEMPTS as OF_EVERY_BOX
from tests.envs.providers.escape_attempts import REACHED, RUNNER, Attempt
from tests.envs.providers.escape_controls import (
    WAIT_S,
    bound,
    listening,
    machine,
    sources,
    unboxed,
)
from tests.qemu.attempts import ATTEMPTS as OF_MACHINES
from tests.qemu.weak_machine import run_weak_machine

__all__ = ["machine", "unboxed"]
pytestmark = [pytest.mark.qemu, pytest.mark.timeout(1200)]

ELSEWHERE = {
    "an interface beside loopback",
    "a route to the outside",
    "find a disk, memory or the kernel's log in /dev",
    "read /sys",
}
"""A machine has these of its own; what they lead to is among the attempts of machines."""
HARMLESS = ("/proc/pressure/", "/proc/sys/kernel/ns_last_pid")
"""Writable for everybody by their mode. The first asks to be told when the processor is short; of
the second the kernel takes numbers from root of the namespace only."""
CHOSEN = [*(attempt for attempt in OF_EVERY_BOX if attempt.name not in ELSEWHERE), *OF_MACHINES]
NO_RESOLVER = "a name of the outside"
"""Shown to work only where this machine's own name server answers."""
NOTHING = Observe(tree=False)
TASK = Task(id="empty", instruction="nothing", env="desktop")
HOME = "/home/user"
START = "cd; VICTIM=1 python3 runner.py attempts.json answers.json >runner.log 2>&1"
"""The host is the first process that its programs see."""


@pytest.fixture(scope="module")
def targets(machine: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """What there is to reach on this machine, on IPv6 too."""
    with contextlib.ExitStack() as stack:
        kinds = {"port6": socket.SOCK_STREAM, "udp6": socket.SOCK_DGRAM}
        ports = {
            name: stack.enter_context(listening(bound(socket.AF_INET6, kind, ("::1", 0))))[1]
            for name, kind in kinds.items()
        }
        yield {**machine, **ports}


@pytest.fixture(scope="module")
def of_machines(targets: dict[str, Any]) -> dict[str, str]:
    return {attempt.name: attempt.source.format_map(targets) for attempt in OF_MACHINES}


@pytest.fixture(scope="module")
def weak(
    image: Path,
    targets: dict[str, Any],
    of_machines: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, str]:
    """Outputs of root in a machine that is offered everything."""
    before = (image.stat().st_mtime_ns, image.stat().st_size)
    config = QemuConfig(image=image)
    folder, tftp = tmp_path_factory.mktemp("weak"), Path(targets["secret"]).parent
    accelerator = asyncio.run(choose_accelerator(config))
    outputs = run_weak_machine(config, accelerator, of_machines, folder, tftp)
    assert (image.stat().st_mtime_ns, image.stat().st_size) == before
    return outputs


async def use_tool(session: RemoteSession, name: str, **arguments: Any) -> Any:
    (result,) = (await session.step([Tool(name=name, arguments=arguments)], NOTHING)).results
    return result.value if result.ok else None


@pytest.fixture(scope="module")
def boxed(image: Path, machine: dict[str, Any], of_machines: dict[str, str]) -> dict[str, str]:
    """Outputs of programs that an agent starts in a machine; its host still answers."""

    async def run() -> dict[str, str]:
        async with QemuProvider(QemuConfig(image=image)) as provider:
            session = await (await provider.start()).open("desktop")
            await session.reset(TASK, NOTHING)
            attempts = {**of_machines, **sources(machine)}
            for path, text in (
                ("runner.py", RUNNER),
                ("attempts.json", json.dumps(attempts)),
                (
                    "run",
                    "cd; VICTIM=1 python3 runner.py attempts.json answers.json >runner.log 2>&1",
                ),
            ):
                await use_tool(session, "files.write", path=f"{HOME}/{path}", text=text)
            await session.step([Launch(app="lxterminal", args=("-e", f"sh {HOME}/run"))], NOTHING)
            deadline = time.monotonic() + WAIT_S
            answers = f"{HOME}/answers.json"
            while (read := await use_tool(session, "files.read_bytes", path=answers)) is None:
                log = await use_tool(session, "files.read", path=f"{HOME}/runner.log")
                assert time.monotonic() < deadline, log
                await session.step([Wait(ms=1000)], NOTHING)
            outputs: dict[str, str] = json.loads(base64.b64decode(read["base64"]))
            await session.reset(TASK, NOTHING)
            assert await use_tool(session, "files.read", path=answers) is None
            await session.close()
            return outputs

    return asyncio.run(run())


@pytest.mark.parametrize("attempt", OF_MACHINES, ids=lambda attempt: attempt.name)
def test_an_attempt_on_a_weak_machine_works(attempt: Attempt, weak: dict[str, str]) -> None:
    if attempt.name == NO_RESOLVER and REACHED not in weak[attempt.name]:
        pytest.skip("this machine has no name server that answers")
    assert REACHED in weak[attempt.name]


@pytest.mark.parametrize("attempt", CHOSEN, ids=lambda attempt: attempt.name)
def test_an_attempt_in_a_machine_fails(
    attempt: Attempt, unboxed: dict[str, str], boxed: dict[str, str]
) -> None:
    if attempt.name in unboxed:
        assert REACHED in unboxed[attempt.name], f"no control: {unboxed[attempt.name]}"
    lines = [
        line
        for line in boxed[attempt.name].splitlines()
        if not any(path in line for path in HARMLESS)
    ]
    assert REACHED not in "\n".join(lines)
    assert "SyntaxError" not in boxed[attempt.name]
    assert "NameError" not in boxed[attempt.name]


def test_there_are_enough_of_them() -> None:
    assert len(OF_MACHINES) >= 30
    assert len({attempt.name for attempt in CHOSEN}) == len(CHOSEN)
