"""The project's images, built in two chains side by side while tests that need fewer of them run.

Guarantees: an image is built once, and a test waits only for those that it names; no step of one
chain writes what the other sends to the engine; the first failed step fails every later one of its
chain with its log.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "vm_images"
STEP_S = 1500
CHAINS = (
    ("wheels app", "guard", "browser", "app", "desktop", "wheels trainer", "trainer"),
    ("postgres", "redis", "wheels policy", "policy"),
)
"""Targets of one Dockerfile share stages, so that they follow each other."""


class Images:
    """Begins to build at once. `docker_host`: address of the engine."""

    def __init__(self, docker_host: str, logs: Path) -> None:
        self._environment = {**os.environ, "DOCKER_HOST": docker_host, "PYTHON": sys.executable}
        self._logs = logs
        self._steps: dict[str, Future[None]] = {}
        self._pools = [ThreadPoolExecutor(1) for _ in CHAINS]
        for pool, chain in zip(self._pools, CHAINS, strict=True):
            before: Future[None] | None = None
            for step in chain:
                before = self._steps[step] = pool.submit(self._run, step, before)

    def get(self, target: str) -> str:
        """Name of the image, once it is built."""
        self._steps[target].result()
        return f"deskhand/{target}"

    def close(self) -> None:
        """Leaves out what no test has waited for; the steps under way end first."""
        for pool in self._pools:
            pool.shutdown(cancel_futures=True)

    def _run(self, step: str, before: Future[None] | None) -> None:
        if before is not None:
            before.result()
        log = self._logs / f"{step.replace(' ', '-')}.log"
        with log.open("wb") as output:
            done = subprocess.run(
                _command(step), env=self._environment, stdout=output, stderr=output, timeout=STEP_S
            )
        assert done.returncode == 0, f"{step}: {log.read_text()[-3000:]}"


def _command(step: str) -> Sequence[str | Path]:
    kind, _, name = step.rpartition(" ")
    if kind == "wheels":
        return [FOLDER / "wheels.sh", name]
    build: list[str | Path] = ["docker", "build", "-t", f"deskhand/{name}", "-f"]
    if name in ("postgres", "redis"):
        return [*build, FOLDER / "services" / f"{name}.Dockerfile", FOLDER / "services"]
    if name == "policy":
        return [*build, FOLDER / "policy" / "Dockerfile", FOLDER]
    return [*build, FOLDER / "Dockerfile", "--target", name, ROOT]
