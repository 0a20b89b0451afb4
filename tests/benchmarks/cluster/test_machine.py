"""Machines are apart from each other and from this one, and come and go whole."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from benchmarks.cluster.machine import Machine, Site, processes_in
from tests.machines import make_part, needs_root, with_machines

pytestmark = [pytest.mark.services, needs_root]
SERVE = ["python", "-m", "http.server", "8000"]
LIMIT_S = 20.0


def wait_for(condition: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + LIMIT_S
    while not condition():
        assert time.monotonic() < until, what
        time.sleep(0.05)


def answers(machine: Machine, path: str = "/") -> bool:
    try:
        url = f"http://{machine.address}:8000{path}"
        return httpx.get(url, timeout=0.5, trust_env=False).status_code == 200
    except httpx.TransportError:
        return False


def test_a_machine_comes_and_goes_whole_and_keeps_its_disk() -> None:
    def body(site: Site, machines: dict[str, Machine]) -> set[str]:
        server = machines["server"]
        wait_for(lambda: answers(server), "an answer")
        server.pull_cable()
        assert not answers(server)
        server.plug_cable()
        wait_for(lambda: answers(server), "an answer after the cable came back")
        (server.disk / "note").write_text("kept")
        server.switch_off()
        assert not processes_in(server.networks_seen)
        assert not answers(server)
        server.switch_on()
        wait_for(lambda: answers(server, "/note"), "its disk, and its part again")
        sent = site.network.bytes_of("server")
        assert sent > 0
        return server.networks_seen

    assert not processes_in(with_machines([make_part("server", SERVE)], body))


LOOK = """
import os, pathlib, socket, sys
pathlib.Path("/tmp/mine").write_text("x")
for folder in ("/", "/usr", sys.argv[1]):
    try:
        pathlib.Path(folder, "mine").write_text("x")
    except OSError:
        continue
    sys.exit(f"{folder} can be written")
pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]
files, server = sorted(os.listdir("/tmp")), socket.gethostbyname("server")
print(socket.gethostname(), len(pids) < 8, files, server)
"""


def test_a_machine_sees_nothing_of_the_others_but_their_names() -> None:
    def body(site: Site, machines: dict[str, Machine]) -> str:
        assert machines["looker"].wait(LIMIT_S) == 0, site.log_of("looker").read_text()
        return site.log_of("looker").read_text()

    folder = str(Path(__file__).parent)
    looker = make_part("looker", ["python", "-c", LOOK, folder], ends=True)
    output = with_machines([make_part("server", SERVE), looker], body)
    assert output.split(maxsplit=2) == ["looker", "True", "['home', 'mine'] 10.77.0.11\n"]
