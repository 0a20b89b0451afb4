"""The group of processes: reached from this machine alone, one call after the other."""

from __future__ import annotations

import ipaddress
import threading
import time
from pathlib import Path

import psutil
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
