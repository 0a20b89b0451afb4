"""A desktop evaluation that loses a desktop, the worker and its runner to kill -9 in one job."""

from __future__ import annotations

import json
import os
import signal
from collections import Counter
from pathlib import Path

import psutil
import pytest

from tests.evaluation_jobs import accounting, arrived, ended, scored, started, table, wait_for
from tests.processes import left_of

TASKS = Path("tasksets/bundled/desktop").resolve()
CHOSEN = {"pcmanfm": 6, "mousepad": 1}
CELLS = 2 * sum(CHOSEN.values())


@pytest.mark.e2e
@pytest.mark.desktop
@pytest.mark.timeout(400)
def test_a_job_that_lost_desktop_worker_and_runner_is_resumed_to_the_table_of_a_calm_one(
    tmp_path: Path,
) -> None:
    split = {
        domain: [file.stem for file in sorted((TASKS / domain).glob("*.json"))[:count]]
        for domain, count in CHOSEN.items()
    }
    some = tmp_path / "some.json"
    some.write_text(json.dumps(split))
    arguments = ["--tasks", str(TASKS), "--set", str(some), "--policy", "oracle", "--trials", "2",
             "--seed", "5", "--no-screenshots", "--runs", str(tmp_path)]  # fmt: skip
    calm, killed = tmp_path / "calm.json", tmp_path / "killed.json"
    ended(*arguments, "--name", "calm", "--json", str(calm))

    folder = tmp_path / "killed"
    with started(tmp_path / "killed.log", *arguments, "--name", "killed") as process:
        wait_for(lambda: arrived(folder) >= 2, process)
        children: dict[str, int] = json.loads((folder / "stack.json").read_text())["children"]
        below = psutil.Process(process.pid).children(recursive=True)
        os.kill(children["desktop"], signal.SIGKILL)
        wait_for(lambda: arrived(folder) >= 4, process)
        os.kill(children["worker"], signal.SIGKILL)
        wait_for(lambda: arrived(folder) >= 7, process)
        below += psutil.Process(process.pid).children(recursive=True)
        process.kill()
        process.wait(10)
    assert not left_of(below, timeout_s=30)
    before = scored(folder)
    assert 7 <= len(before) < CELLS

    with started(tmp_path / "resumed.log", "resume", str(folder), "--json", str(killed)) as process:
        wait_for(lambda: arrived(folder) > len(before), process)
        below = psutil.Process(process.pid).children(recursive=True)
        assert process.wait(120) == 0, (tmp_path / "resumed.log").read_text()
    assert not left_of(below)

    after = scored(folder)
    assert len(after) == CELLS
    assert all(after[key] == row for key, row in before.items())
    assert set(Counter((row.group_id, row.slot) for row in after.values()).values()) == {1}
    assert table(killed) == table(calm)
    assert table(calm)[0]["total"]["success_rate"] == 1.0

    counts = accounting(folder)
    assert counts.is_balanced
    assert counts.invalid.get("worker_lost", 0) > 0, "the worker's and the runner's"
    assert sum(counts.invalid.values()) > counts.invalid["worker_lost"], "the desktop's"
    assert accounting(tmp_path / "calm").invalid == {}
