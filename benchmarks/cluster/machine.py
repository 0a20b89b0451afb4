"""A machine of a test cluster: namespaces of its own for network, processes, mounts, IPC and name.

Guarantees: it writes its own folder and, where its part may, the runs that machines share, and sees
no process, port, shared memory or file of another machine; switched off, nothing of it is left;
it is switched off when this process dies, however that happens. Its folder is its disk: it survives
the power.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from benchmarks.cluster.network import BITS, PREFIX, Network

Access = Literal["none", "read", "write"]
BOOT = Path(__file__).with_name("boot.sh")
START_S = 10.0
STOP_S = 60.0
SEPARATE = (
    *("setpriv", "--pdeathsig", "KILL", "unshare"),
    *("--net", "--mount", "--propagation", "private", "--pid", "--mount-proc", "--ipc", "--uts"),
    *("--fork", "--kill-child", "--"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a machine runs. `files` are put into its folder by name; `runs`: what
    it may do in the folder of runs, /tmp/runs; one that `ends` is not started again."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    runs: Access = "none"
    ends: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """Where the machines of a cluster are: a folder below /tmp, and their network."""

    folder: Path
    network: Network

    @property
    def runs(self) -> Path:
        """What machines share."""
        return self.folder / "runs"

    @property
    def hosts(self) -> Path:
        """The names of all machines, as /etc/hosts."""
        return self.folder / "hosts"

    def log_of(self, name: str) -> Path:
        """What a machine said, over all its starts."""
        return self.folder / "logs" / f"{name}.log"

    def disk_of(self, name: str) -> Path:
        """The folder that is a machine's /tmp."""
        return self.folder / "disks" / name

    def prepare(self, addresses: Mapping[str, str]) -> None:
        """Make the folders, and tell all machines the names of each other."""
        # Services that run as other users pass through.
        self.folder.chmod(0o755)
        for folder in (self.runs, self.folder / "logs"):
            folder.mkdir()
        lines = ["127.0.0.1 localhost", *(f"{ip} {name}" for name, ip in addresses.items())]
        self.hosts.write_text("".join(f"{line}\n" for line in lines))


class Machine:
    """`number`: the last byte of its address, above 1."""

    def __init__(self, site: Site, part: Part, number: int) -> None:
        self.site = site
        self.part = part
        self.address = f"{PREFIX}{number}"
        self.networks_seen: set[str] = set()
        """The namespaces that it had, to find what is left of them."""
        self._process: subprocess.Popen[bytes] | None = None
        self.disk = site.disk_of(part.name)

    @property
    def name(self) -> str:
        """Of the machine and of its part."""
        return self.part.name

    @property
    def exit_code(self) -> int | None:
        """Of a part that ends; None while it runs."""
        return None if self._process is None else self._process.poll()

    def switch_on(self) -> None:
        """Start it, with its cable plugged in. Raises TimeoutError."""
        if not self.disk.exists():
            self.disk.mkdir(parents=True)
            # As /tmp is: parts run as users of their own.
            self.disk.chmod(0o1777)
            (self.disk / "home").mkdir()
            for name, content in self.part.files.items():
                (self.disk / name).write_bytes(content)
                (self.disk / name).chmod(0o444)
        boot = [
            *("sh", str(BOOT), self.name, f"{self.address}/{BITS}", str(self.disk)),
            *(str(self.site.hosts), str(self.site.runs), self.part.runs),
            "once" if self.part.ends else "always",
        ]
        with self.site.log_of(self.name).open("ab") as log:
            self._process = subprocess.Popen(
                [*SEPARATE, *boot, *self.part.command],
                env={"HOME": "/tmp/home", "LANG": "C.UTF-8", **self.part.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        self._lay_cable(self._process.pid)

    def _lay_cable(self, pid: int) -> None:
        own, deadline = _network_of("thread-self"), time.monotonic() + START_S
        # Before `unshare` has done its work a cable would end in the operator's own network.
        while (network := _network_of(str(pid))) == own:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.name} got no network in {START_S:g} s")
            time.sleep(0.01)
        self.networks_seen.add(network)
        self.site.network.lay(self.name, pid)

    def switch_off(self) -> None:
        """All its processes are killed at once, as without power; nobody is told. Returns when none
        is left. Raises TimeoutError."""
        if self._process is None:
            return
        self.site.network.remove(self.name)
        self._process.kill()
        self._process.wait(STOP_S)
        self._process = None
        # The kernel ends the others after the first, and takes its time on a busy machine.
        deadline = time.monotonic() + STOP_S
        while pids := processes_in(self.networks_seen):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{self.name} still has processes after {STOP_S:g} s: {pids}")
            time.sleep(0.02)

    def pull_cable(self) -> None:
        """Its processes go on, and reach nobody."""
        self.site.network.pull(self.name)

    def plug_cable(self) -> None:
        """Undo `pull_cable`."""
        self.site.network.plug(self.name)

    def wait(self, timeout_s: float) -> int:
        """The exit code of a part that ends. Raises subprocess.TimeoutExpired."""
        assert self._process is not None
        return self._process.wait(timeout_s)


def processes_in(networks: set[str]) -> list[int]:
    """Ids of the processes that live in one of these namespaces."""
    pids = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            if _network_of(entry.name) in networks:
                pids.append(int(entry.name))
        # It has ended meanwhile.
        except OSError:
            continue
    return pids


def _network_of(process: str) -> str:
    """The name of a process's network namespace. Raises OSError."""
    return str(Path("/proc", process, "ns", "net").readlink())
