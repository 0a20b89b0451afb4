"""One run with a model of a published family, its own tokenizer and chat template: used over HTTP
while it works, refused a second time, robbed of its parts by kill -9, interrupted, resumed,
reported."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tests.e2e.runs import (
    DEADLINE_S,
    EVALUATED,
    TINY,
    accounting,
    command,
    ended,
    started,
    wait_for,
)
from tests.processes import left_of
from trainer.tiny_models import make_tiny_model
from trainer.tokenizer import load_tokenizer

pytestmark = pytest.mark.e2e
KEYS = {
    "run_id", "preset", "seed", "wall_s", "phases", "episodes", "swaps", "throughput", "mismatch",
    "staleness",
}  # fmt: skip


def run_a_task(described: dict[str, Any]) -> dict[str, Any]:
    """POST /v1/tasks, followed to its end by its events."""
    headers = {"authorization": f"Bearer {described['api_key']}"}
    with httpx.Client(base_url=described["api_url"], headers=headers, timeout=120) as client:
        body = {"gym": "shop", "template": "cheapest", "seed": 7, "screenshots": True}
        created = client.post("/v1/tasks", json=body)
        assert created.status_code == 201, created.text
        task = created.json()["id"]
        with client.stream("GET", f"/v1/tasks/{task}/events") as events:
            for line in events.iter_lines():
                if line.startswith("event: end"):
                    break
        done: dict[str, Any] = client.get(f"/v1/tasks/{task}").json()
        steps = client.get(f"/v1/tasks/{task}/trajectory").json()["steps"]
        assert len(steps) == done["steps"] > 0
        picture = client.get(f"/v1/tasks/{task}/screenshots/{steps[0]['screenshot']}")
        assert picture.headers["content-type"].startswith("image/")
        return done


def check_template(run_dir: Path, model: Path) -> None:
    """The policy was asked in the model's own chat template."""
    step = next(
        step
        for file in run_dir.glob("episodes/*/steps.jsonl")
        for step in map(json.loads, file.read_text().splitlines())
        if step["completion"]["token_ids"]
    )
    prompt = load_tokenizer(model).decode(step["completion"]["prompt_ids"])
    assert prompt.startswith("<|im_start|>user\npage: ")
    assert "\ntask: " in prompt
    assert prompt.endswith("<|im_end|>\n<|im_start|>assistant\n")


def resume_is_refused(run_dir: Path) -> bool:
    """While the run works, in one sentence that names its folder."""
    again = subprocess.run(
        command("train", "--resume", str(run_dir)), capture_output=True, text=True, timeout=300
    )
    is_one_line = len(again.stderr.strip().splitlines()) == 1
    return again.returncode == 1 and str(run_dir) in again.stderr and is_one_line


def check_report(run_dir: Path) -> None:
    """It has all figures, and accounts for what was lost."""
    report = json.loads((run_dir / "report.json").read_text())
    assert report.keys() >= KEYS
    names = [phase["name"] for phase in report["phases"]]
    assert names == ["imitate", "reinforce-1", "pulse", "reinforce-2"]
    assert all(phase["eval"]["n"] == EVALUATED for phase in report["phases"])
    for figures in (report["generalisation"][name] for name in ("template", "app")):
        assert (figures["n"], len(figures["ci95"])) == (3, 2)
        assert set(figures["controls"]) == {"noop", "random"}
    assert [(pair["first"], pair["second"]) for pair in report["paired"]] == [
        *pairwise(names),
        (names[0], names[-1]),
    ]
    assert report["swaps"]["count"] >= 1, "after imitation; what follows swaps where it learns"
    counts = report["episodes"]
    terminal = counts["scored"] + counts["truncated"] + counts["cancelled"]
    assert counts["dispatched"] == terminal + sum(counts["invalid"].values())
    assert counts["retried"] > 0
    assert counts["invalid"].get("worker_lost", 0) > 0
    assert accounting(run_dir).is_balanced
    assert "<svg" in (run_dir / "report.html").read_text()


@pytest.mark.timeout(1500)
def test_a_run_serves_tasks_survives_kill_9_of_its_parts_stops_on_ctrl_c_and_ends_when_resumed(
    tmp_path: Path,
) -> None:
    make_tiny_model("qwen3", tmp_path / "model")
    chosen = [*TINY, f"model.path={tmp_path / 'model'}", "model.max_model_len=2048"]
    # Long enough for all that happens to it: it ends when it is resumed.
    chosen.append("reinforce.iterations=200")
    first = command("demo", "--preset", "smoke", "--runs", str(tmp_path), overrides=chosen)
    with started(tmp_path / "first.log", first) as process:
        (described,) = wait_for(lambda: list(tmp_path.glob("*/stack.json")), process, "stack.json")
        run_dir = described.parent
        children: dict[str, int] = json.loads(described.read_text())["children"]
        below = psutil.Process(process.pid).children(recursive=True)
        wait_for(lambda: ended(run_dir, "imitate") >= 8, process, "demonstrations")
        os.kill(children["worker"], signal.SIGKILL)
        wait_for(lambda: ended(run_dir, "imitate/eval") >= 1, process, "evaluation")
        done = run_a_task(json.loads(described.read_text()))
        assert done["status"] in ("scored", "truncated")
        assert done["policy_version"] == 1, "the version that imitate made"
        check_template(run_dir, tmp_path / "model")
        assert resume_is_refused(run_dir)

        wait_for(lambda: ended(run_dir, "reinforce-1") >= 4, process, "reinforcement")
        os.kill(children["host"], signal.SIGKILL)
        wait_for(lambda: ended(run_dir, "reinforce-1") >= 20, process, "more of it")
        os.kill(children["policy"], signal.SIGKILL)
        wait_for(lambda: ended(run_dir, "reinforce-1") >= 40, process, "still more of it")
        below += psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130, (tmp_path / "first.log").read_text()[-2000:]
        assert not left_of(below)
    assert json.loads((run_dir / "run.json").read_text())["status"] == "interrupted"

    resume = command("train", "--resume", str(run_dir), overrides=["reinforce.iterations=3"])
    with started(tmp_path / "second.log", resume) as process:
        code = process.wait(DEADLINE_S)
    assert code == 0, (tmp_path / "second.log").read_text()[-3000:]
    check_report(run_dir)
