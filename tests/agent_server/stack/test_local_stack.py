"""The whole system but the policy server: it runs a task over HTTP, and leaves nothing running."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
import pytest

from agent_server.policy.manifest import BadVersion
from agent_server.stack import supervisor
from agent_server.stack.local_stack import (
    PortInUse,
    RunBusy,
    Stack,
    StackConfig,
    desktop_concurrency,
    desktop_start_s,
    run_lock,
)
from agent_server.stack.supervisor import ChildFailed
from envs.providers.machine import QEMU_START_S
from tests.processes import left_of

ORACLE_TASK = {
    "gym": "shop", "template": "cheapest", "seed": 7, "policy": "oracle", "screenshots": True,
}  # fmt: skip
SECRETS = {
    "gym": {"DESKHAND_GYM_ADMIN_TOKEN"},
    "host": {"DESKHAND_GYM_ADMIN_TOKEN", "DESKHAND_HOST_TOKEN_SHA256"},
    "worker": {"DESKHAND_HOST_TOKEN"},
    "api": {"DESKHAND_API_KEY", "DESKHAND_HOST_TOKEN"},
}
"""What each child needs, and gets."""
CHILDREN = set(SECRETS)


@pytest.fixture
def below() -> Callable[[], list[psutil.Process]]:
    """What this process has started since the test began, all levels."""
    before = set(psutil.Process().children(recursive=True))
    return lambda: [
        process for process in psutil.Process().children(recursive=True) if process not in before
    ]


async def finished(client: httpx.AsyncClient, body: dict[str, object]) -> dict[str, object]:
    """Gives a task to the API and follows its events to the end."""
    created = await client.post("/v1/tasks", json=body)
    assert created.status_code == 201, created.text
    task_id = created.json()["id"]
    async with client.stream("GET", f"/v1/tasks/{task_id}/events") as events:
        async for line in events.aiter_lines():
            if line.startswith("event: end"):
                break
    state: dict[str, object] = (await client.get(f"/v1/tasks/{task_id}")).json()
    return state


def secrets_of_child(stack: Stack, name: str) -> set[str]:
    """Names of the variables in a child's environment that hold a secret."""
    words = ("TOKEN", "KEY", "SECRET", "PASSWORD")
    return {
        variable
        for variable in psutil.Process(stack.pid(name)).environ()
        if any(word in variable for word in words) and variable != "DESKHAND_HOST_TOKENS_DIFFER"
    }


@pytest.mark.browser
@pytest.mark.timeout(180)
async def test_an_oracle_task_goes_through_api_worker_host_and_browser(
    tmp_path: Path, below: Callable[[], list[psutil.Process]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("A_SECRET_OF_THE_OPERATOR", "x")
    config = StackConfig(run_dir=tmp_path / "run", concurrency=2)
    async with Stack(config) as stack:
        assert stack.swapper is None
        assert set(stack.restarts) == CHILDREN
        described = tmp_path / "run" / "stack.json"
        assert stat.S_IMODE(described.stat().st_mode) == 0o600
        description = json.loads(described.read_text())
        assert description["children"] == {name: stack.pid(name) for name in CHILDREN}
        assert stat.S_IMODE((tmp_path / "run").stat().st_mode) == 0o700
        for name, secrets in SECRETS.items():
            # A host's environment is closed to its own user.
            if name != "host" or os.getuid() == 0:
                assert secrets_of_child(stack, name) == secrets
        with pytest.raises(RunBusy, match=f"in use by process {os.getpid()}"):
            async with Stack(config):
                pass
        headers = {"authorization": f"Bearer {description['api_key']}"}
        async with httpx.AsyncClient(
            base_url=description["api_url"], headers=headers, timeout=90
        ) as client:
            done = await finished(client, ORACLE_TASK)
            assert (done["status"], done["success"]) == ("scored", True), done
            pictures = (await client.get(f"/v1/tasks/{done['id']}/screenshots")).json()
            assert len(pictures) == done["steps"]
            picture = await client.get(f"/v1/tasks/{done['id']}/screenshots/{pictures[0]}")
            assert picture.content.startswith(b"\xff\xd8")

            first = stack.pid("worker")
            assert first is not None
            os.kill(first, signal.SIGKILL)
            again = await finished(client, ORACLE_TASK | {"seed": 8})
            assert (again["status"], again["success"]) == ("scored", True), again
        assert stack.restarts == {name: int(name == "worker") for name in CHILDREN}
        assert stack.pid("worker") not in (None, first)
        started = below()
        commands = " ".join(part for process in started for part in process.cmdline())
        assert "chromium" in commands
        assert description["api_key"] not in commands, "keys are not for the process list"
    assert not left_of(started)
    with run_lock(tmp_path / "run"):
        pass


async def test_what_cannot_work_is_refused_before_anything_starts(
    tmp_path: Path, below: Callable[[], list[psutil.Process]]
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        refused: list[tuple[StackConfig, type[Exception], str]] = [
            (StackConfig(tmp_path, api_port=port), PortInUse, f"port {port} is in use"),
            (StackConfig(tmp_path, policy_dir=tmp_path / "none"), BadVersion, "is missing"),
        ]
        for config, kind, sentence in refused:
            with pytest.raises(kind, match=sentence):
                async with Stack(config):
                    pass
    assert not below()
    assert not (tmp_path / "logs").exists()


@pytest.mark.browser
@pytest.mark.timeout(120)
async def test_a_child_that_cannot_start_ends_all_the_others(
    tmp_path: Path, below: Callable[[], list[psutil.Process]]
) -> None:
    seen: list[psutil.Process] = []

    async def watch() -> None:
        while True:
            seen.extend(process for process in below() if process not in seen)
            await asyncio.sleep(0.1)

    watcher = asyncio.create_task(watch())
    config = StackConfig(tmp_path / "run", concurrency=1, extra={"database_url": "nonsense"})
    with pytest.raises(
        ChildFailed, match=r"(api|worker) ended with code \d+ while starting; see .*\.log"
    ) as failed:
        async with Stack(config):
            pass
    watcher.cancel()
    assert len(seen) >= 4
    assert not left_of(seen)
    log = Path(str(failed.value).rpartition("see ")[2])
    assert "DESKHAND_DATABASE_URL='nonsense'" in log.read_text()


async def test_a_worker_that_hangs_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "PROBE_EVERY_S", 2.0)
    config = StackConfig(tmp_path / "run", concurrency=1, hosts=0, api=False)
    async with Stack(config) as stack:
        first = stack.pid("worker")
        assert first is not None
        os.kill(first, signal.SIGSTOP)
        async with asyncio.timeout(240):
            while stack.pid("worker") in (None, first):
                await asyncio.sleep(0.1)
        assert stack.restarts["worker"] == 1


def test_each_desktop_has_an_episode_and_one_that_waits() -> None:
    assert (desktop_concurrency(16, 2), desktop_concurrency(1, 2)) == (4, 1)


def test_a_virtual_machine_says_itself_why_it_does_not_start() -> None:
    assert desktop_start_s("qemu") > QEMU_START_S > desktop_start_s("box")
