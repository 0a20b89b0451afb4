"""A training run as its folder and the database have it, without training."""

from __future__ import annotations

from typing import Any

import orjson

from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import PolicyVersion, Run

RUN = "smoke-1"
EVENTS: list[dict[str, Any]] = [
    {"event": "imitate", "step": 0, "entropy": 0.4},
    {"event": "reinforce", "step": 0, "success": 0.2, "flat": 1, "stale": 0, "entropy_mean": 0.3},
    {"event": "reinforce", "step": 1, "success": 0.4, "flat": 0, "stale": 2, "entropy_mean": 0.2},
    {"event": "swap", "step": 1, "pause_ms": 20.0, "accepted": 1},
]
PHASES = [
    {"name": "imitate", "policy_version": 1, "eval": {}},
    {
        "name": "reinforce",
        "policy_version": 2,
        "eval": {"success_rate": 0.25, "ci95": [0.1, 0.45], "n": 20},
    },
]
IDLE = {"learner": 0.5, "policy": 0.25, "environments": None}
EPISODES = {"scored": 8, "truncated": 1, "cancelled": 0, "invalid": {}}


def start_training(settings: Settings) -> None:
    """The run, one swap, and curves so far."""
    settings.run_dir.mkdir(parents=True, exist_ok=True)
    with Store.open(settings) as store:
        store.runs.create(Run(id=RUN, kind="train", preset="smoke", seed=3))
        number = store.runs.add_version(
            PolicyVersion(run_id=RUN, version=1, phase="imitate", path="v1", sha256="0")
        )
        store.runs.set_version(number, "live", verify={"mean_abs_diff": 0.004}, pause_ms=20.0)
    write(settings, "run.json", {"run_id": RUN, "records": PHASES[:1]})
    lines = [orjson.dumps(event) for event in EVENTS]
    (settings.run_dir / "metrics.jsonl").write_bytes(b"\n".join(lines) + b'\n{"event": "re')


def end_training(settings: Settings) -> None:
    """The report is written and the run has finished."""
    write(settings, "run.json", {"run_id": RUN, "records": PHASES})
    report = {
        "run_id": RUN,
        "wall_s": 90.0,
        "phases": [PHASES[0], PHASES[1] | {"idle": IDLE}],
        "episodes": EPISODES,
        "throughput": {"env_steps_per_s": 14.0, "trained_tokens_per_s": None, "idle": IDLE},
        "staleness": {"mean": 0.57, "max": 1},
    }
    write(settings, "report.json", report)
    with Store.open(settings) as store:
        store.runs.set_status(RUN, "finished")


def write(settings: Settings, name: str, value: dict[str, Any]) -> None:
    (settings.run_dir / name).write_bytes(orjson.dumps(value))
