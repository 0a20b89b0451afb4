"""Which code ran on which machine: the provenance of every measured figure."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parent.parent


def commit() -> str:
    """The checkout's commit, "+" when files differ from it; "" outside a checkout."""
    try:
        described = subprocess.run(
            ["git", "describe", "--always", "--exclude=*", "--abbrev=12", "--dirty=+"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return described.stdout.strip()


def device() -> str:
    """Cores, processor, memory and system of this machine."""
    memory = psutil.virtual_memory().total / 2**30
    return f"{len(os.sched_getaffinity(0))} x {_cpu()}, {memory:.0f} GiB, {platform.system()}"


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
