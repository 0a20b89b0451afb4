"""A real evaluation on the local stack: killed, resumed, cancelled; nothing lost, nothing twice."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from agent_server.evaluation.job import cancel_job
from agent_server.evaluation.plan import Evaluation
from agent_server.store.queries import Slot
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.outcomes import Status
from tests.processes import left_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(280)]
ASKED = ["--policy", "oracle", "--controls", "--episodes", "8", "--trials", "2", "--seed", "3",
         "--concurrency", "2", "--no-screenshots"]  # fmt: skip
CELLS = 8 * 2 + 8 + 8


def deskhand(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "agent_server", "eval", *arguments]


def ended(*arguments: str, code: int = 0) -> str:
    done = subprocess.run(
        deskhand(*arguments), capture_output=True, text=True, timeout=200, check=False,
        env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@contextlib.contextmanager
def started(output: Path, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
    with output.open("wb") as log:
        process = subprocess.Popen(
            deskhand(*arguments), stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(60)


def slots(folder: Path) -> dict[tuple[str, int], Slot]:
    if not (folder / "deskhand.db").exists():
        return {}
    with Store(f"sqlite:///{folder / 'deskhand.db'}") as store:
        return store.episodes.slots(Evaluation.read(folder).run_id)


def arrived(folder: Path) -> int:
    return sum(slot.state == "arrived" for slot in slots(folder).values())


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 120
    while not condition():
        assert process.poll() is None, "the job ended too early"
        assert time.monotonic() < until
        time.sleep(0.1)


def scored(folder: Path) -> dict[str, Episode]:
    with Store(f"sqlite:///{folder / 'deskhand.db'}") as store:
        run_id = Evaluation.read(folder).run_id
        found = store.episodes.page(run_id=run_id, status=[Status.SCORED], limit=500)
    return {row.id: row for row in found.episodes}


def table(figures: Path) -> list[dict[str, Any]]:
    """What must not depend on how the job went: all but times."""
    found = json.loads(figures.read_text())
    assert found["complete"]
    for policy in found["policies"]:
        for row in (policy["total"], *policy["domains"]):
            del row["wall_s"], row["time_s"]
    policies: list[dict[str, Any]] = found["policies"]
    return policies


def test_a_job_killed_in_mid_flight_is_resumed_to_the_table_of_an_undisturbed_one(
    tmp_path: Path,
) -> None:
    calm, killed = tmp_path / "calm.json", tmp_path / "killed.json"
    ended(*ASKED, "--runs", str(tmp_path), "--name", "calm", "--json", str(calm))

    folder = tmp_path / "killed"
    arguments = [*ASKED, "--runs", str(tmp_path), "--name", "killed"]
    with started(tmp_path / "killed.log", *arguments) as process:
        wait_for(lambda: arrived(folder) >= 5, process)
        below = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGKILL)
        process.wait(10)
    assert not left_of(below, timeout_s=30)
    before = scored(folder)
    assert 5 <= len(before) < CELLS

    said = ended("show", str(folder))
    assert "not complete" in said
    ended("resume", str(folder), "--json", str(killed))
    after = scored(folder)
    assert len(after) == CELLS
    assert all(after[key] == row for key, row in before.items())
    members = Counter((row.group_id, row.slot) for row in after.values())
    assert set(members.values()) == {1}
    assert table(killed) == table(calm)

    oracle, noop, infeasible = table(calm)
    assert (oracle["total"]["n"], oracle["total"]["success_rate"]) == (16, 1.0)
    assert (noop["total"]["n"], noop["total"]["solved"], noop["control"]) == (8, 0, True)
    assert (infeasible["total"]["n"], infeasible["total"]["solved"]) == (8, 0)

    said = ended("compare", str(tmp_path / "calm"), str(folder))
    assert "difference +0.0%  [+0.0%, +0.0%]  p=1.0000" in said
    ended("resume", str(folder))
    assert scored(folder) == after, "there is nothing left to do"


def test_a_job_stops_on_ctrl_c_is_cancelled_from_outside_and_still_ends_when_resumed(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "job"
    arguments = ["--policy", "oracle", "--episodes", "60", "--trials", "2", "--concurrency", "2",
                 "--runs", str(tmp_path), "--name", "job"]  # fmt: skip
    with started(tmp_path / "first.log", *arguments) as process:
        wait_for(lambda: arrived(folder) >= 2, process)
        below = psutil.Process(process.pid).children(recursive=True)
        second = ended("resume", str(folder), code=1)
        assert "is in use by process" in second
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
    assert not left_of(below)
    assert "Continue with: deskhand eval resume" in (tmp_path / "first.log").read_text()

    with started(tmp_path / "second.log", "resume", str(folder)) as process:
        before = arrived(folder)
        wait_for(lambda: arrived(folder) > before, process)
        assert cancel_job(folder) > 0
        assert process.wait(60) == 130
    assert "the evaluation was cancelled" in (tmp_path / "second.log").read_text()
    states = Counter(slot.state for slot in slots(folder).values())
    assert states["arrived"] > before
    assert states["cancelled"] > 0

    ended("resume", str(folder))
    assert arrived(folder) == 120
    assert len(scored(folder)) == 120, "no trial has two verdicts"
