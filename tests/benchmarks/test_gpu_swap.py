"""Swaps between two processes, with a tiny model on a CPU: shared memory instead of CUDA IPC."""

from __future__ import annotations

from benchmarks.gpu_swap import measure_swap


def test_both_ways_are_verified() -> None:
    figures = measure_swap("tiny", 2, "cpu", lambda line: None)
    for way in ("ipc", "files"):
        assert figures[f"{way}_s"]["n"] == 2
        assert figures[f"{way}_verified_s"]["p50"] > figures[f"{way}_s"]["p50"]
        assert figures[f"{way}_probe_gap"]["p50"] < 0.02
    assert figures["files_write_s"]["p50"] > 0
