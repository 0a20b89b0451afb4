"""A real evaluation on the local stack: killed, resumed, cancelled; nothing lost, nothing twice."""

from __future__ import annotations

import signal
from collections import Counter
from pathlib import Path

import psutil
import pytest

from agent_server.evaluation.job.runner import cancel_job
from tests.evaluation_jobs import arrived, ended, members, scored, started, table, wait_for
from tests.processes import left_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(280)]
ASKED = ["--policy", "oracle", "--controls", "--episodes", "8", "--trials", "2", "--seed", "3",
         "--concurrency", "2", "--no-screenshots"]  # fmt: skip
CELLS = 8 * 2 + 8 + 8


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

    output = ended("show", str(folder))
    assert "not complete" in output
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

    output = ended("compare", str(tmp_path / "calm"), str(folder))
    assert "difference +0.0%  [+0.0%, +0.0%]  p=1.0000" in output
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
    log = (tmp_path / "first.log").read_text()
    assert "Continue with: deskhand eval resume" in log
    assert log.index("starting a browser; logs: ") < log.index("episodes begin")

    with started(tmp_path / "second.log", "resume", str(folder)) as process:
        before = arrived(folder)
        wait_for(lambda: arrived(folder) > before, process)
        waiting, running = cancel_job(folder)
        assert waiting > 0
        assert running <= 2
        assert process.wait(60) == 130
    assert "the evaluation was cancelled" in (tmp_path / "second.log").read_text()
    states = Counter(slot.state for slot in members(folder).values())
    assert states["arrived"] > before
    assert states["cancelled"] > 0

    ended("resume", str(folder))
    assert arrived(folder) == 120
    assert len(scored(folder)) == 120, "no trial has two verdicts"
