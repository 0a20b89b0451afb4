"""Makes the folder of an evaluation as a job leaves it, without running one."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from PIL import Image

from agent_server.episodes.trajectory import Completion, EpisodeResult, Step
from agent_server.evaluation.job.plan import (
    EvalSpec,
    Evaluation,
    PolicyStamp,
    Stamp,
    UnsupportedTask,
    plan_task,
    task_set_sha256,
)
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts, Recorder
from agent_server.store.episodes import new_id
from agent_server.store.store import Store
from agent_server.store.tables import Episode, Run
from envs.contract.actions import Action, ActionError, ActionResult, Click, Done, SetValue, Target
from envs.contract.observations import Screenshot
from envs.contract.outcomes import EndReason, EpisodeFault, InvalidReason, Status
from envs.contract.session import Verdict
from envs.contract.task import Task

TREE = "button Save #1\nbutton Close #2"
CLICK = Click(target=Target(x=30, y=20))


@dataclass(frozen=True)
class End:
    """How a trial ended: with a verdict, or `lost`. `actions` without the last, which says done."""

    score: float = 1.0
    reason: EndReason = EndReason.DONE
    lost: bool = False
    actions: tuple[Action, ...] = (CLICK,)
    failing: bool = False
    milestones: Mapping[str, bool] = field(default_factory=dict)
    tokens: int = 0
    pictures: bool = False
    evidence: bytes | None = None


Key = tuple[str, str, int]
"""Policy, task id, trial."""


def task(name: str, **more: object) -> Task:
    return Task.model_validate(
        {"id": name, "instruction": f"Do <b>{name}</b>.", "evaluator": {"func": "toy"}} | more
    )


def plan(
    spec: EvalSpec, tasks: Sequence[tuple[str, Task]], not_run: Sequence[UnsupportedTask] = ()
) -> Evaluation:
    left_out = {task.id for task in not_run}
    return Evaluation(
        run_id=new_id("r"),
        spec=spec,
        stamp=Stamp(
            task_set=task_set_sha256([task for _, task in tasks]),
            commit="0123456789ab",
            deskhand="0",
            policy=PolicyStamp(name=spec.policy),
            sampling=spec.sampling,
            seed=spec.seed,
            applications={"chromium": "1"},
            host="here",
            device="a machine",
            started_at=datetime(2026, 1, 2, tzinfo=UTC),
        ),
        tasks=tuple(plan_task(*task) for task in tasks if task[1].id not in left_out),
        not_run=tuple(not_run),
    )


def record(
    folder: Path,
    spec: EvalSpec,
    tasks: Sequence[tuple[str, Task]],
    ends: Mapping[Key, End],
    not_run: Sequence[UnsupportedTask] = (),
) -> Evaluation:
    """Trials that `ends` does not name have not run."""
    evaluation = plan(spec, tasks, not_run)
    evaluation.write(folder, [task for _, task in tasks])
    settings = Settings(run_dir=folder)
    artifacts = Artifacts(settings.artifacts)
    with Store.open(settings) as store:
        store.runs.create(Run(id=evaluation.run_id, kind="eval"))
        for planned in evaluation.planned_trials():
            end = ends.get((planned.policy, planned.task.id, planned.trial))
            if end is None:
                continue
            row = Episode(
                id=new_id(),
                run_id=evaluation.run_id,
                purpose="eval",
                task={},
                policy=planned.policy,
                group_id=planned.group_id,
                slot=planned.trial,
            )
            store.episodes.create([row])
            store.episodes.lease(row.id, "worker")
            store.episodes.finish(row.id, "worker", _result(end))
            with Recorder(artifacts, row.id) as recorder:
                _record_steps(recorder, end)
                if end.evidence is not None:
                    recorder.save_evidence(end.evidence)
    return evaluation


def _result(end: End) -> EpisodeResult:
    if end.lost:
        return EpisodeResult.invalid(EpisodeFault(InvalidReason.STALE, "taken away"))
    limited = end.reason in (EndReason.STEP_LIMIT, EndReason.TIME_LIMIT)
    return EpisodeResult(
        Status.TRUNCATED if limited else Status.SCORED,
        end.reason,
        verdict=Verdict(score=end.score, milestones=dict(end.milestones)),
        steps=len(end.actions) + 1,
        timings={"reset_s": 0.5, "evaluate_s": 0.25, "total_s": 2.0},
    )


def _record_steps(recorder: Recorder, end: End) -> None:
    for index, action in enumerate((*end.actions, Done())):
        failure = ActionResult.failure(ActionError.NOT_FOUND, "no such thing")
        at = (7.0, 8.5) if isinstance(action, SetValue) else None
        name = recorder.save_screenshot(index, _picture()) if end.pictures else None
        recorder.record_step(
            Step(
                index=index,
                prompt="task: </script><b>",
                completion=Completion(text="so\nact", token_ids=tuple(range(end.tokens))),
                thought="so",
                action=action,
                result=failure if end.failing else ActionResult(ok=True, at=at),
                tree=TREE,
                screenshot=name,
                timings_ms={"policy": 100, "act": 20, "observe": 30, "env": 60},
            )
        )


def _picture() -> Screenshot:
    buffer = io.BytesIO()
    Image.new("RGB", (64, 48), "white").save(buffer, "JPEG")
    data = base64.b64encode(buffer.getvalue()).decode()
    return Screenshot(format="jpeg", width=64, height=48, data=data)
