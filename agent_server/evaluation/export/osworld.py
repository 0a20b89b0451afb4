"""An evaluation in OSWorld's results layout, which its own viewer and scripts read.

    <to>/<action space>/<observation type>/<model>/args.json
    .../<domain>/<task id>/result.txt traj.jsonl task.json step_<n>_<time>.png recording.mp4

That layout has no trials: each is a model folder of its own, "<policy>", "<policy>-trial2", ...
A trial without a verdict has no result.txt, since no score was measured. OSWorld's own scripts
leave such tasks out of the rate; args.json has the denominator and the rate that counts them.
A picture in traj.jsonl was taken after its step, as OSWorld's are. No picture follows the last
step: if that step only ended the episode, the picture before it is used. step_0_<time>.png, what
was seen before the first step, and task.json are ours: `deskhand import-osworld` reads them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import orjson
from PIL import Image

from agent_server.agents.config import AgentSpec, OSWorldText
from agent_server.episodes.trajectory import Step
from agent_server.evaluation.job.plan import Evaluation, read_planned_tasks
from agent_server.evaluation.job.results import Trial
from agent_server.settings import Settings
from agent_server.store.artifacts import FILM, Artifacts
from envs.contract.actions import Done, Infeasible

ACTION_SPACE = "deskhand"
STAMP = "%Y%m%d@%H%M%S%f"
TREE, PICTURE = "a11y_tree", "screenshot"


def export_osworld(
    to: Path, folder: Path, evaluation: Evaluation, trials: Sequence[Trial]
) -> Iterator[str]:
    """Write one folder a model; yields what was written, in sentences."""
    artifacts = Artifacts(Settings(run_dir=folder).artifacts)
    tasks = read_planned_tasks(folder)
    models: dict[str, list[Trial]] = {}
    for trial in trials:
        suffix = f"-trial{trial.trial + 1}" if trial.trial else ""
        models.setdefault(model_name(evaluation, trial.policy) + suffix, []).append(trial)
    for model, model_trials in models.items():
        agent = evaluation.spec.agents.get(model_trials[0].policy)
        base = to / action_space(agent) / observation_type(agent) / model
        base.mkdir(parents=True, exist_ok=True)
        args = _args(evaluation, agent, model, model_trials, to)
        (base / "args.json").write_bytes(orjson.dumps(args, option=orjson.OPT_INDENT_2))
        for trial in model_trials:
            place = base / file_name(trial.domain) / file_name(trial.task_id)
            place.mkdir(parents=True, exist_ok=True)
            asks = tasks[trial.task_id].model_dump(include={"id", "instruction", "split"})
            (place / "task.json").write_bytes(orjson.dumps(asks))
            _write_trial(place, trial, artifacts)
        lost = sum(not trial.has_verdict for trial in model_trials)
        missing = f"; {lost} without a verdict, which OSWorld's scripts leave out" if lost else ""
        yield f"wrote {len(model_trials)} tasks to {base}{missing}"


def model_name(evaluation: Evaluation, policy: str) -> str:
    """Name of a policy's results folder; a served version has its number in it."""
    stamp = evaluation.stamp.policy
    return f"live-v{stamp.version:06d}" if policy == "live" and stamp.version else policy


def observation_type(agent: AgentSpec | None) -> str:
    """OSWorld's name of what the policy sees: our own read the tree, and pictures are for people;
    an agent's file says what it is shown."""
    if agent is None or agent.observe == ("tree",):
        return TREE
    return f"{PICTURE}_{TREE}" if "tree" in agent.observe else PICTURE


def action_space(agent: AgentSpec | None) -> str:
    """OSWorld's own where the agent acts in one, else ours."""
    return agent.action_space if isinstance(agent, OSWorldText) else ACTION_SPACE


def file_name(text: str) -> str:
    """A task's or domain's name as one path component."""
    return re.sub(r"[^\w@.-]|^\.+", "_", text)


def _args(
    evaluation: Evaluation,
    agent: AgentSpec | None,
    model: str,
    trials: Sequence[Trial],
    to: Path,
) -> dict[str, Any]:
    spec, sampling = evaluation.spec, evaluation.stamp.sampling
    return {
        "action_space": action_space(agent),
        "observation_type": observation_type(agent),
        "model": model,
        "max_steps": spec.max_steps,
        "temperature": sampling.temperature,
        "top_p": sampling.top_p,
        "max_tokens": sampling.max_tokens,
        "domain": "all",
        "test_all_meta_path": spec.split,
        "result_dir": str(to),
        "deskhand": {
            "denominator": len(trials),
            "solved": sum(trial.success for trial in trials),
            "success_rate": sum(trial.success for trial in trials) / len(trials)
            if any(trial.has_run for trial in trials)
            else None,
            "without_verdict": [trial.task_id for trial in trials if not trial.has_verdict],
            "stamp": evaluation.stamp.model_dump(mode="json"),
        },
    }


def _write_trial(folder: Path, trial: Trial, artifacts: Artifacts) -> None:
    if trial.episode_id is None:
        return
    if trial.score is not None:
        (folder / "result.txt").write_text(f"{trial.score}\n")
    steps, _ = artifacts.read_steps(trial.episode_id, 0)
    lines = []
    at = trial.started_at
    if steps and (first := steps[0].screenshot) is not None:
        name = f"step_0_{'' if at is None else at.strftime(STAMP)}.png"
        _write_png(folder / name, artifacts.read_screenshot(trial.episode_id, first))
    for step, after in zip(steps, [*steps[1:], None], strict=True):
        last = after is None
        at = None if at is None else at + _duration(step)
        stamp = "" if at is None else at.strftime(STAMP)
        name = f"step_{step.index + 1}_{stamp}.png"
        picture = _picture_after(step, after)
        if picture is not None:
            _write_png(folder / name, artifacts.read_screenshot(trial.episode_id, picture))
        lines.append(
            {
                "step_num": step.index + 1,
                "action_timestamp": stamp,
                "action": None if step.action is None else step.action.model_dump(mode="json"),
                "response": step.completion.text,
                "reward": trial.score if last and trial.score is not None else 0,
                "done": last,
                "info": {
                    "result": step.result.model_dump(mode="json"),
                    "timings_ms": step.timings_ms,
                },
                **({"screenshot_file": name} if picture is not None else {}),
            }
        )
    film = artifacts.read_film(trial.episode_id)
    if film is not None:
        (folder / FILM).write_bytes(film)
    text = b"".join(orjson.dumps(line) + b"\n" for line in lines)
    (folder / "traj.jsonl").write_bytes(text)


def _duration(step: Step) -> timedelta:
    return timedelta(milliseconds=sum(step.timings_ms.get(part, 0.0) for part in ("policy", "env")))


def _picture_after(step: Step, after: Step | None) -> str | None:
    """Its name among the episode's files."""
    if after is not None:
        return after.screenshot
    return step.screenshot if isinstance(step.action, Done | Infeasible) else None


def _write_png(path: Path, picture: bytes) -> None:
    with Image.open(io.BytesIO(picture)) as image:
        image.save(path, "PNG")
