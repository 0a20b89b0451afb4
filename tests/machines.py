"""Machines of a test cluster for tests: a thread with a network of its own, and small parts."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytest

from benchmarks.cluster.machine import Machine, Part, Site
from benchmarks.cluster.network import Network

T = TypeVar("T")
PATH = f"{Path(sys.executable).parent}:/usr/sbin:/usr/bin:/sbin:/bin"
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="namespaces need root")


def make_part(name: str, command: Sequence[str], ends: bool = False) -> Part:
    """A part that shares no folder."""
    return Part(name=name, command=tuple(command), environment={"PATH": PATH}, ends=ends)


def with_machines(parts: Sequence[Part], body: Callable[[Site, dict[str, Machine]], T]) -> T:
    """What `body` returns, in a thread that is on the network of the machines, all switched on."""

    def run() -> T:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            network = Network()
            network.make()
            site = Site(Path(folder), network)
            machines = {
                part.name: Machine(site, part, number) for number, part in enumerate(parts, 11)
            }
            site.prepare({name: machine.address for name, machine in machines.items()})
            try:
                for machine in machines.values():
                    machine.switch_on()
                return body(site, machines)
            finally:
                for machine in machines.values():
                    machine.switch_off()

    # A namespace is a thread's: this test's other threads, and later tests, keep theirs.
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result(120)
