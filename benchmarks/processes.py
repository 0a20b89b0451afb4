"""CPU time and memory of the processes that a benchmark started."""

from __future__ import annotations

import contextlib
from collections import defaultdict

import psutil

ZYGOTE = "zygote"
"""Chromium's process that starts renderers, and waits for them when they end."""
KINDS = (
    ("envs.gyms.server", "gyms"),
    ("envs.host", "host"),
    ("agent_server.worker", "worker"),
    ("postgres", "database"),
    ("redis-server", "broker"),
    ("--type=renderer", "renderer"),
    ("--type=zygote", ZYGOTE),
    ("--type=gpu-process", "gpu"),
    ("--type=utility", "utility"),
    ("chrom", "chromium"),
)
"""(part of the command line, kind), first match: Chromium's helpers go by their type."""


def classify(command_line: str) -> str | None:
    """The kind of a process; None: it is none of the benchmark's."""
    return next((kind for mark, kind in KINDS if mark in command_line), None)


def processes_by_kind() -> list[tuple[str, psutil.Process]]:
    """(kind, process) of this process, the "client", and of those below it that have a kind."""
    client = psutil.Process()
    processes: list[tuple[str, psutil.Process]] = [("client", client)]
    for process in client.children(recursive=True):
        # A process may end at any moment: it is left out.
        with contextlib.suppress(psutil.Error):
            kind = classify(" ".join(process.cmdline()))
            if kind is not None:
                processes.append((kind, process))
    return processes


def cpu_seconds() -> dict[str, float]:
    """User and system time so far, by kind, that of renderers which have ended too; the
    zygote's own is Chromium's."""
    spent: dict[str, float] = defaultdict(float)
    for kind, process in processes_by_kind():
        with contextlib.suppress(psutil.Error):
            times = process.cpu_times()
            spent["chromium" if kind == ZYGOTE else kind] += times.user + times.system
            if kind == ZYGOTE:
                # Renderers come and go with the sites of the tasks; this is what the kernel keeps.
                spent["renderer"] += times.children_user + times.children_system
    return dict(spent)


def host_memory_mib() -> float:
    """Proportional set size of the host and its browser: all but the client and the gym server."""
    total = 0
    for kind, process in processes_by_kind():
        if kind not in ("client", "gyms"):
            with contextlib.suppress(psutil.Error):
                total += process.memory_full_info().pss
    return total / 2**20


def pss_mb(pid: int) -> float:
    """Proportional set size of a process and all below it, MB (10^6 bytes)."""
    root = psutil.Process(pid)
    total = 0
    for process in (root, *root.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess):
            total += process.memory_full_info().pss
    return total / 1e6
