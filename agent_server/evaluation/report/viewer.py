"""The data of a report's trajectory viewer, which viewer.js shows.

Guarantees: text of pages and models is JSON inside the page, never markup; pictures and prompts
are embedded for the first trials, until `PICTURE_BYTES` and `PROMPT_BYTES` are used up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson
from markupsafe import Markup

from agent_server.episodes.compact import describe
from agent_server.episodes.trajectory import Step
from agent_server.evaluation.job.failures import reason_of
from agent_server.evaluation.job.results import Trial
from agent_server.html.page import picture_url
from agent_server.store.artifacts import Artifacts
from envs.contract.actions import Action, Batch, Drag, Space, Target
from envs.contract.observations import parse_tree
from envs.contract.task import Task

PICTURE_BYTES, PROMPT_BYTES = 60_000_000, 20_000_000
HERE = Path(__file__).parent
VIEWER_JS = Markup((HERE / "viewer.js").read_text())
VIEWER_CSS = Markup((HERE / "viewer.css").read_text())


def viewer_data(
    artifacts: Artifacts, tasks: dict[str, Task], trials: Sequence[Trial]
) -> Iterator[tuple[str, Markup]]:
    """Pairs of element id and JSON: "trials", then the steps of trial i as "t<i>"."""
    yield "trials", _json([_entry(trial, tasks[trial.task_id]) for trial in trials])
    picture_budget, prompt_budget = PICTURE_BYTES, PROMPT_BYTES
    for index, trial in enumerate(trials):
        if trial.episode_id is None:
            continue
        steps, _ = artifacts.read_steps(trial.episode_id, 0)
        entries = []
        for step in steps:
            picture = _picture(artifacts, trial.episode_id, step) if picture_budget > 0 else ""
            prompt = step.prompt if prompt_budget > 0 else ""
            picture_budget, prompt_budget = (
                picture_budget - len(picture),
                prompt_budget - len(prompt),
            )
            entries.append(_step_entry(step) | {"picture": picture, "saw": prompt})
        yield f"t{index}", _json(entries)


def _json(value: Any) -> Markup:
    """For a script element: without "<" no text in it can end the element or begin another."""
    return Markup(orjson.dumps(value).decode().replace("<", "\\u003c"))


def _entry(trial: Trial, task: Task) -> dict[str, Any]:
    return {
        "policy": trial.policy,
        "task": trial.task_id,
        "instruction": task.instruction,
        "domain": trial.domain,
        "trial": trial.trial,
        "success": trial.success,
        "score": trial.score,
        "reason": "" if trial.success else reason_of(trial),
    }


def _picture(artifacts: Artifacts, episode_id: str, step: Step) -> str:
    """A data URL; empty without a picture."""
    if step.screenshot is None:
        return ""
    return picture_url(artifacts.read_screenshot(episode_id, step.screenshot), step.screenshot)


def _step_entry(step: Step) -> dict[str, Any]:
    text = step.completion.text.strip()
    last_line = text.rsplit("\n", 1)[-1]
    action = last_line if step.action is None else describe(step.action, parse_tree(step.tree))
    return {
        "wrote": text,
        "action": action,
        "ok": step.result.ok,
        "result": step.outcome + ("" if step.result.value is None else f": {step.result.value}"),
        "person": step.person_lines,
        "timings": step.timings_ms,
        "marks": _marks(step),
    }


def _marks(step: Step) -> list[list[dict[str, Any]]]:
    """Where on the picture the step acted, one list of points a path. Points come from the action,
    or, where that names its element by number or selector, from the host's result."""
    paths = [] if step.action is None else list(_paths(step.action))
    if paths or step.result.at is None:
        return paths
    x, y = step.result.at
    return [[{"x": x, "y": y, "space": Space.PX}]]


def _paths(action: Action) -> Iterator[list[dict[str, Any]]]:
    if isinstance(action, Batch):
        for member in action.actions:
            yield from _paths(member)
        return
    targets = action.path if isinstance(action, Drag) else (getattr(action, "target", None),)
    points = [
        {"x": target.x, "y": target.y, "space": target.space}
        for target in targets
        if isinstance(target, Target) and target.x is not None
    ]
    if points:
        yield points
