"""An evaluation in Inspect's log format, which `inspect_ai.log.read_eval_log` and its viewer read.

    <to>/<time>_<task set>_<policy>.json      one log a policy: the asked one, each control

A sample is a trial: its task's id, and the trial as its epoch. A trial that was lost is a sample
with an error and no score; one that has not run is none. The log's `accuracy` and `mean` are over
the plan's denominator all the same. Pictures are not in it: see OSWorld's layout for those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from agent_server.episodes.trajectory import Step
from agent_server.evaluation.export_osworld import file_name, model_name
from agent_server.evaluation.plan import Evaluation, read_planned_tasks
from agent_server.evaluation.results import NOT_RUN, Trial
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from envs.outcomes import EndReason
from envs.tasks import Task

Json = dict[str, Any]
FORMAT = 2
SCORER = "deskhand"


def export_inspect(
    to: Path, folder: Path, evaluation: Evaluation, trials: Sequence[Trial]
) -> Iterator[str]:
    """What was written, in sentences. Raises NotAnEvaluation."""
    artifacts = Artifacts(Settings(run_dir=folder).artifacts)
    tasks = read_planned_tasks(folder)
    to.mkdir(parents=True, exist_ok=True)
    for policy in evaluation.asked.policies:
        own = [trial for trial in trials if trial.policy == policy]
        model = f"deskhand/{model_name(evaluation, policy)}"
        samples = [
            _sample(trial, evaluation.asked.as_run(tasks[trial.task_id]), model, artifacts)
            for trial in own
            if trial.episode_id is not None
        ]
        begun = f"{evaluation.stamp.started_at:%Y-%m-%dT%H-%M-%S}"
        path = to / f"{begun}_{file_name(_name(evaluation))}_{file_name(policy)}.json"
        log = _log(evaluation, policy, model, own, samples)
        path.write_bytes(orjson.dumps(log, option=orjson.OPT_INDENT_2) + b"\n")
        yield f"wrote {len(samples)} of {len(own)} trials to {path}"


def _name(evaluation: Evaluation) -> str:
    asked = evaluation.asked
    return asked.gym if asked.tasks is None else Path(asked.tasks).name or "tasks"


def _log(
    evaluation: Evaluation, policy: str, model: str, trials: Sequence[Trial], samples: list[Json]
) -> Json:
    arrived = [trial for trial in trials if trial.arrived]
    return {
        "version": FORMAT,
        "status": _status(trials),
        "eval": _spec(evaluation, policy, model),
        "plan": {"name": "plan", "steps": [{"solver": "deskhand"}]},
        "results": {
            "total_samples": len(trials),
            "completed_samples": len(arrived),
            "scores": [
                {
                    "name": SCORER,
                    "scorer": SCORER,
                    "scored_samples": len(arrived),
                    "unscored_samples": len(trials) - len(arrived),
                    "metrics": {
                        name: {"name": name, "value": sum(values) / len(trials)}
                        for name, values in (
                            ("accuracy", [float(trial.success) for trial in trials]),
                            ("mean", [trial.score or 0.0 for trial in trials]),
                        )
                    },
                }
            ],
        },
        "stats": {
            "started_at": evaluation.stamp.started_at.isoformat(),
            "completed_at": max(
                (one.ended_at.isoformat() for one in trials if one.ended_at is not None), default=""
            ),
            "model_usage": _sum([sample["model_usage"] for sample in samples], model),
        },
        "samples": samples,
    }


def _status(trials: Sequence[Trial]) -> str:
    outcomes = {trial.outcome for trial in trials}
    if "cancelled" in outcomes:
        return "cancelled"
    return "started" if NOT_RUN in outcomes else "success"


def _spec(evaluation: Evaluation, policy: str, model: str) -> Json:
    asked, stamp = evaluation.asked, evaluation.stamp
    sampling = stamp.sampling
    ids = [task.id for task in evaluation.tasks]
    name = _name(evaluation)
    return {
        "eval_id": f"{evaluation.run_id}-{policy}",
        "run_id": evaluation.run_id,
        "created": stamp.started_at.isoformat(),
        "task": name,
        "task_id": stamp.task_set,
        "dataset": {"name": name, "location": asked.tasks, "samples": len(ids), "sample_ids": ids,
                    "shuffled": False},
        "model": model,
        "model_generate_config": {"temperature": sampling.temperature, "top_p": sampling.top_p,
                                  "max_tokens": sampling.max_tokens, "seed": stamp.seed},
        "config": {"epochs": asked.trials_of(policy)},
        "revision": {"type": "git", "origin": "", "commit": stamp.commit.rstrip("+"),
                     "dirty": stamp.commit.endswith("+")},
        "packages": {"deskhand": stamp.deskhand},
        "metadata": {
            "stamp": stamp.model_dump(mode="json"),
            "not_run": [one.model_dump(mode="json") for one in evaluation.not_run],
        },
    }  # fmt: skip


def _sample(trial: Trial, task: Task, model: str, artifacts: Artifacts) -> Json:
    assert trial.episode_id is not None
    steps, _ = artifacts.read_steps(trial.episode_id, 0)
    found: Json = {
        "id": trial.task_id,
        "epoch": trial.trial + 1,
        "uuid": trial.episode_id,
        "input": task.instruction,
        "target": "",
        "messages": [message for step in steps for message in _messages(step, model)],
        "output": {"model": model, "choices": [], "completion": trial.answer or ""},
        "model_usage": _usage(steps, model),
        "total_time": trial.wall_s,
        "metadata": {
            "domain": trial.domain,
            "outcome": trial.outcome,
            "milestones": trial.milestones,
            "time_s": trial.time_s,
        },
    }
    if trial.started_at is not None and trial.ended_at is not None:
        found["started_at"] = trial.started_at.isoformat()
        found["completed_at"] = trial.ended_at.isoformat()
    if trial.score is not None:
        found["scores"] = {
            SCORER: {"value": trial.score, "answer": trial.answer, "explanation": _why(trial)}
        }
    else:
        found["error"] = {"message": _why(trial), "traceback": "", "traceback_ansi": ""}
    return found | _limit(trial, task)


def _limit(trial: Trial, task: Task) -> Json:
    if trial.outcome == EndReason.STEP_LIMIT:
        return {"limit": {"type": "custom", "limit": task.limits.max_steps}}
    if trial.outcome == EndReason.TIME_LIMIT:
        return {"limit": {"type": "time", "limit": task.limits.max_seconds}}
    return {}


def _why(trial: Trial) -> str:
    return f"{trial.outcome}: {trial.detail}" if trial.detail else trial.outcome


def _messages(step: Step, model: str) -> Iterator[Json]:
    yield {"role": "user", "content": step.prompt}
    yield {"role": "assistant", "content": step.completion.text, "source": "generate",
           "model": model,
           "metadata": {"result": step.result.model_dump(mode="json"),
                        "timings_ms": step.timings_ms}}  # fmt: skip


def _usage(steps: Sequence[Step], model: str) -> Json:
    """Empty where the policy counts no tokens."""
    counts = [step.completion.tokens for step in steps if step.completion.tokens is not None]
    if not counts:
        return {}
    read, written = sum(one.prompt for one in counts), sum(one.completion for one in counts)
    usage = {"input_tokens": read, "output_tokens": written, "total_tokens": read + written}
    return {model: usage}


def _sum(usages: Sequence[Json], model: str) -> Json:
    counted = [usage[model] for usage in usages if model in usage]
    return {model: {key: sum(one[key] for one in counted) for key in counted[0]}} if counted else {}
