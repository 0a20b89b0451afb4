"""One run with a model of a published family, its own tokenizer and chat template: used over HTTP
while it works, interrupted, refused a second time, resumed, reported."""

from __future__ import annotations

import json
import signal
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from tests.e2e.runs import DEADLINE_S, TINY, accounting, command, ended, started, wait_for
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


@pytest.mark.timeout(1200)
def test_a_run_serves_tasks_stops_on_ctrl_c_and_ends_when_resumed(tmp_path: Path) -> None:
    make_tiny_model("qwen3", tmp_path / "model")
    small = ["model.max_model_len=2048", "imitate.updates=10"]
    chosen = [*TINY, f"model.path={tmp_path / 'model'}", *small]
    first = command("demo", "--preset", "smoke", "--runs", str(tmp_path), overrides=chosen)
    with started(tmp_path / "first.log", first) as process:
        (described,) = wait_for(lambda: list(tmp_path.glob("*/stack.json")), process, "stack.json")
        run_dir = described.parent
        wait_for(lambda: ended(run_dir, "imitate/eval") >= 1, process, "evaluation")
        done = run_a_task(json.loads(described.read_text()))
        assert done["status"] in ("scored", "truncated")
        assert done["policy_version"] == 1, "the version that imitate made"
        check_template(run_dir, tmp_path / "model")

        again = subprocess.run(
            command("train", "--resume", str(run_dir)), capture_output=True, text=True, timeout=120
        )
        assert again.returncode == 1
        assert str(run_dir) in again.stderr
        assert len(again.stderr.strip().splitlines()) == 1, again.stderr

        wait_for(lambda: ended(run_dir, "reinforce-1") >= 1, process, "reinforcement")
        below = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130, (tmp_path / "first.log").read_text()[-2000:]
        assert not left_of(below)
    assert json.loads((run_dir / "run.json").read_text())["status"] == "interrupted"

    with started(tmp_path / "second.log", command("train", "--resume", str(run_dir))) as process:
        code = process.wait(DEADLINE_S)
    assert code == 0, (tmp_path / "second.log").read_text()[-3000:]
    report = json.loads((run_dir / "report.json").read_text())
    assert report.keys() >= KEYS
    names = [phase["name"] for phase in report["phases"]]
    assert names == ["imitate", "reinforce-1", "pulse", "reinforce-2"]
    assert all(phase["eval"]["n"] == 42 for phase in report["phases"])
    for figures in (report["generalisation"][name] for name in ("template", "app")):
        assert (figures["n"], len(figures["ci95"])) == (3, 2)
        assert set(figures["controls"]) == {"noop", "random"}
    assert [(pair["first"], pair["second"]) for pair in report["paired"]] == [
        *pairwise(names),
        (names[0], names[-1]),
    ]
    assert report["swaps"]["count"] >= 1, "after imitation; what follows swaps where it learns"
    assert report["swaps"]["failed_requests"] == 0
    assert accounting(run_dir).is_balanced
    assert "<svg" in (run_dir / "report.html").read_text()
