"""An evaluation as plain JSON lines: episodes.jsonl, steps.jsonl, and evaluation.json as it is."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from agent_server.evaluation.job.plan import EVALUATION_FILE, TASKS_FILE, Evaluation
from agent_server.evaluation.job.results import Trial
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts

TOKEN_FIELDS = {"completion": {"prompt_ids", "token_ids", "logprobs"}}


def export_jsonl(
    to: Path, folder: Path, evaluation: Evaluation, trials: Sequence[Trial]
) -> Iterator[str]:
    """Write one line a trial of the plan, lost trials included, and one line a step without token
    ids; yields what was written, in sentences."""
    to.mkdir(parents=True, exist_ok=True)
    for name in (EVALUATION_FILE, TASKS_FILE):
        shutil.copyfile(folder / name, to / name)
    artifacts = Artifacts(Settings(run_dir=folder).artifacts)
    count = 0
    with (to / "episodes.jsonl").open("wb") as episodes, (to / "steps.jsonl").open("wb") as lines:
        for trial in trials:
            episodes.write(orjson.dumps(dataclasses.asdict(trial)) + b"\n")
            if trial.episode_id is None:
                continue
            trial_keys = {
                "episode_id": trial.episode_id,
                "task_id": trial.task_id,
                "trial": trial.trial,
                "policy": trial.policy,
            }
            steps, _ = artifacts.read_steps(trial.episode_id, 0)
            for step in steps:
                data: dict[str, Any] = step.model_dump(mode="json", exclude=TOKEN_FIELDS)
                lines.write(orjson.dumps(trial_keys | data) + b"\n")
                count += 1
    yield f"wrote {len(trials)} trials and {count} steps to {to}"
