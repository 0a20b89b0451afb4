"""A benchmark's result: figures with their device and commit, one JSON shape for all benchmarks.

`{"commit", "device", "figures": {name: {"p50", "p95", "n", "unit"}}}`; one number has p50 only.
The file is written beside its place and renamed, so a reader never sees half of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TypedDict

import orjson
from rich.console import Console

from agent_server.provenance import commit, device
from envs.io.atomic_write import write_whole


class Figure(TypedDict, total=False):
    """Percentiles of `n` measurements, or one number as `p50`."""

    p50: float
    p95: float
    n: int
    unit: str


class Result(TypedDict):
    """The content of a benchmark's JSON file."""

    commit: str
    device: str
    figures: dict[str, Figure]


def percentiles(values: Sequence[float], unit: str) -> Figure:
    """Median and 95th percentile. Raises ValueError when there is no measurement."""
    return {
        "p50": round(quantile(values, 0.5), 3),
        "p95": round(quantile(values, 0.95), 3),
        "n": len(values),
        "unit": unit,
    }


def number(value: float, unit: str) -> Figure:
    """A figure that was measured or counted once."""
    return {"p50": round(value, 3), "unit": unit}


def rate(count: int, seconds: float, unit: str) -> Figure:
    """Events a second; `n` is their number."""
    return {"p50": round(count / seconds, 2), "n": count, "unit": unit}


def quantile(values: Sequence[float], q: float) -> float:
    """By linear interpolation between the two neighbours. Raises ValueError when empty."""
    if not values:
        raise ValueError("no values were measured")
    ordered = sorted(values)
    place = q * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def make_result(figures: dict[str, Figure]) -> Result:
    """Adds the commit and the device on which the figures were measured."""
    return {"commit": commit(), "device": device(), "figures": figures}


def report(figures: dict[str, Figure], console: Console, path: Path | None) -> None:
    """Prints the figures, and writes them to `path` as JSON if there is one."""
    result = make_result(figures)
    show(result, console)
    if path is not None:
        write(path, result)


def write(path: Path, result: Result) -> None:
    """Writes the JSON file atomically; missing folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [orjson.dumps(result, option=orjson.OPT_INDENT_2) + b"\n"])


def show(result: Result, console: Console) -> None:
    """Prints a line for each figure."""
    console.print(f"{result['device']}, commit {result['commit'] or 'unknown'}")
    for name, figure in result["figures"].items():
        tail = f"   p95 {figure['p95']:,.3f}   n {figure['n']}" if "p95" in figure else ""
        console.print(f"{name:36} {figure['p50']:>12,.3f} {figure['unit']}{tail}")
