"""/v1/tasks/{id}: pause, resume and follow-ups of a task that runs.

What is asked for reaches the agent's next step. Whatever has ended takes nothing more: 409.
"""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from agent_server.api.errors import PROBLEMS, ApiError
from agent_server.api.models import TaskState
from agent_server.api.state import ApiState, State
from agent_server.store.control import TooManyFollowUps
from agent_server.store.tables import Episode
from envs.contract.outcomes import Status

router = APIRouter(prefix="/tasks", tags=["tasks"])


class FollowUpRequest(BaseModel):
    """What the agent is told before its next step."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1, max_length=4000, description="added to the instruction")


@router.post("/{task_id}/pause", responses=PROBLEMS)
def pause_task(task_id: str, state: State) -> TaskState:
    """Holds the task before its next step; the time does not count for its limits. A queued one
    stays queued. It keeps its session, for at most DESKHAND_PAUSE_MAX_S in all."""
    return _set_paused(state, task_id, True)


@router.post("/{task_id}/resume", responses=PROBLEMS)
def resume_task(task_id: str, state: State) -> TaskState:
    """Lets a paused task go on."""
    task = _set_paused(state, task_id, False)
    if task.status is Status.QUEUED:
        # Its message was dropped while it was paused; one too many changes nothing.
        state.dispatcher.send([state.newest(task_id).id])
    return task


@router.post("/{task_id}/follow-ups", responses=PROBLEMS)
def add_follow_up(task_id: str, body: FollowUpRequest, state: State) -> TaskState:
    """Tells the agent more; it reads that with its next step, also where it has just said that it
    is done. The step's record has the text."""
    row = _find_open(state, task_id)
    try:
        state.store.control.add_follow_up(row.root_id, body.text)
    except TooManyFollowUps as error:
        raise ApiError(HTTPStatus.CONFLICT, str(error)) from error
    return state.state_of_task(task_id)


def _set_paused(state: ApiState, task_id: str, is_paused: bool) -> TaskState:
    row = _find_open(state, task_id)
    if not state.store.control.set_paused(row.root_id, is_paused):
        row = _find_open(state, task_id)
    return state.state_of_task(task_id)


def _find_open(state: ApiState, task_id: str) -> Episode:
    """The newest episode of a task that has not ended. Raises ApiError."""
    row = state.newest(task_id)
    if row.purpose != "api":
        # Its run would wait for it without end: nobody steers the episodes of a run one by one.
        detail = f"{task_id} is an episode of the run {row.run_id}, not a task of the API"
        raise ApiError(HTTPStatus.CONFLICT, detail)
    if row.cancel_requested or (row.status.terminal and not state.retry_follows(row)):
        raise ApiError(HTTPStatus.CONFLICT, f"task {task_id} has ended: {row.status}")
    return row
