"""A benchmark's result: figures with their device and commit, one JSON shape for all benchmarks.

`{"commit", "device", "figures": {name: {"p50", "p95", "n", "unit"}}}`; a plain number has p50 only.
The file is written beside its place and renamed, so a reader never sees half of it.
"""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import orjson
import psutil
from rich.console import Console

ROOT = Path(__file__).resolve().parent.parent


class Figure(TypedDict, total=False):
    p50: float
    p95: float
    n: int
    unit: str


class Result(TypedDict):
    commit: str
    device: str
    figures: dict[str, Figure]


def sampled(values: Sequence[float], unit: str) -> Figure:
    """Median and 95th percentile of one measurement or more."""
    return {
        "p50": round(quantile(values, 0.5), 3),
        "p95": round(quantile(values, 0.95), 3),
        "n": len(values),
        "unit": unit,
    }


def plain(value: float, unit: str) -> Figure:
    return {"p50": round(value, 3), "unit": unit}


def quantile(values: Sequence[float], q: float) -> float:
    """By linear interpolation between the two neighbours. Raises ValueError when empty."""
    if not values:
        raise ValueError("no values were measured")
    ordered = sorted(values)
    place = q * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def result(figures: dict[str, Figure]) -> Result:
    return {"commit": commit(), "device": device(), "figures": figures}


def write(path: Path, measured: Result) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(orjson.dumps(measured, option=orjson.OPT_INDENT_2) + b"\n")
    beside.replace(path)


def show(measured: Result, console: Console) -> None:
    """The figures as lines for people."""
    console.print(f"{measured['device']}, commit {measured['commit'] or 'unknown'}")
    for name, figure in measured["figures"].items():
        tail = f"   p95 {figure['p95']:,.3f}   n {figure['n']}" if "p95" in figure else ""
        console.print(f"{name:36} {figure['p50']:>12,.3f} {figure['unit']}{tail}")


def commit() -> str:
    """The checkout's commit, "+" when files differ from it; "" outside a checkout."""
    try:
        described = subprocess.run(
            ["git", "describe", "--always", "--abbrev=12", "--dirty=+"],
            cwd=ROOT, capture_output=True, text=True, timeout=10, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return ""
    return described.stdout.strip()


def device() -> str:
    memory = psutil.virtual_memory().total / 2**30
    return f"{len(os.sched_getaffinity(0))} x {_cpu()}, {memory:.0f} GiB, {platform.system()}"


def _cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()
