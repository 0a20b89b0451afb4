"""The real HTTP API as a process of its own, and raw connections to it."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import httpx

from agent_server.settings import Settings
from envs.providers.local import free_port

KEY = "test-key"
PATIENCE_S = 60.0
"""For what happens at once on a machine that is not loaded."""


@dataclass(frozen=True, slots=True)
class Api:
    port: int
    process: subprocess.Popen[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, key: str = KEY) -> httpx.Client:
        headers = {"x-api-key": key} if key else {}
        return httpx.Client(base_url=self.url, headers=headers, timeout=PATIENCE_S)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)


@contextlib.contextmanager
def running_api(settings: Settings, prefix: Sequence[str] = ()) -> Iterator[Api]:
    port = free_port()
    process = subprocess.Popen(
        [*prefix, sys.executable, "-m", "agent_server.api", "--port", str(port)],
        env={**os.environ, **settings.to_env()},
    )
    api = Api(port, process)
    try:
        wait_until_ready(api)
        yield api
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_until_ready(api: Api) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        assert api.process.poll() is None, "the API ended while it started"
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{api.url}/v1/health").status_code == 200:
                return
        time.sleep(0.05)
    raise AssertionError("the API did not answer")


def reply_of(connection: socket.socket) -> tuple[int, dict[str, Any]]:
    """Status and JSON of what the server says before it closes."""
    data = b""
    while chunk := connection.recv(65536):
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    return int(head.split()[1]), json.loads(body)
