"""What attempts to get out of a box are measured against: things of this machine to reach, and the
same attempts without a box. Fixtures for the tests of each kind of box."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import secrets
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import envs
from tests.envs.providers.escape_attempts import ATTEMPTS, RUNNER

WAIT_S = 300.0
PYTHON = "/usr/bin/python3"
NAMESPACES = (
    "bwrap", "--unshare-user", "--unshare-net", "--unshare-uts", "--unshare-ipc", "--uid", "0",
    "--gid", "0", "--cap-add", "ALL", "--bind", "/", "/", "--dev", "/dev",
)  # fmt: skip
"""Root of namespaces of its own, without any other measure."""


def answer(listener: socket.socket) -> None:
    """One byte to whoever comes, until the listener is shut down."""
    while True:
        try:
            if listener.type == socket.SOCK_DGRAM:
                data, peer = listener.recvfrom(64)
                if not data:
                    return
                listener.sendto(b"y", peer)
            else:
                link, _ = listener.accept()
                with link, contextlib.suppress(OSError):
                    if link.recv(1):
                        link.sendall(b"y")
        except OSError:
            return


@contextlib.contextmanager
def listening(listener: socket.socket) -> Iterator[Any]:
    """Its address; answers meanwhile."""
    thread = threading.Thread(target=answer, args=(listener,))
    if listener.type == socket.SOCK_STREAM:
        listener.listen()
    thread.start()
    try:
        yield listener.getsockname()
    finally:
        if listener.type == socket.SOCK_DGRAM:
            with socket.socket(listener.family, socket.SOCK_DGRAM) as last:
                last.sendto(b"", listener.getsockname())
        else:
            listener.shutdown(socket.SHUT_RDWR)
        thread.join(60)
        listener.close()


def bound(family: int, kind: int, address: Any) -> socket.socket:
    made = socket.socket(family, kind)
    made.bind(address)
    return made


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What there is to reach on the machine."""
    folder, marker = tmp_path_factory.mktemp("machine"), f"marker-{secrets.token_hex(6)}"
    secret, shared = folder / f"{marker}.txt", Path("/dev/shm") / marker
    secret.write_text("secret")
    shared.write_text("shared")
    libc = ctypes.CDLL(None)
    segment = libc.shmget(0, 4096, 0o1600)
    unix, stream = socket.AF_UNIX, socket.SOCK_STREAM
    with contextlib.ExitStack() as stack:
        stack.callback(shared.unlink)
        stack.callback(libc.shmctl, segment, 0, None)
        where = {"secret": str(secret), "secret_name": secret.name, "shared": str(shared)}
        numbers: dict[str, Any] = {
            "port": stack.enter_context(listening(bound(socket.AF_INET, stream, ("127.0.0.1", 0))))[
                1
            ],
            "udp": stack.enter_context(
                listening(bound(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)))
            )[1],
            "shm": segment,
        }
        for name in ("bus", "display"):
            where[name] = stack.enter_context(listening(bound(unix, stream, str(folder / name))))
        stack.enter_context(listening(bound(unix, stream, f"\0{marker}")))
        sleeper = subprocess.Popen(
            [PYTHON, "-c", "import time; time.sleep(3600)", marker],
            env={**os.environ, "MARKER": marker},
        )
        stack.callback(sleeper.wait)
        stack.callback(sleeper.kill)
        yield {
            **where, **numbers, "marker": marker, "abstract": marker, "sleeper": sleeper.pid,
            "package": str(Path(envs.__file__).parent), "hostname": socket.gethostname(),
        }  # fmt: skip


def sources(machine: dict[str, Any], *controls: str) -> dict[str, str]:
    """Of the attempts with these controls, filled in; of all without any."""
    chosen = [attempt for attempt in ATTEMPTS if not controls or attempt.control in controls]
    return {attempt.name: attempt.source.format_map(machine) for attempt in chosen}


@pytest.fixture(scope="module")
def unboxed(machine: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Outputs without a box."""
    folder = tmp_path_factory.mktemp("unboxed")
    (folder / "runner.py").write_text(RUNNER)
    outputs: dict[str, str] = {}
    plain = ("user", "root") if os.getuid() == 0 else ("user",)
    for number, (prefix, controls) in enumerate([((), plain), (NAMESPACES, ("namespaces",))]):
        attempts_file, answers = folder / f"{number}.json", folder / f"answers{number}.json"
        attempts_file.write_text(json.dumps(sources(machine, *controls)))
        subprocess.run(
            [*prefix, PYTHON, folder / "runner.py", attempts_file, answers],
            cwd=folder, timeout=WAIT_S, check=True,
        )  # fmt: skip
        outputs |= json.loads(answers.read_text())
    return outputs
