"""Successful trials as examples in the usual chat format, to train a policy on: chat.jsonl, and the
pictures that prompts showed.

Guarantees: one line for each answer that was understood, of trials that the verdict calls solved;
no line of a task of the dev or test split, on which policies are measured. Which of the rest were
hard is in the line: `solved` is the share of the task's trials that were solved, by all agents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from agent_server.episodes.trajectory import Completion, Step
from agent_server.evaluation.job.plan import Evaluation, read_planned_tasks
from agent_server.evaluation.job.results import Trial
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from envs.contract.actions import ActionError

FILE, PICTURES = "chat.jsonl", "pictures"


def export_chat(to: Path, folder: Path, _: Evaluation, trials: Sequence[Trial]) -> Iterator[str]:
    """Write the examples; yields what was written, in sentences."""
    (to / PICTURES).mkdir(parents=True, exist_ok=True)
    artifacts = Artifacts(Settings(run_dir=folder).artifacts)
    tasks = read_planned_tasks(folder)
    rates = solved_shares(trials)
    count = left_out = 0
    with (to / FILE).open("wb") as file:
        for trial in trials:
            if trial.episode_id is None or not trial.success:
                continue
            if tasks[trial.task_id].split != "train":
                left_out += 1
                continue
            for step in artifacts.read_seen(trial.episode_id).steps:
                if step.prompt and step.result.error is not ActionError.MALFORMED:
                    line = _make_line(to, trial, step) | {"solved": rates[trial.task_id]}
                    file.write(orjson.dumps(line) + b"\n")
                    count += 1
    yield f"wrote {count} examples to {to / FILE}"
    if left_out:
        yield f"left out {left_out} solved trials of dev and test tasks: they measure policies"


def solved_shares(trials: Sequence[Trial]) -> dict[str, float]:
    """The share of solved trials of each task, among those with a verdict."""
    outcomes: dict[str, list[bool]] = defaultdict(list)
    for trial in trials:
        if trial.has_verdict:
            outcomes[trial.task_id].append(trial.success)
    return {task: round(sum(each) / len(each), 4) for task, each in outcomes.items()}


def _make_line(to: Path, trial: Trial, step: Step) -> dict[str, Any]:
    about = {
        "task": trial.task_id,
        "policy": trial.policy,
        "episode": trial.episode_id,
        "step": step.index,
        "split": "train",
    }
    return write_example(to, step.prompt, step.completion) | about


def write_example(to: Path, prompt: str, completion: Completion) -> dict[str, Any]:
    """One example of the file in `to`, what it is about left out; its pictures are written."""
    names = []
    for picture in completion.pictures:
        names.append(f"{PICTURES}/{picture.name}")
        (to / names[-1]).write_bytes(picture.data)
    return {
        "messages": [
            {"role": "user", "content": prompt},
            {"role": "assistant", "content": completion.text},
        ],
        "images": names,
    }
