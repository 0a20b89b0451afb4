"""/v1/dead-letters: tasks that infrastructure lost for good, and the way back.

A task is a dead letter when its newest episode is `invalid` and the retry rules run it no more:
because it has used them up, or because what failed does not come by waiting. To queue it again
makes sense once the cause is gone; `reason` and `detail` of the task name it.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from agent_server.api.errors import PROBLEMS, ApiError
from agent_server.api.models import TaskPage
from agent_server.api.state import State
from agent_server.store.pages import BadCursor
from envs.contract.outcomes import InvalidReason

router = APIRouter(prefix="/dead-letters", tags=["tasks"])

MOST = 500


class RequeueRequest(BaseModel):
    """Which dead letters are queued again."""

    model_config = ConfigDict(extra="forbid")

    ids: tuple[Annotated[str, Field(min_length=1, max_length=200)], ...] = Field(
        min_length=1, max_length=MOST, description="ids of their tasks"
    )


class Requeued(BaseModel):
    """What became of a request to queue dead letters again."""

    queued: tuple[str, ...] = Field(description="tasks that run once more, under their own ids")
    left: tuple[str, ...] = Field(
        description="the others: unknown, no dead letters, or of a run that has ended"
    )


@router.get("", responses=PROBLEMS)
def list_dead_letters(
    state: State,
    run_id: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
    reason: InvalidReason | None = None,
    cursor: Annotated[str | None, Query(min_length=1, max_length=500)] = None,
    limit: Annotated[int, Query(ge=1, le=MOST)] = 50,
) -> TaskPage:
    """Newest first; of one run, or of all."""
    try:
        page = state.store.episodes.page(
            run_id=run_id, reason=reason, cursor=cursor, limit=limit, dead_only=True
        )
    except BadCursor as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, f"cursor: {error}") from error
    return TaskPage(tasks=state.describe(page.episodes), next_cursor=page.next_cursor)


@router.post("/requeue", responses=PROBLEMS)
def requeue(body: RequeueRequest, state: State) -> Requeued:
    """Runs each once more, beyond what the retry rules allow. A second call changes nothing."""
    new_ids = state.store.episodes.requeue(body.ids)
    state.dispatcher.send(new_ids)
    queued = {row.root_id for row in state.store.episodes.get_many(new_ids)}
    return Requeued(
        queued=tuple(key for key in body.ids if key in queued),
        left=tuple(key for key in body.ids if key not in queued),
    )
