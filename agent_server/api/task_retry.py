"""/v1/tasks/{id}/retry: a new task that first repeats steps of an earlier one."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from agent_server.api.admission import check_workers
from agent_server.api.agents import check_prices, choose_policy
from agent_server.api.errors import STARTING, ApiError
from agent_server.api.models import TaskState
from agent_server.api.state import API_RUN, ApiState, SentKey, State
from agent_server.store.episodes import new_id
from agent_server.store.tables import Episode
from envs.contract.files import NoSuchFile
from envs.contract.task import Task

router = APIRouter(prefix="/tasks", tags=["tasks"])


class RetryRequest(BaseModel):
    """How a task is done anew."""

    model_config = ConfigDict(extra="forbid")

    steps: int = Field(
        ge=0, le=1000, description="so many first steps are repeated; then the agent goes on"
    )
    policy: str | None = Field(
        None, min_length=1, max_length=100, description="another agent; null: that of the task"
    )
    follow_up: str | None = Field(
        None, min_length=1, max_length=4000, description="told to the agent besides"
    )


@router.post("/{task_id}/retry", status_code=201, responses=STARTING)
def retry_task(
    task_id: str, body: RetryRequest, state: State, key_name: SentKey = None
) -> TaskState:
    """Starts a new task: the first steps of this one are repeated from its beginning, without
    asking anybody; from there the agent goes on. Where a page differs so that a step would not mean
    the same, the new task ends as `invalid` with reason `unrunnable`, and its detail says where."""
    row = state.newest(task_id)
    steps, _ = state.artifacts.read_page(row.id, 0, 1000)
    if len(steps) < body.steps:
        detail = f"steps: task {task_id} has {len(steps)} steps"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail)
    policy = choose_policy(state, body.policy or row.policy)
    task = state.store.episodes.load_whole_task(row)
    check_prices(state, (task.get("limits") or {}).get("max_cost"), policy)
    check_workers(state.store, {task.get("env", "browser")}, policy)
    anew = Episode(
        id=new_id(),
        run_id=API_RUN,
        purpose="api",
        task=task,
        policy=policy,
        sampling=row.sampling,
        screenshots=row.screenshots,
        priority=row.priority,
        key_name=key_name,
        replay_of=row.id if body.steps else None,
        replay_steps=body.steps,
    )
    # Before the task: a delivery or a follow-up without one does nothing.
    targets = [delivery.target for delivery in state.store.deliveries.of_task(row.root_id)]
    state.store.deliveries.create(anew.id, targets)
    if body.follow_up is not None:
        state.store.control.add_follow_up(anew.id, body.follow_up)
    _copy_files(state, row.root_id, anew)
    state.dispatcher.dispatch([anew])
    return state.state_of_task(anew.id)


def _copy_files(state: ApiState, task_id: str, anew: Episode) -> None:
    """The new task has the files of the old one. Raises ApiError(409) where they are gone."""
    try:
        state.files.copy_inputs(task_id, anew.id, Task.model_validate(anew.task).files)
    except NoSuchFile as error:
        raise ApiError(HTTPStatus.CONFLICT, f"files: {error}") from error
