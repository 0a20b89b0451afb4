"""A kept host: its port is never free, and nothing of a host that ended is left."""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from envs.host.keeper import as_user
from envs.providers.local import free_port

WAIT_S = 60.0
HOST = """
import os, socket, subprocess, sys, time
listener = socket.socket(fileno=int(sys.argv[-1]))
subprocess.Popen(["sleep", sys.argv[1]], start_new_session=True)
link, _ = listener.accept()
link.sendall(f"{os.getpid()} {time.monotonic_ns()}".encode())
"""
"""Answers one connection and ends, with a program of it left running."""
only_root = pytest.mark.skipif(os.getuid() != 0, reason="only root starts hosts as another user")


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[tuple[int, str]]:
    """The port, and how long the host's left-over program sleeps."""
    port, marker = free_port(), str(100_000 + os.getpid())
    script = Path("/tmp") / f"deskhand-test-host-{os.getpid()}.py"
    script.write_text(HOST)
    script.chmod(0o644)
    process = subprocess.Popen(
        [sys.executable, "-m", "envs.host.keeper", "--port", str(port), "--user", "games",
         "--", "/usr/bin/python3", str(script), marker],
        start_new_session=True,
    )  # fmt: skip
    try:
        yield port, marker
    finally:
        process.kill()
        process.wait(10)
        for left in sleepers(marker):
            left.kill()
        script.unlink()


def sleepers(marker: str) -> list[psutil.Process]:
    return [
        sleeper
        for sleeper in psutil.process_iter(["cmdline"])
        if sleeper.info["cmdline"] == ["sleep", marker]
    ]


def answer(port: int) -> str:
    """Of the host; the connection waits while there is none."""
    deadline = time.monotonic() + WAIT_S
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=WAIT_S) as link:
                return link.recv(64).decode()
        except ConnectionRefusedError:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@only_root
def test_between_two_hosts_the_port_is_not_free(kept: tuple[int, str]) -> None:
    port, _ = kept
    first = answer(port)
    impostor = socket.socket()
    impostor.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    with pytest.raises(OSError, match="in use"):
        impostor.bind(("127.0.0.1", port))
    impostor.close()
    assert answer(port) not in ("", first)


@only_root
def test_a_host_is_the_first_process_that_its_programs_see(kept: tuple[int, str]) -> None:
    port, _ = kept
    assert answer(port).split()[0] == "1"


@only_root
def test_what_a_host_left_is_killed_before_the_next_one(kept: tuple[int, str]) -> None:
    port, marker = kept
    answer(port)
    answer(port)
    deadline = time.monotonic() + WAIT_S
    while len(sleepers(marker)) > 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(sleepers(marker)) <= 1, "that of the third host at most"


def test_rights_are_given_up_for_good() -> None:
    command = as_user(pwd.getpwuid(os.getuid()).pw_name, ["true"])
    assert "--no-new-privs" in command
    assert as_user(None, ["true"]) == ["true"]
