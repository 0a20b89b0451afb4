"""A run that loses worker, env host and policy server to kill -9 ends well by itself."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import psutil
import pytest

from tests.e2e.runs import DEADLINE_S, TINY, accounting, command, ended, started, wait_for
from tests.processes import left_of


@pytest.mark.e2e
@pytest.mark.timeout(900)
def test_a_run_survives_kill_9_of_worker_host_and_policy_server(tmp_path: Path) -> None:
    output = tmp_path / "output.log"
    arguments = command("demo", "--preset", "smoke", "--runs", str(tmp_path), overrides=TINY)
    with started(output, arguments) as process:
        (described,) = wait_for(lambda: list(tmp_path.glob("*/stack.json")), process, "stack.json")
        run_dir = described.parent
        children: dict[str, int] = json.loads(described.read_text())["children"]
        below = psutil.Process(process.pid).children(recursive=True)

        wait_for(lambda: ended(run_dir, "imitate") >= 8, process, "demonstrations")
        os.kill(children["worker"], signal.SIGKILL)
        wait_for(lambda: ended(run_dir, "imitate/eval") >= 4, process, "evaluation")
        os.kill(children["host"], signal.SIGKILL)
        wait_for(lambda: ended(run_dir, "reinforce-1") >= 4, process, "reinforcement")
        os.kill(children["policy"], signal.SIGKILL)
        below += psutil.Process(process.pid).children(recursive=True)

        code = process.wait(DEADLINE_S)
    assert code == 0, output.read_text()[-3000:]
    report = json.loads((run_dir / "report.json").read_text())
    counts = report["episodes"]
    terminal = counts["scored"] + counts["truncated"] + counts["cancelled"]
    assert counts["dispatched"] == terminal + sum(counts["invalid"].values())
    assert counts["retried"] > 0
    assert counts["invalid"].get("worker_lost", 0) > 0
    for phase in report["phases"]:
        assert phase["eval"]["n"] == 42
    assert accounting(run_dir).is_balanced
    assert not left_of(below)
