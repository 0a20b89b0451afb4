"""/v1/evaluations: tasks x trials x policy on the workers that serve, with their figures."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from http import HTTPStatus

from fastapi import APIRouter
from pydantic import ValidationError
from sse_starlette import EventSourceResponse, ServerSentEvent

from agent_server.api.errors import PROBLEMS, ApiError
from agent_server.api.evaluation_models import EvaluationRequest, EvaluationState
from agent_server.api.runs import versions_of
from agent_server.api.state import ApiState, State
from agent_server.api.storable import storable
from agent_server.evaluation.asking import ask, create_run, ended
from agent_server.evaluation.choice import NothingToRun, choose_from, heldout
from agent_server.evaluation.plan import Asked, Evaluation, PolicyStamp
from agent_server.evaluation.progress import seconds_left
from agent_server.evaluation.results import trials_of
from agent_server.evaluation.stamp import served_hosts
from agent_server.evaluation.start import plan
from agent_server.evaluation.summary import Summary, summarize
from agent_server.store.tables import Run, utcnow
from envs.tasks import Task

router = APIRouter(prefix="/evaluations", tags=["evaluations"])

EVENT_POLL_S = 0.5
EVENTS_LIMIT_S = 24 * 3600.0
MAX_EPISODES = 20_000
"""Of the asked policy; controls come on top."""


@router.post("", status_code=201, responses=PROBLEMS)
def create_evaluation(body: EvaluationRequest, state: State) -> EvaluationState:
    """Runs tasks x trials on the workers that serve. Returns at once; follow `events`."""
    asked = body.asked()
    count = asked.trials * (asked.episodes if body.tasks is None else len(body.tasks))
    if count > MAX_EPISODES:
        detail = f"{count} episodes are more than {MAX_EPISODES}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
    try:
        tasks = heldout(asked) if body.tasks is None else _given(body.tasks)
        choice = choose_from(asked, tasks)
    except (KeyError, NothingToRun) as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error.args[0])) from error
    evaluation = plan(asked, choice, _policy(state, asked), served_hosts(state.settings.host_image))
    by_id = {task.id: task for _, task in tasks}
    create_run(evaluation, by_id, state.store)
    ask(evaluation, by_id, state.dispatcher)
    return _state(state, evaluation.run_id)


def _given(tasks: list[Task]) -> list[tuple[str, Task]]:
    """With their domains. Raises ApiError(422)."""
    repeated = [name for name, count in Counter(task.id for task in tasks).items() if count > 1]
    if repeated:
        detail = f"tasks: several have the id {repeated[0][:80]!r}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
    return [(task.template or "task", Task.model_validate(storable(task))) for task in tasks]


def _policy(state: ApiState, asked: Asked) -> PolicyStamp:
    live = [row for row in versions_of(state) if row.status == "live"]
    if asked.policy != "live" or not live:
        return PolicyStamp(name=asked.policy)
    return PolicyStamp(
        name="live", folder=live[-1].path, version=live[-1].version, sha256=live[-1].sha256
    )


@router.get("", responses=PROBLEMS)
def list_evaluations(state: State) -> list[EvaluationState]:
    """Of the newest runs, newest first."""
    return [_state(state, row.id) for row in state.store.runs.recent() if row.kind == "eval"]


@router.get("/{evaluation_id}", responses=PROBLEMS)
def get_evaluation(evaluation_id: str, state: State) -> EvaluationState:
    """How far it is, and when it will end."""
    return _state(state, evaluation_id)


@router.get("/{evaluation_id}/figures", responses=PROBLEMS)
def get_figures(evaluation_id: str, state: State) -> Summary:
    """Success by policy and domain with intervals, also before the end: what has not run counts as
    not solved."""
    _, evaluation = _found(state, evaluation_id)
    return summarize(evaluation, trials_of(evaluation, state.store, state.artifacts))


@router.post("/{evaluation_id}/cancel", responses=PROBLEMS)
def cancel_evaluation(evaluation_id: str, state: State) -> EvaluationState:
    """Stops what has not ended. 409 when all has."""
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
    await asyncio.to_thread(_found, state, evaluation_id)
    return EventSourceResponse(_events(state, evaluation_id), ping=15)


async def _events(state: ApiState, evaluation_id: str) -> AsyncIterator[ServerSentEvent]:
    told = -1
    loop = asyncio.get_running_loop()
    until = loop.time() + EVENTS_LIMIT_S
    while loop.time() < until:
        now = await asyncio.to_thread(_state, state, evaluation_id)
        if now.ended != told:
            told = now.ended
            yield ServerSentEvent(now.model_dump_json(), event="progress")
        if now.ended == now.total:
            yield ServerSentEvent(now.model_dump_json(), event="end")
            return
        await asyncio.sleep(EVENT_POLL_S)


def _found(state: ApiState, evaluation_id: str) -> tuple[Run, Evaluation]:
    """Raises ApiError(404)."""
    row = state.store.runs.get(evaluation_id)
    if row is not None and row.kind == "eval":
        try:
            return row, Evaluation.model_validate(row.config)
        except ValidationError as error:
            detail = f"evaluation {evaluation_id} was made by another version: {error.title}"
            raise ApiError(HTTPStatus.NOT_FOUND, detail) from error
    raise ApiError(HTTPStatus.NOT_FOUND, f"there is no evaluation {evaluation_id[:80]!r}")


def _state(state: ApiState, evaluation_id: str) -> EvaluationState:
    """A run whose last trial has ended is closed here: nobody else waits for it."""
    row, evaluation = _found(state, evaluation_id)
    slots = list(state.store.episodes.slots(evaluation_id).values())
    total, done = len(evaluation.cells()), ended(slots)
    if done >= total and row.status == "running":
        state.store.runs.set_status(evaluation_id, "finished")
        row, _ = _found(state, evaluation_id)
    states = Counter(slot.state for slot in slots)
    running = row.status == "running"
    elapsed_s = (utcnow() - row.created_at).total_seconds()
    return EvaluationState(
        id=evaluation_id,
        status="cancelled" if row.status == "interrupted" else row.status,
        total=total,
        ended=done,
        solved=sum(slot.success is True for slot in slots),
        lost=states["lost"],
        cancelled=states["cancelled"],
        seconds_left=seconds_left(done, total, elapsed_s) if running else None,
        created_at=row.created_at,
        finished_at=row.finished_at,
        asked=evaluation.asked,
        task_set=evaluation.stamp.task_set,
        tasks=len(evaluation.tasks),
        not_run=evaluation.not_run,
    )
