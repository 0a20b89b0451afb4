"""A benchmark's result: figures with their device and commit, one JSON shape for all benchmarks.

`{"commit", "device", "figures": {name: {"p50", "p95", "n", "unit"}}}`; a plain number has p50 only.
The file is written beside its place and renamed, so a reader never sees half of it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import orjson
from rich.console import Console

from agent_server.provenance import commit, device


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
