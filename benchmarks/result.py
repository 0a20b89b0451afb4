"""A benchmark's result: figures with their commit and machine, one JSON shape for all benchmarks.

`{"commit", "device", "calibration", "figures"}`, where a figure is `{"p50", "p95", "n", "unit"}`;
one number has p50 only. The file is written beside its place and renamed: nobody reads half of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

import orjson
from rich.console import Console

from agent_server.provenance import commit, device
from benchmarks.calibration import calibrate
from benchmarks.figures import Figure
from envs.io.atomic_write import write_whole


class Result(TypedDict):
    """The content of a benchmark's JSON file."""

    commit: str
    device: str
    calibration: dict[str, Figure]
    figures: dict[str, Figure]


def make_result(figures: dict[str, Figure], calibration: dict[str, Figure] | None = None) -> Result:
    """Figures with their commit and machine; those that count instead of time need no
    calibration."""
    return {
        "commit": commit(),
        "device": device(),
        "calibration": calibration or {},
        "figures": figures,
    }


def report(figures: dict[str, Figure], console: Console, path: Path | None) -> None:
    """Prints the figures after the machine's calibration, which takes about five seconds, and
    writes both to `path` as JSON if there is one."""
    result = make_result(figures, calibrate())
    show(result, console)
    if path is not None:
        write(path, result)


def write(path: Path, result: Result) -> None:
    """Writes the JSON file atomically; missing folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, [orjson.dumps(result, option=orjson.OPT_INDENT_2) + b"\n"])


def show(result: Result, console: Console) -> None:
    """Prints a line for each figure, those of the calibration first."""
    console.print(f"{result['device']}, commit {result['commit'] or 'unknown'}")
    named = {f"calibration.{name}": figure for name, figure in result["calibration"].items()}
    for name, figure in (named | result["figures"]).items():
        tail = f"   p95 {figure['p95']:,.3f}   n {figure['n']}" if "p95" in figure else ""
        console.print(f"{name:36} {figure['p50']:>12,.3f} {figure['unit']}{tail}")
