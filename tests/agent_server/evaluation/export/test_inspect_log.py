"""Inspect's log format: what is in it, and that the published package reads it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_server.evaluation.export.inspect_log import export_inspect
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import read_trials
from envs.contract.outcomes import EndReason
from tests.agent_server.evaluation.recorded_evaluation import End, record, task

TASKS = [("mail", task("box/m1")), ("files", task("f1"))]
ENDS = {
    ("oracle", "box/m1", 0): End(tokens=3),
    ("oracle", "box/m1", 1): End(score=0.25, reason=EndReason.STEP_LIMIT),
    ("oracle", "f1", 0): End(lost=True),
    ("noop", "box/m1", 0): End(score=0),
    ("noop", "f1", 0): End(score=0),
}
INSPECT = Path(sys.prefix).with_name(".venv-inspect") / "bin" / "python"
READ = """
import json, sys
from inspect_ai.log import read_eval_log
for path in sys.argv[1:]:
    log = read_eval_log(path)
    print(json.dumps({
        "status": log.status, "model": log.eval.model, "epochs": log.eval.config.epochs,
        "accuracy": log.results.scores[0].metrics["accuracy"].value,
        "samples": [[one.id, one.epoch, one.scores["deskhand"].as_float() if one.scores else None,
                     one.error and one.error.message, one.messages[1].text]
                    for one in log.samples],
    }))
"""


@pytest.fixture
def logs(tmp_path: Path) -> list[Path]:
    run, to = tmp_path / "run", tmp_path / "to"
    evaluation = record(run, EvalSpec(policy="oracle", trials=2, controls=True), TASKS, ENDS)
    lines = list(export_inspect(to, run, evaluation, read_trials(run, evaluation)))
    names = [f"2026-01-02T00-00-00_shop_{entry}.json" for entry in ("oracle", "noop", "infeasible")]
    assert lines == [
        f"wrote {count} trials to {to / name}"
        for count, name in zip(("3 of 4", "2 of 2", "0 of 2"), names, strict=True)
    ]
    return [to / name for name in names]


def test_a_log_a_policy_with_a_sample_a_trial(logs: list[Path]) -> None:
    oracle, noop, infeasible = (json.loads(path.read_bytes()) for path in logs)
    assert [entry["status"] for entry in (oracle, noop, infeasible)] == [
        "started",
        "success",
        "started",
    ]
    samples: dict[tuple[str, int], Any] = {
        (entry["id"], entry["epoch"]): entry for entry in oracle["samples"]
    }
    assert set(samples) == {("box/m1", 1), ("box/m1", 2), ("f1", 1)}
    solved, partial, lost = samples["box/m1", 1], samples["box/m1", 2], samples["f1", 1]
    assert solved["scores"]["deskhand"] == {"value": 1.0, "answer": None, "explanation": "done"}
    usage = {"input_tokens": 0, "output_tokens": 6, "total_tokens": 6}
    assert solved["model_usage"] == {"deskhand/oracle": usage}
    assert [entry["role"] for entry in solved["messages"]] == ["user", "assistant"] * 2
    assert partial["scores"]["deskhand"]["value"] == 0.25
    assert partial["limit"]["limit"] == TASKS[0][1].limits.max_steps
    assert (lost.get("scores"), lost["error"]["message"]) == (None, "lost: stale: taken away")
    metrics = oracle["results"]["scores"][0]["metrics"]
    assert metrics["accuracy"]["value"] == 0.25, "1 of 4, whatever was lost"
    assert metrics["mean"]["value"] == 1.25 / 4
    assert oracle["eval"]["metadata"]["stamp"]["applications"] == {"chromium": "1"}


@pytest.mark.osworld_parity
def test_inspect_itself_reads_the_logs(logs: list[Path]) -> None:
    done = subprocess.run([INSPECT, "-c", READ, *logs], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    oracle, noop, infeasible = map(json.loads, done.stdout.splitlines())
    assert (oracle["status"], oracle["model"], oracle["epochs"], oracle["accuracy"]) == (
        "started", "deskhand/oracle", 2, 0.25,
    )  # fmt: skip
    assert sorted(oracle["samples"]) == [
        ["box/m1", 1, 1.0, None, "so\nact"],
        ["box/m1", 2, 0.25, None, "so\nact"],
        ["f1", 1, None, "lost: stale: taken away", "so\nact"],
    ]
    assert (noop["status"], len(noop["samples"]), infeasible["samples"]) == ("success", 2, [])
