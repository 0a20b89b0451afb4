"""/v1/tasks/{id}/webhooks: who is told when a task ends, and what became of that."""

from __future__ import annotations

from datetime import datetime
from http import HTTPStatus
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from agent_server.api.errors import PROBLEMS, ApiError
from agent_server.api.state import ApiState, State
from agent_server.api.webhook_sender import find_problem
from agent_server.private_file import PrivateFileError
from agent_server.store.tables import Delivery
from agent_server.webhooks_file import load_webhooks

router = APIRouter(prefix="/tasks", tags=["tasks"])


class DeliveryState(BaseModel):
    """One message to one target, with all its tries."""

    id: str = Field(description="the webhook-id that the receiver sees, the same at each try")
    target: str = Field(description="name of the operator's, or the address that the task brought")
    state: Literal["waiting", "due", "delivered", "failed"] = Field(
        description="waiting: the task has not ended; failed: given up after all tries"
    )
    tries: int
    status: int | None = Field(description="of the receiver's last answer")
    error: str | None = Field(description="why the last try failed")
    next_at: datetime | None = Field(description="when it is due")
    delivered_at: datetime | None

    @classmethod
    def of(cls, row: Delivery) -> DeliveryState:
        """What the log has of one row."""
        return cls(
            id=row.id,
            target=row.target,
            state=row.state,
            tries=row.tries,
            status=row.status,
            error=row.error,
            next_at=row.next_at if row.state == "due" else None,
            delivered_at=row.delivered_at,
        )


@router.get("/{task_id}/webhooks", responses=PROBLEMS)
def list_deliveries(task_id: str, state: State) -> list[DeliveryState]:
    """What is sent of this task, and what came of it."""
    root_id = state.newest(task_id).root_id
    return [DeliveryState.of(row) for row in state.store.deliveries.of_task(root_id)]


@router.post("/{task_id}/webhooks/{delivery_id}/send", responses=PROBLEMS)
def send_again(task_id: str, delivery_id: str, state: State) -> list[DeliveryState]:
    """Sends once more what was delivered or given up, with the same id. 409 before the end."""
    root_id = state.newest(task_id).root_id
    if delivery_id not in {row.id for row in state.store.deliveries.of_task(root_id)}:
        detail = f"task {task_id} has no webhook {delivery_id[:80]!r}"
        raise ApiError(HTTPStatus.NOT_FOUND, detail)
    if not state.store.deliveries.send_again(delivery_id):
        raise ApiError(HTTPStatus.CONFLICT, f"task {task_id} has not ended")
    return list_deliveries(task_id, state)


def choose_targets(state: ApiState, named: tuple[str, ...]) -> tuple[str, ...]:
    """Who is told of a task that names these. Raises ApiError(422)."""
    try:
        webhooks = load_webhooks(state.settings.webhooks)
        for name in named:
            problem = find_problem(webhooks.find(name))
            if problem is not None:
                raise KeyError(problem)
    except (KeyError, PrivateFileError) as error:
        detail = f"webhooks: {error.args[0]}"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error
    return tuple(dict.fromkeys((*named, *webhooks.for_all)))
