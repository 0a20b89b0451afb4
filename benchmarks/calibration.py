"""How fast this machine is, in five fixed pieces of work that no change of Deskhand can speed up.

Every benchmark prints and stores them, so that figures of two machines can be compared: a figure
that grew with its calibration is the machine's, one that grew alone is ours. A calibration far from
its usual value also shows that other work ran at the time.

| figure | work |
|---|---|
| `loop_ms` | two million additions in a Python loop, one thread |
| `copy_gb_s` | copies of 128 MiB, read and written bytes counted once |
| `fp32_gflops`, `bf16_gflops` | square matrix products of 1024, all cores, 2 n^3 operations each |
| `page_ms` | a page of 200 table rows in a plain Chromium, from `goto` to its load event |
"""

from __future__ import annotations

import http.server
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import torch
from playwright.sync_api import sync_playwright

from benchmarks.figures import Figure, percentiles
from envs.browser.chromium import find_binary

ADDITIONS = 2_000_000
COPY_BYTES = 128 * 2**20
MATRIX = 1024
ROWS = 200
REPEATS = 7


def calibrate() -> dict[str, Figure]:
    """All figures of this machine, in about five seconds."""
    return {
        "loop_ms": percentiles([1000 * s for s in _seconds_of(_add_up)], "ms"),
        "copy_gb_s": _measure_copy(),
        "fp32_gflops": _measure_product(torch.float32),
        "bf16_gflops": _measure_product(torch.bfloat16),
        "page_ms": percentiles(_load_pages(), "ms"),
    }


def _seconds_of(work: Callable[[], object]) -> list[float]:
    """Times of REPEATS calls, after one that warms up."""
    work()
    seconds = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return seconds


def _add_up() -> int:
    total = 0
    for number in range(ADDITIONS):
        total += number
    return total


def _measure_copy() -> Figure:
    source, target = np.ones(COPY_BYTES, dtype=np.uint8), np.empty(COPY_BYTES, dtype=np.uint8)
    seconds = _seconds_of(lambda: np.copyto(target, source))
    return percentiles([COPY_BYTES / 1e9 / s for s in seconds], "GB/s")


def _measure_product(dtype: torch.dtype) -> Figure:
    threads = torch.get_num_threads()
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    try:
        left, right = (
            torch.ones(MATRIX, MATRIX, dtype=dtype),
            torch.ones(MATRIX, MATRIX, dtype=dtype),
        )
        seconds = _seconds_of(lambda: left @ right)
    finally:
        torch.set_num_threads(threads)
    return percentiles([2 * MATRIX**3 / 1e9 / s for s in seconds], "GFLOP/s")


class _Page(http.server.BaseHTTPRequestHandler):
    """Answers every request with the same page."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """The page of ROWS rows."""
        rows = "".join(
            f"<tr><td>{row}<td>name {row}<td><a href=/{row}>open</a>" for row in range(ROWS)
        )
        body = f"<!doctype html><title>page</title><table>{rows}</table>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Requests are not logged."""


@contextmanager
def _serve_page() -> Iterator[str]:
    """The page's address on a loopback port, until the end of the block."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _load_pages() -> list[float]:
    """Milliseconds of 3 x REPEATS loads in one tab."""
    with _serve_page() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_binary())
        try:
            page = browser.new_page()
            page.goto(address)
            milliseconds = []
            for _ in range(3 * REPEATS):
                started = time.perf_counter()
                page.goto(address)
                milliseconds.append((time.perf_counter() - started) * 1000)
        finally:
            browser.close()
    return milliseconds
