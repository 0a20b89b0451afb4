"""The trajectory viewer of a report: the data that viewer.js shows, as script elements.

Guarantees: text of pages and models is JSON inside the page, never markup; pictures and
prompts are those of the trials listed first, until `PICTURE_BYTES` and `PROMPT_BYTES` are used.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from agent_server.episodes.compact import describe
from agent_server.episodes.trajectory import Step
from agent_server.evaluation.failures import reason_of
from agent_server.evaluation.results import Trial
from agent_server.replay import by_person, outcome
from agent_server.store.artifacts import Artifacts
from envs.actions import Action, Batch, Drag, Space, Target
from envs.observations import parse_tree
from envs.tasks import Task

PICTURE_BYTES, PROMPT_BYTES = 60_000_000, 20_000_000
HERE = Path(__file__).parent
SCRIPT, VIEWER_STYLE = (HERE / "viewer.js").read_text(), (HERE / "viewer.css").read_text()
FRAME = (
    "<div class=filters><input type=search id=v-search placeholder='find a task, domain, reason'>"
    "<select id=v-kind><option value=all>all<option value=failed>not solved<option value=solved>"
    "solved</select></div><div class=viewer id=viewer><div class=list id=v-list></div><div>"
    "<b id=v-task></b><div class=bar><button id=v-back>&larr;</button><input type=range id=v-bar "
    "min=0 value=0><button id=v-on>&rarr;</button><span id=v-place></span></div>"
    "<div class=frame id=v-frame></div><div id=v-text></div><p><small id=v-facts></small></p>"
    "<details><summary>what it read</summary><pre id=v-saw></pre></details></div></div>"
    "<p><small>Arrow keys: left and right for steps, up and down for trials.</small></p>"
)


def viewer(artifacts: Artifacts, tasks: dict[str, Task], trials: Sequence[Trial]) -> Iterator[str]:
    """HTML in pieces; `trials` in the order of the list."""
    yield FRAME
    yield _data("trials", [_entry(trial, tasks[trial.task_id]) for trial in trials])
    pictures, prompts = PICTURE_BYTES, PROMPT_BYTES
    for index, trial in enumerate(trials):
        if trial.episode_id is None:
            continue
        steps, _ = artifacts.read_steps(trial.episode_id, 0)
        shown = []
        for step in steps:
            picture = _picture(artifacts, trial.episode_id, step) if pictures > 0 else ""
            prompt = step.prompt if prompts > 0 else ""
            pictures, prompts = pictures - len(picture), prompts - len(prompt)
            shown.append(_shown(step) | {"picture": picture, "saw": prompt})
        yield _data(f"t{index}", shown)
    yield f"<script>{SCRIPT}</script>"


def _data(name: str, value: Any) -> str:
    """Nothing in it can end the element or begin another."""
    text = orjson.dumps(value).decode().replace("<", "\\u003c")
    return f'<script type="application/json" id="{name}">{text}</script>'


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
    data = base64.b64encode(artifacts.read_screenshot(episode_id, step.screenshot)).decode()
    return f"data:image/{step.screenshot.rsplit('.', 1)[-1]};base64,{data}"


def _shown(step: Step) -> dict[str, Any]:
    text = step.completion.text.strip()
    said = text.rsplit("\n", 1)[-1]
    return {
        "wrote": text,
        "said": said if step.action is None else describe(step.action, parse_tree(step.tree)),
        "ok": step.result.ok,
        "result": outcome(step) + ("" if step.result.value is None else f": {step.result.value}"),
        "person": by_person(step),
        "timings": step.timings_ms,
        "marks": _marks(step),
    }


def _marks(step: Step) -> list[list[dict[str, Any]]]:
    """Where on the picture the step acted, one list of points a path: as the action says, or, of an
    element that is called by its number or selector, as the host found."""
    named = [] if step.action is None else list(_paths(step.action))
    if named or step.result.at is None:
        return named
    x, y = step.result.at
    return [[{"x": x, "y": y, "space": Space.PX}]]


def _paths(action: Action) -> Iterator[list[dict[str, Any]]]:
    if isinstance(action, Batch):
        for one in action.actions:
            yield from _paths(one)
        return
    targets = action.path if isinstance(action, Drag) else (getattr(action, "target", None),)
    points = [
        {"x": one.x, "y": one.y, "space": one.space}
        for one in targets
        if isinstance(one, Target) and one.x is not None
    ]
    if points:
        yield points
