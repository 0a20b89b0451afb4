"""The network of a test cluster: a bridge in a network namespace of the calling thread's own.

Guarantees: nothing of this machine's network is seen, touched or reached from there; all of it goes
when the thread and what it started have ended, however that happens. Needs root and `ip`.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import subprocess
from collections.abc import Sequence

import orjson

CLONE_NEWNET = 0x40000000
PREFIX = "10.77.0."
BITS = 24
OPERATOR = f"{PREFIX}1"
"""The address of the calling thread on the bridge."""
BRIDGE = "switch"
CALL_S = 10


class CannotSeparate(Exception):
    """This machine gives no namespaces; the message says what is missing."""


class Network:
    """Made once in a thread, which lives in it from then on. Cables are named by machines."""

    def __init__(self) -> None:
        self._bytes: dict[str, int] = {}
        """Of cables that are gone."""

    def make(self) -> None:
        """Move the calling thread, and all that it starts from now on, into the network. Raises
        CannotSeparate."""
        if shutil.which("ip") is None:
            raise CannotSeparate("the program ip is missing: apt-get install iproute2")
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.unshare(CLONE_NEWNET) != 0:
            problem = os.strerror(ctypes.get_errno())
            raise CannotSeparate(f"a network namespace needs root: {problem}")
        call_ip("link", "set", "lo", "up")
        call_ip("link", "add", BRIDGE, "type", "bridge")
        call_ip("address", "add", f"{OPERATOR}/{BITS}", "dev", BRIDGE)
        call_ip("link", "set", BRIDGE, "up")

    def lay(self, cable: str, pid: int) -> None:
        """A cable from the bridge to the namespace of that process, where its end is eth0."""
        call_ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", str(pid))
        call_ip("link", "set", cable, "master", BRIDGE, "up")

    def pull(self, cable: str) -> None:
        """Nothing passes any more, and neither side is told."""
        call_ip("link", "set", cable, "down")

    def plug(self, cable: str) -> None:
        """Undo `pull`."""
        call_ip("link", "set", cable, "up")

    def remove(self, cable: str) -> None:
        """It goes with the machine's namespace as well, a little later."""
        self._bytes[cable] = self.bytes_of(cable)
        with contextlib.suppress(subprocess.CalledProcessError):
            call_ip("link", "delete", cable)

    def bytes_of(self, cable: str) -> int:
        """What went through it so far in both directions."""
        try:
            (link,) = orjson.loads(call_ip("-json", "-stats", "link", "show", cable))
        except subprocess.CalledProcessError:
            return self._bytes.get(cable, 0)
        counts = link["stats64"]
        return int(self._bytes.get(cable, 0) + counts["rx"]["bytes"] + counts["tx"]["bytes"])


def call_ip(*arguments: str) -> bytes:
    """The output of `ip`. Raises subprocess.CalledProcessError."""
    command: Sequence[str] = ["ip", *arguments]
    return subprocess.run(command, check=True, capture_output=True, timeout=CALL_S).stdout
