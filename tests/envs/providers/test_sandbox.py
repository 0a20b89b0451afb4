"""What a program in a desktop's box can reach; each attempt can succeed outside of it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import psutil
import pytest

import envs
from envs.contract.actions import Launch
from envs.providers.inside import INSIDE
from envs.providers.local import free_port
from tests.envs.desktop_box import Box, DesktopUser, desktop_box, desktop_user

pytestmark = pytest.mark.desktop
IMPOSTOR = """
import os, socket
os.makedirs("/run/deskhand", exist_ok=True)
path = "/run/deskhand/host.sock"
if os.path.exists(path):
    os.unlink(path)
with socket.socket(socket.AF_UNIX) as listener:
    listener.bind(path)
    listener.listen()
    while True:
        link, _ = listener.accept()
        with open("/home/user/received", "ab") as file:
            file.write(link.recv(65536))
        link.close()
"""
"""What took the token of a host that listened in a folder of its box."""


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with desktop_box("--allow-shell") as started:
        yield started


@pytest.fixture
async def user(box: Box) -> AsyncIterator[DesktopUser]:
    async with desktop_user(box) as desktop:
        yield desktop


async def output(user: DesktopUser, command: str) -> str:
    ran = await user.tool("shell.run", command=command)
    return str(ran["output"])


async def test_programs_are_an_ordinary_user_in_the_usual_home(user: DesktopUser) -> None:
    assert await output(user, "id -u; echo $HOME; pwd") == "1000\n/home/user\n/home/user\n"


async def test_a_service_of_this_machine_is_out_of_reach(user: DesktopUser) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port), timeout=2):
            pass
        script = f"import socket; socket.create_connection(('127.0.0.1', {port}), timeout=2)"
        assert "refused" in await output(user, f'/usr/bin/python3 -c "{script}"')
    assert "unreachable" in await output(
        user,
        "/usr/bin/python3 -c \"import socket; socket.create_connection(('192.0.2.1', 80), 2)\"",
    )
    assert "gaierror" in await output(
        user, "/usr/bin/python3 -c \"import socket; socket.getaddrinfo('example.org', 80)\" 2>&1"
    )


async def test_files_of_this_machine_are_not_there(user: DesktopUser, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("mine")
    for path in (secret, Path("/etc/shadow"), Path("/var/lib/dpkg")):
        assert path.exists()
        assert "No such file" in await output(user, f"ls {path} 2>&1")
    # The interpreter and the code may be installed below the home folder; nothing else of it is.
    needed = (Path(sys.prefix), Path(sys.base_prefix), Path(envs.__file__).parent)
    below = [path.relative_to(Path.home()) for path in needed if path.is_relative_to(Path.home())]
    seen = await output(user, f"ls -A {Path.home()} 2>/dev/null")
    assert set(seen.split()) <= {path.parts[0] for path in below}
    assert "Read-only file system" in await output(user, "touch /usr/bin/mine 2>&1")


async def test_other_processes_are_not_seen(user: DesktopUser) -> None:
    marker = f"sleep {os.getpid() + 100_000}"
    with subprocess.Popen(marker.split()) as sleeper:  # noqa: ASYNC220
        try:
            seen = [entry.info["cmdline"] or [] for entry in psutil.process_iter(["cmdline"])]
            assert marker.split() in seen
            assert marker not in await output(user, "cat /proc/*/cmdline | tr '\\0' ' '")
        finally:
            sleeper.kill()


async def test_the_token_is_nowhere_in_the_box(user: DesktopUser) -> None:
    token = user.box.token
    places = "/proc/[0-9]*/environ /proc/[0-9]*/cmdline /run/deskhand /home/user /tmp /etc"
    matches = await output(
        user, f"grep -rlsa {token[:12]} {places} 2>/dev/null | grep -v self; true"
    )
    own = await output(user, "echo $$ > /dev/null; cat /proc/1/environ | tr '\\0' '\\n' | head -3")
    assert token not in matches + own
    lines = [line for line in matches.splitlines() if "/cmdline" not in line]
    assert lines == []


async def test_nothing_in_a_box_takes_the_place_of_its_host(user: DesktopUser) -> None:
    """A program kills, stops and limits its host, and listens where it thinks the host did."""
    (user.home / "impostor.py").write_text(IMPOSTOR)
    started = await output(user, "setsid python3 impostor.py >/dev/null 2>&1 & echo started")
    assert started == "started\n"
    attempts = "kill -9 1; kill -STOP 1; kill -TERM 1; kill -INT 1; prlimit --pid 1 --nofile=0:0"
    assert "not permitted" in await output(user, f"{attempts} 2>&1")
    assert "Permission denied" in await output(user, "cat /proc/1/environ /proc/1/mem 2>&1")
    for _ in range(20):
        assert await output(user, "echo well") == "well\n"
    received = user.home / "received"
    assert not received.exists() or user.box.token not in received.read_text()


async def test_nothing_is_imported_from_the_home_folder(user: DesktopUser) -> None:
    """LibreOffice's bridge starts there, with modules that it finds by their names."""
    for name in ("json", "envs"):
        (user.home / f"{name}.py").write_text("open('/home/user/imported', 'w')\n")
    await user.act(Launch(app="calc"))
    await user.tool("calc.set_cell", cell="A1", value=1)
    assert not (user.home / "imported").exists()


async def test_how_tasks_are_solved_is_not_for_the_agent(user: DesktopUser) -> None:
    package = Path(envs.__file__).parent
    files = f"cd {package} && find . -type f -not -path '*/__pycache__/*'"
    top = await output(user, f"{files} | cut -d/ -f2 | sort -u")
    assert set(top.split()) == {name.split("/")[0] for name in INSIDE}
    osworld = await output(user, f"{files} -path './osworld/*' | cut -d/ -f3 | sort -u")
    assert set(osworld.split()) == {"__init__.py", "format", "inside"}
    siblings = await output(user, f"ls {package.parent}")
    assert not {"agent_server", "benchmarks", "tasksets", "trainer"} & set(siblings.split())


def test_a_box_ends_with_the_process_that_made_it(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "envs.providers.sandbox", "--port", str(free_port()), "--no-token",
         "--work", str(tmp_path)],
        start_new_session=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 120
        below: list[psutil.Process] = []
        while not any("tint2" in child.name() for child in below) and time.monotonic() < deadline:
            time.sleep(0.05)
            below = psutil.Process(process.pid).children(recursive=True)
        assert any("tint2" in child.name() for child in below)
        process.send_signal(signal.SIGKILL)
        _, alive = psutil.wait_procs(below, timeout=60)
        assert alive == []
    finally:
        process.kill()
        process.wait(5)
