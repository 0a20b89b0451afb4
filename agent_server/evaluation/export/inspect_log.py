"""An evaluation in Inspect's log format, which `inspect_ai.log.read_eval_log` and its viewer read.

    <to>/<time>_<task set>_<policy>.json      one log a policy, controls included

A sample is a trial: its task's id, and the trial as its epoch. A lost trial is a sample with an
error and without a score; a trial that has not run is no sample. The log's `accuracy` and `mean`
are over the plan's denominator all the same. Pictures are not exported: see OSWorld's layout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from agent_server.episodes.trajectory import Step
from agent_server.evaluation.export.osworld import file_name, model_name
from agent_server.evaluation.job.plan import Evaluation, read_planned_tasks
from agent_server.evaluation.job.results import NOT_RUN, Trial
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from envs.contract.outcomes import EndReason
from envs.contract.task import Task

Json = dict[str, Any]
FORMAT = 2
SCORER = "deskhand"


def export_inspect(
    to: Path, folder: Path, evaluation: Evaluation, trials: Sequence[Trial]
) -> Iterator[str]:
    """Write one log a policy; yields what was written, in sentences. Raises NotAnEvaluation."""
    artifacts = Artifacts(Settings(run_dir=folder).artifacts)
    tasks = read_planned_tasks(folder)
    to.mkdir(parents=True, exist_ok=True)
    for policy in evaluation.spec.policies:
        policy_trials = [trial for trial in trials if trial.policy == policy]
        model = f"deskhand/{model_name(evaluation, policy)}"
        samples = [
            _sample(trial, evaluation.spec.apply_to(tasks[trial.task_id]), model, artifacts)
            for trial in policy_trials
            if trial.episode_id is not None
        ]
        started = f"{evaluation.stamp.started_at:%Y-%m-%dT%H-%M-%S}"
        path = to / f"{started}_{file_name(task_set_name(evaluation))}_{file_name(policy)}.json"
        log = _log(evaluation, policy, model, policy_trials, samples)
        path.write_bytes(orjson.dumps(log, option=orjson.OPT_INDENT_2) + b"\n")
        yield f"wrote {len(samples)} of {len(policy_trials)} trials to {path}"


def task_set_name(evaluation: Evaluation) -> str:
    """Name of the gym, or of the task files' folder."""
    spec = evaluation.spec
    return spec.gym if spec.tasks is None else Path(spec.tasks).name or "tasks"


def _log(
    evaluation: Evaluation, policy: str, model: str, trials: Sequence[Trial], samples: list[Json]
) -> Json:
    judged = [trial for trial in trials if trial.has_verdict]
    return {
        "version": FORMAT,
        "status": _status(trials),
        "eval": _eval_header(evaluation, policy, model),
        "plan": {"name": "plan", "steps": [{"solver": "deskhand"}]},
        "results": {
            "total_samples": len(trials),
            "completed_samples": len(judged),
            "scores": [
                {
                    "name": SCORER,
                    "scorer": SCORER,
                    "scored_samples": len(judged),
                    "unscored_samples": len(trials) - len(judged),
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
                (trial.ended_at.isoformat() for trial in trials if trial.ended_at is not None),
                default="",
            ),
            "model_usage": _sum_usages([sample["model_usage"] for sample in samples], model),
        },
        "samples": samples,
    }


def _status(trials: Sequence[Trial]) -> str:
    outcomes = {trial.outcome for trial in trials}
    if "cancelled" in outcomes:
        return "cancelled"
    return "started" if NOT_RUN in outcomes else "success"


def _eval_header(evaluation: Evaluation, policy: str, model: str) -> Json:
    spec, stamp = evaluation.spec, evaluation.stamp
    sampling = stamp.sampling
    ids = [task.id for task in evaluation.tasks]
    name = task_set_name(evaluation)
    return {
        "eval_id": f"{evaluation.run_id}-{policy}",
        "run_id": evaluation.run_id,
        "created": stamp.started_at.isoformat(),
        "task": name,
        "task_id": stamp.task_set,
        "dataset": {
            "name": name,
            "location": spec.tasks,
            "samples": len(ids),
            "sample_ids": ids,
            "shuffled": False,
        },
        "model": model,
        "model_generate_config": {
            "temperature": sampling.temperature,
            "top_p": sampling.top_p,
            "max_tokens": sampling.max_tokens,
            "seed": stamp.seed,
        },
        "config": {"epochs": spec.trials_of(policy)},
        "revision": {
            "type": "git",
            "origin": "",
            "commit": stamp.commit.rstrip("+"),
            "dirty": stamp.commit.endswith("+"),
        },
        "packages": {"deskhand": stamp.deskhand},
        "metadata": {
            "stamp": stamp.model_dump(mode="json"),
            "not_run": [task.model_dump(mode="json") for task in evaluation.not_run],
        },
    }


def _sample(trial: Trial, task: Task, model: str, artifacts: Artifacts) -> Json:
    assert trial.episode_id is not None
    steps, _ = artifacts.read_steps(trial.episode_id, 0)
    sample: Json = {
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
        sample["started_at"] = trial.started_at.isoformat()
        sample["completed_at"] = trial.ended_at.isoformat()
    if trial.score is not None:
        sample["scores"] = {
            SCORER: {
                "value": trial.score,
                "answer": trial.answer,
                "explanation": _explanation(trial),
            }
        }
    else:
        sample["error"] = {"message": _explanation(trial), "traceback": "", "traceback_ansi": ""}
    return sample | _limit(trial, task)


def _limit(trial: Trial, task: Task) -> Json:
    if trial.outcome == EndReason.STEP_LIMIT:
        return {"limit": {"type": "custom", "limit": task.limits.max_steps}}
    if trial.outcome == EndReason.TIME_LIMIT:
        return {"limit": {"type": "time", "limit": task.limits.max_seconds}}
    return {}


def _explanation(trial: Trial) -> str:
    return f"{trial.outcome}: {trial.detail}" if trial.detail else trial.outcome


def _messages(step: Step, model: str) -> Iterator[Json]:
    yield {"role": "user", "content": step.prompt}
    yield {
        "role": "assistant",
        "content": step.completion.text,
        "source": "generate",
        "model": model,
        "metadata": {
            "result": step.result.model_dump(mode="json"),
            "timings_ms": step.timings_ms,
        },
    }


def _usage(steps: Sequence[Step], model: str) -> Json:
    """Empty where the policy counts no tokens."""
    counts = [step.completion.tokens for step in steps if step.completion.tokens is not None]
    if not counts:
        return {}
    prompt_tokens, completion_tokens = (
        sum(usage.prompt for usage in counts),
        sum(usage.completion for usage in counts),
    )
    usage = {
        "input_tokens": prompt_tokens,
        "output_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
    }
    return {model: usage}


def _sum_usages(usages: Sequence[Json], model: str) -> Json:
    counted = [usage[model] for usage in usages if model in usage]
    return (
        {model: {key: sum(usage[key] for usage in counted) for key in counted[0]}}
        if counted
        else {}
    )
