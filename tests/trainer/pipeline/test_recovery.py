"""A run that is killed with SIGKILL at random moments loses no episode, trains on none twice, and
its learner goes on bit for bit."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from agent_server.run_metrics import read_metrics
from agent_server.store.store import Store
from tests.trainer.pipeline.run_to_be_killed import GROUPS, ITERATIONS, KILLS, SIZE
from trainer.run_file import RunFile

PROGRAM = "tests.trainer.pipeline.run_to_be_killed"
START_S = 120.0
RUN_S = 600.0


def read_lines(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    lines = path.read_bytes().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith(b"\n")]


def wait_for_line(path: Path, count: int, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_S
    while len(read_lines(path)) <= count:
        assert process.poll() is None, "it ended before it had begun"
        assert time.monotonic() < until
        time.sleep(0.02)


@pytest.mark.timeout(3600)
def test_a_run_that_is_killed_at_random_moments(tmp_path: Path) -> None:
    run_dir, rng = tmp_path / "run", random.Random(KILLS)
    command = [sys.executable, "-m", PROGRAM, str(run_dir)]
    path = run_dir / "learners.jsonl"
    kills = 0
    for kill in range(KILLS):
        with (tmp_path / f"{kill}.log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
            wait_for_line(path, len(read_lines(path)), process)
            time.sleep(rng.uniform(0.0, 0.5))
            if process.poll() is None:
                process.kill()
                kills += 1
            process.wait(30)
    ended = subprocess.run(command, capture_output=True, timeout=RUN_S, check=False)
    assert ended.returncode == 0, ended.stderr[-3000:]
    assert kills == KILLS, "it had ended before"

    check_learner(read_lines(path))
    check_episodes(run_dir)


def check_learner(lines: list[dict[str, Any]]) -> None:
    """What was loaded is what was saved under the same number before: of the process that wrote
    the checkpoint whole, so the last of that number."""
    saved: dict[int, str] = {}
    loads = 0
    for line in lines:
        if line["event"] == "saved":
            saved[line["saves"]] = line["digest"]
        else:
            loads += 1
            assert line["digest"] == saved[line["saves"]]
    assert loads >= KILLS


def check_episodes(run_dir: Path) -> None:
    store = Store(f"sqlite:///{run_dir / 'deskhand.db'}")
    try:
        assert store.episodes.accounting("run", "reinforce").is_balanced
        members = store.episodes.members("run")
    finally:
        store.close()
    assert not [key for key, member in members.items() if member.state == "open"]
    run = RunFile.read(run_dir)
    (record,) = run.records
    assert (run.status, record.iterations) == ("finished", ITERATIONS)
    # Later lines of an iteration are of a process that repeated it.
    steps = {
        event["step"]: event for event in read_metrics(run_dir) if event["event"] == "reinforce"
    }
    assert sorted(steps) == list(range(ITERATIONS))
    lost = sum(event["lost"] for event in steps.values())
    assert sum(event["groups"] for event in steps.values()) == ITERATIONS * GROUPS
    expected = ITERATIONS * GROUPS * SIZE
    stale = sum(event["stale"] for event in steps.values())
    assert run.staleness.count + stale + lost == expected
    assert run.staleness.worst <= 1
