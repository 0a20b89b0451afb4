"""A real LibreOffice and a real bridge process for tests; both end with the context manager."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[4]
REPLY_WITHIN_S = 60.0


class Refused(Exception):
    """The bridge's error reply; its text is the message that a policy would read."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class BridgeProcess:
    """One bridge, spoken to in its own protocol."""

    def __init__(self, pipe: str) -> None:
        self._requests = 0
        self._process = subprocess.Popen(
            ["/usr/bin/python3", "-m", "envs.apps.office.bridge", pipe],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def call(self, name: str, /, **arguments: Any) -> Any:
        """The tool's value. Raises Refused, or TimeoutError when no reply comes."""
        return self.call_until(time.monotonic() + REPLY_WITHIN_S, name, **arguments)

    def call_until(self, deadline: float, name: str, /, **arguments: Any) -> Any:
        """The same with a deadline in the request."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        self._requests += 1
        request = {
            "id": self._requests,
            "name": name,
            "arguments": arguments,
            "deadline": deadline,
        }
        stdin.write(json.dumps(request) + "\n")
        stdin.flush()
        if not select.select([stdout], [], [], REPLY_WITHIN_S)[0]:
            raise TimeoutError(f"no reply to {name}")
        line = stdout.readline()
        if not line:
            raise EOFError(f"the bridge ended during {name}")
        reply = json.loads(line)
        assert reply["id"] == self._requests
        if not reply["ok"]:
            raise Refused(reply["reason"], reply["message"])
        return reply["value"]

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait(5)


@contextlib.contextmanager
def running_office(folder: Path, pipe: str | None = None) -> Iterator[str]:
    """A headless soffice with a profile of its own below `folder`; gives the name of its pipe."""
    pipe = pipe or f"deskhand-test-{uuid.uuid4().hex[:12]}"
    with (folder / "soffice.log").open("wb") as log:
        process = subprocess.Popen(
            [
                "soffice",
                "--headless",
                "--norestore",
                "--nologo",
                "--nodefault",
                f"--accept=pipe,name={pipe};urp",
                f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            ],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        try:
            yield pipe
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(10)


@contextlib.contextmanager
def separate_office(folder: Path) -> Iterator[Callable[..., Any]]:
    """A LibreOffice and a bridge of its own; gives `BridgeProcess.call`."""
    with running_office(folder) as pipe:
        bridge = BridgeProcess(pipe)
        try:
            yield bridge.call
        finally:
            bridge.close()


def run_in_bridge_python(code: str, *arguments: str) -> str:
    """The output of a script in the bridge's Python, which has `uno`."""
    process = subprocess.run(
        ["/usr/bin/python3", "-c", code, *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout
