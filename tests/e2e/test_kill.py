"""A run that loses worker, env host and policy server to kill -9 ends well by itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from agent_server.store.store import Store

TINY = [
    "imitate.episodes=42",
    "imitate.updates=30",
    "imitate.max_minutes=0.5",
    "reinforce.iterations=3",
    "reinforce.groups=4",
    "reinforce.group_size=4",
    "reinforce.max_minutes=3",
    "pulse.updates=4",
    "pulse.max_minutes=0.2",
    "eval.episodes=42",
    "serve.concurrency=8",
]
DEADLINE_S = 600


@pytest.fixture
def run(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    command = [sys.executable, "-m", "agent_server", "demo", "--preset", "smoke"]
    command += ["--runs", str(tmp_path)]
    for override in TINY:
        command += ["--set", override]
    with (tmp_path / "output.log").open("wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        yield process, tmp_path
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_for(condition: Any, process: subprocess.Popen[bytes], what: str) -> Any:
    until = time.monotonic() + DEADLINE_S
    while time.monotonic() < until:
        value = condition()
        if value:
            return value
        assert process.poll() is None, f"the run ended before {what}"
        time.sleep(0.5)
    raise AssertionError(f"no {what} within {DEADLINE_S} s")


def _terminal(run_dir: Path, phase: str) -> int:
    store = Store(f"sqlite:///{run_dir / 'deskhand.db'}")
    try:
        counts = store.episodes.accounting(run_dir.name, phase)
        return counts.scored + counts.truncated + sum(counts.invalid.values())
    finally:
        store.close()


@pytest.mark.e2e
@pytest.mark.timeout(900)
def test_a_run_survives_kill_9_of_worker_host_and_policy_server(
    run: tuple[subprocess.Popen[bytes], Path],
) -> None:
    process, folder = run
    described = _wait_for(lambda: list(folder.glob("*/stack.json")), process, "stack.json")[0]
    run_dir = described.parent
    children: dict[str, int] = json.loads(described.read_text())["children"]
    below = psutil.Process(process.pid).children(recursive=True)

    _wait_for(lambda: _terminal(run_dir, "imitate") >= 8, process, "demonstrations")
    os.kill(children["worker"], signal.SIGKILL)
    _wait_for(lambda: _terminal(run_dir, "imitate/eval") >= 4, process, "evaluation")
    os.kill(children["host"], signal.SIGKILL)
    _wait_for(lambda: _terminal(run_dir, "reinforce-1") >= 4, process, "reinforcement")
    os.kill(children["policy"], signal.SIGKILL)

    code = process.wait(DEADLINE_S)
    assert code == 0, (folder / "output.log").read_text()[-3000:]
    report = json.loads((run_dir / "report.json").read_text())
    counts = report["episodes"]
    ended = counts["scored"] + counts["truncated"] + counts["cancelled"]
    assert counts["dispatched"] == ended + sum(counts["invalid"].values())
    assert counts["retried"] > 0
    assert counts["invalid"].get("worker_lost", 0) > 0
    for phase in report["phases"]:
        assert phase["eval"]["n"] == 42
    store = Store(f"sqlite:///{run_dir / 'deskhand.db'}")
    try:
        assert store.episodes.accounting(run_dir.name).balanced
    finally:
        store.close()
    left = [child for child in below if child.is_running() and child.status() != "zombie"]
    assert not left, f"left running: {left}"
