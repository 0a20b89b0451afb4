"""A real desktop in a box of its own, for tests: started once, recycled by each session."""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from envs.client import HostClient, RemoteSession
from envs.contract.actions import ActionError, ActionResult, SimpleAction, Tool
from envs.contract.observations import Observation, Observe
from envs.contract.task import Task
from envs.providers.local import free_port

START_S = 240.0
"""The first box of a machine makes the pristine home, which starts several programs once."""
NOTHING = Observe(tree=False)
EMPTY = Task(id="empty", instruction="nothing", env="desktop")


class ToolFailed(Exception):
    """A tool's error result."""

    def __init__(self, error: ActionError | None, message: str) -> None:
        super().__init__(f"{error}: {message}")
        self.error, self.message = error, message


@dataclass(frozen=True)
class Box:
    """`home`: the box's /home/user as this process sees it."""

    url: str
    token: str
    home: Path
    process: subprocess.Popen[bytes]


@contextlib.contextmanager
def desktop_box(*arguments: str) -> Iterator[Box]:
    """A box with `arguments` for the sandbox command, e.g. "--allow-shell"."""
    with tempfile.TemporaryDirectory(prefix="deskhand-test-") as folder:
        token = "" if "--no-token" in arguments else secrets.token_urlsafe(24)
        port = free_port()
        process = subprocess.Popen(
            [sys.executable, "-m", "envs.providers.sandbox", "--port", str(port), "--work", folder,
             *arguments],
            env={**os.environ, "DESKHAND_HOST_TOKEN": token},
            start_new_session=True,
        )  # fmt: skip
        try:
            url = f"http://127.0.0.1:{port}"
            _wait(f"{url}/v1/health", process)
            yield Box(url, token, Path(folder) / "home", process)
        finally:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait(5)


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline:
        assert process.poll() is None, f"the box ended with {process.returncode}"
        try:
            with urllib.request.urlopen(url, timeout=2):
                return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"{url} did not answer")


@dataclass
class DesktopUser:
    """One session on a box, and short ways to use it."""

    box: Box
    session: RemoteSession

    @property
    def home(self) -> Path:
        return self.box.home

    async def reset(self, task: Task = EMPTY, observe: Observe = NOTHING) -> Observation:
        return (await self.session.reset(task, observe)).observation

    async def act(self, *actions: SimpleAction) -> ActionResult:
        """The last result; later actions are not tried after a failed one."""
        return (await self.session.step(list(actions), NOTHING)).results[-1]

    async def see(self, *actions: SimpleAction, chars: int = 20_000) -> str:
        """The tree after the actions, which must succeed."""
        reply = await self.session.step(list(actions), Observe(tree_chars=chars))
        assert all(result.ok for result in reply.results), reply.results
        assert reply.observation.tree is not None
        return reply.observation.tree.text

    async def tool(self, name: str, /, **arguments: Any) -> Any:
        """The tool's value. Raises ToolFailed."""
        result = await self.act(Tool(name=name, arguments=arguments))
        if not result.ok:
            raise ToolFailed(result.error, result.message)
        return result.value


@contextlib.asynccontextmanager
async def desktop_user(box: Box) -> Any:
    """A fresh session; the desktop is recycled before and after."""
    async with HostClient(box.url, box.token) as client:
        session = await client.open("desktop")
        try:
            user = DesktopUser(box, session)
            await user.reset()
            yield user
        finally:
            await session.close()
