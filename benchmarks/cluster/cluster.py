"""The machines of a test cluster together: switched on until they are well, waited for, off again.

Guarantees: every wait has a limit and says what it waited for, with the last lines of the machines'
logs; whatever happens, all machines are off at the end.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Iterator, Sequence

import httpx

from benchmarks.cluster.machine import Machine, Part, Site
from benchmarks.cluster.parts import API_PORT, BROWSERS, HOST_PORT, WORKERS

POLL_S = 0.25
START_S = 240.0
FIRST = 11
"""Last byte of the first machine's address; the operator has 1."""
TAIL = 8
"""Lines of a log in a message."""
TAKEN = re.compile(r"\[(?P<episode>[\w.-]+)\]: a session of http://(?P<host>[\w-]+):")
"""A worker's line on the host of an episode."""


class ClusterFailed(Exception):
    """Something that was waited for did not come; the message says what."""


class Cluster:
    """Machines by name, with consecutive addresses."""

    def __init__(self, site: Site, parts: Sequence[Part]) -> None:
        self.site = site
        self.machines = {
            part.name: Machine(site, part, number) for number, part in enumerate(parts, FIRST)
        }
        self.addresses = {name: machine.address for name, machine in self.machines.items()}
        site.prepare(self.addresses)

    @contextlib.contextmanager
    def services_on(self) -> Iterator[None]:
        """All machines but those whose part ends; they are well in the body, and off after it."""
        try:
            for machine in self.machines.values():
                if not machine.part.ends:
                    machine.switch_on()
            for name in BROWSERS:
                self.wait_until_well(name, HOST_PORT, "/v1/health")
            self.wait_until_well("api", API_PORT, "/v1/ready")
            yield
        finally:
            for machine in self.machines.values():
                machine.switch_off()

    def wait_until_well(self, name: str, port: int, path: str) -> None:
        """Until that route answers 200. Raises ClusterFailed."""
        url = f"http://{self.addresses[name]}:{port}{path}"
        self.wait_until(lambda: is_well(url), START_S, f"an answer of {name} ({path})")

    def wait_until(
        self, condition: Callable[[], bool], seconds: float, what: str, needs: Machine | None = None
    ) -> None:
        """Raises ClusterFailed when the time is over, or when the part of `needs` has ended."""
        until = time.monotonic() + seconds
        while not condition():
            if needs is not None and needs.exit_code is not None:
                raise ClusterFailed(
                    f"{needs.name} ended with {needs.exit_code} before {what}\n{self._tail(needs)}"
                )
            if time.monotonic() > until:
                tails = "\n".join(self._tail(machine) for machine in self.machines.values())
                raise ClusterFailed(f"not within {seconds:g} s: {what}\n{tails}")
            time.sleep(POLL_S)

    def _tail(self, machine: Machine) -> str:
        log = self.site.log_of(machine.name)
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
        return "\n".join(f"  {machine.name}: {line}" for line in lines[-TAIL:])

    def hosts_of_episodes(self) -> dict[str, str]:
        """Episode to the browser machine that ran it, as the workers logged it."""
        return {
            match["episode"]: match["host"]
            for name in WORKERS
            for match in TAKEN.finditer(self.site.log_of(name).read_text(errors="replace"))
        }


def is_well(url: str) -> bool:
    """Whether it answers 200 now."""
    try:
        return httpx.get(url, timeout=3, trust_env=False).status_code == httpx.codes.OK
    except httpx.TransportError:
        return False
