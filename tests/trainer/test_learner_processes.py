"""The group of processes: reached from this machine alone, one call after the other."""

from __future__ import annotations

import ipaddress
import os
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest
import torch

from trainer.learner_processes import gather, join, leave, on_all_processes, tell


class Counting:
    """Notes how many of its calls overlap."""

    leads = False
    inside = most = 0

    @on_all_processes
    def work(self, seconds: float) -> None:
        self.inside += 1
        self.most = max(self.most, self.inside)
        time.sleep(seconds)
        self.inside -= 1


def test_nobody_on_the_network_can_send_a_call(tmp_path: Path) -> None:
    listening = set(addresses())
    join(0, 1, tmp_path / "meeting", torch.device("cpu"))
    try:
        opened = set(addresses()) - listening
        assert all(ipaddress.ip_address(address).is_loopback for address, _ in opened), opened
        tell(("step", (1,)))
        assert gather(7) == [7]
    finally:
        leave()


def test_processes_of_a_single_machine_meet_at_its_name_and_speak_over_loopback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.socket() as free:
        free.bind(("", 0))
        port = free.getsockname()[1]
    launch = {"RANK": "0", "WORLD_SIZE": "1", "LOCAL_RANK": "0", "LOCAL_WORLD_SIZE": "1"}
    meeting = {"MASTER_ADDR": own_address(), "MASTER_PORT": str(port)}
    for name, value in (launch | meeting).items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("GLOO_SOCKET_IFNAME", raising=False)
    listening = set(addresses())
    join(0, 1, None, torch.device("cpu"))
    try:
        spoken = {ip for ip, opened in set(addresses()) - listening if opened != port}
        assert spoken
        assert os.environ["GLOO_SOCKET_IFNAME"] == "lo"
        assert all(ipaddress.ip_address(ip).is_loopback for ip in spoken), spoken
    finally:
        leave()


@pytest.mark.parametrize("rank", [0, 1])
@pytest.mark.parametrize(
    ("command", "local", "problem"),
    [
        ("report", "0", "`train` alone runs in several processes: run `report` without torchrun"),
        ("train", None, "LOCAL_RANK is not set"),
    ],
)
def test_what_several_processes_cannot_run_is_refused_in_each_of_them(
    rank: int, command: str, local: str | None, problem: str
) -> None:
    launch = {"RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": "9"}
    if local is not None:
        launch["LOCAL_RANK"] = local
    inherited = {name: value for name, value in os.environ.items() if name != "LOCAL_RANK"}
    refused = subprocess.run(
        [sys.executable, "-m", "trainer", command],
        env=inherited | launch,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert refused.returncode == 1
    assert refused.stderr.startswith("deskhand: ")
    assert problem in refused.stderr
    assert refused.stderr.count("\n") == 1


def own_address() -> str:
    """Of this machine in a network; a loopback one that is not the usual where it is in none."""
    interfaces = psutil.net_if_addrs().values()
    own = [each.address for entries in interfaces for each in entries if each.family == 2]
    return next((ip for ip in own if not ipaddress.ip_address(ip).is_loopback), "127.0.0.2")


def addresses() -> list[tuple[str, int]]:
    """On which this process listens."""
    connections = psutil.Process().net_connections("inet")
    return [(c.laddr.ip, c.laddr.port) for c in connections if c.status == psutil.CONN_LISTEN]


def test_calls_of_several_threads_follow_each_other() -> None:
    counting = Counting()
    threads = [threading.Thread(target=counting.work, args=(0.02,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counting.most == 1
    assert Counting.work.__name__ == "work"
