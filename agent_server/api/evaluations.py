"""/v1/evaluations: tasks x trials on the workers that serve, with their figures."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Collection
from http import HTTPStatus
from typing import get_args

from fastapi import APIRouter
from pydantic import ValidationError
from sse_starlette import EventSourceResponse, ServerSentEvent

from agent_server.api.admission import check_genuine, check_workers
from agent_server.api.agents import find_agent
from agent_server.api.errors import PROBLEMS, STARTING, ApiError
from agent_server.api.evaluation_models import EvaluationRequest, EvaluationState
from agent_server.api.runs import versions_of
from agent_server.api.state import ApiState, SentKey, State
from agent_server.api.storable import read_back
from agent_server.evaluation.figures.summary import Summary, summarize
from agent_server.evaluation.job.create import make_plan
from agent_server.evaluation.job.plan import EvalSpec, Evaluation, PolicyName, PolicyStamp
from agent_server.evaluation.job.progress import seconds_left
from agent_server.evaluation.job.results import trials_of
from agent_server.evaluation.job.selection import NothingToRun, heldout_tasks, select_from
from agent_server.evaluation.job.stamp import policy_stamp, served_hosts
from agent_server.evaluation.job.submission import count_ended, create_run, submit_missing_trials
from agent_server.store.quotas import QuotaRefused
from agent_server.store.tables import Run, utcnow
from agent_server.tasksets.check import find_complaints
from envs.contract.task import Task
from envs.desktop.size import parse_size
from tasksets.registry import get_gym

router = APIRouter(prefix="/evaluations", tags=["evaluations"])

EVENT_POLL_S = 0.5
EVENTS_LIMIT_S = 24 * 3600.0


@router.post("", status_code=201, responses=STARTING)
def create_evaluation(
    body: EvaluationRequest, state: State, key_name: SentKey = None
) -> EvaluationState:
    """Runs tasks x trials on the workers that serve. Returns at once; follow `events`."""
    screen = parse_size(state.settings.desktop_screen)
    spec = body.to_spec(find_agent(state, body.policy, get_args(PolicyName)), screen)
    tasks = _draw_tasks(spec) if body.tasks is None else _check_tasks(body.tasks)
    try:
        selection = select_from(spec, tasks)
    except NothingToRun as error:
        field = "gym" if body.tasks is None else "tasks"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, f"{field}: {error}") from error
    unsupported = {task.id for task in selection.unsupported}
    envs = {task.env for _, task in selection.tasks if task.id not in unsupported}
    check_workers(state.store, envs, spec.policy)
    hosts = served_hosts(state.settings.host_image)
    evaluation = make_plan(spec, selection, _policy_stamp(state, spec), hosts)
    by_id = {task.id: task for _, task in tasks}
    create_run(evaluation, by_id, state.store)
    try:
        submit_missing_trials(evaluation, by_id, state.dispatcher, key_name)
    except QuotaRefused:
        state.store.runs.set_status(evaluation.run_id, "interrupted")
        raise
    return _state(state, evaluation.run_id)


def _draw_tasks(spec: EvalSpec) -> list[tuple[str, Task]]:
    """Held-out tasks of the gym with their templates. Raises ApiError(422)."""
    field = "gym"
    try:
        get_gym(spec.gym)
        field = "templates"
        return heldout_tasks(spec)
    except KeyError as error:
        detail = f"{field}: {error.args[0]}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error


def _check_tasks(tasks: list[Task]) -> list[tuple[str, Task]]:
    """Pairs of domain and task. Raises ApiError(422) for what no worker could ever run."""
    for index, task in enumerate(tasks):
        complaints = find_complaints(task.model_dump())
        if complaints:
            detail = f"tasks[{index}].{complaints[0].where}: {complaints[0].message}"
            raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
        try:
            check_genuine(task)
        except (KeyError, ValueError) as error:
            detail = f"tasks[{index}]: {error.args[0]}"
            raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error
    repeated = [name for name, count in Counter(task.id for task in tasks).items() if count > 1]
    if repeated:
        detail = f"tasks: several have the id {repeated[0][:80]!r}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
    return [(task.template or "task", read_back(task)) for task in tasks]


def _policy_stamp(state: ApiState, spec: EvalSpec) -> PolicyStamp:
    if spec.agent is not None:
        return policy_stamp(spec)
    live_versions = [row for row in versions_of(state) if row.status == "live"]
    if spec.policy != "live" or not live_versions:
        return PolicyStamp(name=spec.policy)
    return PolicyStamp(
        name="live",
        folder=live_versions[-1].path,
        version=live_versions[-1].version,
        sha256=live_versions[-1].sha256,
    )


@router.get("", responses=PROBLEMS)
def list_evaluations(state: State) -> list[EvaluationState]:
    """Evaluations among the newest runs, newest first."""
    return [_state(state, row.id) for row in state.store.runs.recent() if row.kind == "eval"]


@router.get("/{evaluation_id}", responses=PROBLEMS)
def get_evaluation(evaluation_id: str, state: State) -> EvaluationState:
    """Progress of one evaluation, with the expected end."""
    return _state(state, evaluation_id)


@router.get("/{evaluation_id}/figures", responses=PROBLEMS)
def get_figures(evaluation_id: str, state: State) -> Summary:
    """Success by policy and domain with intervals. While it runs, trials that have not run count as
    not solved."""
    _, evaluation = find_evaluation(state, evaluation_id)
    return summarize(evaluation, trials_of(evaluation, state.store, state.artifacts))


@router.post("/{evaluation_id}/cancel", responses=PROBLEMS)
def cancel_evaluation(evaluation_id: str, state: State) -> EvaluationState:
    """Cancels all trials that have not ended. 409 when all have ended."""
    if _state(state, evaluation_id).status != "running":
        raise ApiError(HTTPStatus.CONFLICT, f"evaluation {evaluation_id} has ended")
    state.store.runs.set_status(evaluation_id, "interrupted")
    state.store.episodes.cancel_run(evaluation_id)
    return _state(state, evaluation_id)


@router.get(
    "/{evaluation_id}/events",
    responses={**PROBLEMS, 200: {"content": {"text/event-stream": {}}}},
    response_class=EventSourceResponse,
)
async def evaluation_events(evaluation_id: str, state: State) -> EventSourceResponse:
    """Server-sent events: `progress` when trials have ended, and `end` with the final state."""
    await asyncio.to_thread(find_evaluation, state, evaluation_id)
    return EventSourceResponse(_events(state, evaluation_id), ping=15)


async def _events(state: ApiState, evaluation_id: str) -> AsyncIterator[ServerSentEvent]:
    reported = -1
    news = state.poller(_states, EVENT_POLL_S).follow(evaluation_id, EVENTS_LIMIT_S)
    async with contextlib.aclosing(news) as feed:
        async for progress in feed:
            if progress.ended != reported:
                reported = progress.ended
                yield ServerSentEvent(progress.model_dump_json(), event="progress")
            if progress.ended == progress.total:
                yield ServerSentEvent(progress.model_dump_json(), event="end")
                return


def _states(state: ApiState, evaluation_ids: Collection[str]) -> dict[str, EvaluationState]:
    states = {}
    for evaluation_id in evaluation_ids:
        with contextlib.suppress(ApiError):  # it is gone; the others are not
            states[evaluation_id] = _state(state, evaluation_id)
    return states


def find_evaluation(state: ApiState, evaluation_id: str) -> tuple[Run, Evaluation]:
    """The run and its plan. Raises ApiError(404)."""
    row = state.store.runs.get(evaluation_id)
    if row is not None and row.kind == "eval":
        try:
            return row, Evaluation.model_validate(row.config)
        except ValidationError as error:
            detail = f"evaluation {evaluation_id} was created by another version: {error.title}"
            raise ApiError(HTTPStatus.NOT_FOUND, detail) from error
    raise ApiError(HTTPStatus.NOT_FOUND, f"there is no evaluation {evaluation_id[:80]!r}")


def _state(state: ApiState, evaluation_id: str) -> EvaluationState:
    # No process waits for an evaluation of the API: whoever sees its last end closes the run.
    row, evaluation = find_evaluation(state, evaluation_id)
    members = list(state.store.episodes.members(evaluation_id).values())
    total, ended = len(evaluation.planned_trials()), count_ended(members)
    if ended >= total and row.status == "running":
        state.store.runs.set_status(evaluation_id, "finished")
        row, _ = find_evaluation(state, evaluation_id)
    states = Counter(member.state for member in members)
    running = row.status == "running"
    elapsed_s = (utcnow() - row.created_at).total_seconds()
    return EvaluationState(
        id=evaluation_id,
        status="cancelled" if row.status == "interrupted" else row.status,
        total=total,
        ended=ended,
        solved=sum(member.success is True for member in members),
        lost=states["lost"],
        cancelled=states["cancelled"],
        seconds_left=seconds_left(ended, total, elapsed_s) if running else None,
        created_at=row.created_at,
        finished_at=row.finished_at,
        spec=evaluation.spec,
        task_set=evaluation.stamp.task_set,
        tasks=len(evaluation.tasks),
        not_run=evaluation.not_run,
    )
