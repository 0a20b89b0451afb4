"""/v1/approvals and /v1/tasks/{id}/approvals: what waits for a person; approve, refuse, act."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import APIRouter, Request, Response

from agent_server.api.approval_models import ApprovalAnswer, ApprovalState, PersonActions
from agent_server.api.errors import PROBLEMS, ApiError
from agent_server.api.key_ring import OPERATOR
from agent_server.api.state import ApiState, State
from agent_server.store.approvals import ApprovalStatus
from agent_server.store.tables import Approval

router = APIRouter(tags=["approvals"], responses=PROBLEMS)

STATUSES = {
    "approve": ApprovalStatus.APPROVED,
    "refuse": ApprovalStatus.REFUSED,
    "take": ApprovalStatus.TAKEN,
    "return": ApprovalStatus.RETURNED,
}


@router.get("/approvals")
def list_waiting(state: State) -> list[ApprovalState]:
    """What waits for a person now, in all tasks; the longest first."""
    return [ApprovalState.of(row) for row in state.store.approvals.list_open()]


@router.get("/tasks/{task_id}/approvals")
def list_approvals(task_id: str, state: State) -> list[ApprovalState]:
    """All that waited in a task, oldest first."""
    state.newest(task_id)
    return [ApprovalState.of(row) for row in state.store.approvals.of_task(task_id)]


@router.post("/tasks/{task_id}/approvals/{approval_id}")
def answer_approval(
    task_id: str, approval_id: str, body: ApprovalAnswer, state: State, request: Request
) -> ApprovalState:
    """Approves, refuses, takes over or hands back. The first answer counts: 409 for a later one,
    or when the time is up."""
    find_approval(state, task_id, approval_id)
    key = getattr(request.state, "key_name", OPERATOR)
    give_answer(state, approval_id, body, key)
    return ApprovalState.of(find_approval(state, task_id, approval_id))


def give_answer(state: ApiState, approval_id: str, body: ApprovalAnswer, by: str) -> None:
    """Raises ApiError(409)."""
    approvals = state.store.approvals
    if not approvals.answer(approval_id, STATUSES[body.answer], body.words, by):
        status = approvals.look(approval_id).status
        detail = f"it is {status}: too late to {body.answer}"
        raise ApiError(HTTPStatus.CONFLICT, detail)


@router.post("/tasks/{task_id}/approvals/{approval_id}/actions", status_code=202)
def act_as_person(
    task_id: str, approval_id: str, body: PersonActions, state: State
) -> ApprovalState:
    """After `take`: actions in the agent's place. They are carried out within about a second; the
    picture shows what came of them. 409 when nobody has taken over."""
    find_approval(state, task_id, approval_id)
    actions = [action.model_dump(mode="json", exclude_none=True) for action in body.actions]
    if not state.store.approvals.add_inputs(approval_id, actions):
        raise ApiError(HTTPStatus.CONFLICT, "take over first, and hand back at the end")
    return ApprovalState.of(find_approval(state, task_id, approval_id))


@router.get(
    "/tasks/{task_id}/approvals/{approval_id}/picture",
    responses={200: {"content": {"image/jpeg": {}}}},
    response_class=Response,
)
def get_approval_picture(task_id: str, approval_id: str, state: State) -> Response:
    """The newest picture of the page or screen that waits."""
    data = state.store.approvals.picture(task_id, approval_id)
    if data is None:
        raise ApiError(HTTPStatus.NOT_FOUND, f"there is no picture of {approval_id[:80]!r}")
    return Response(data, media_type="image/jpeg")


def find_approval(state: ApiState, task_id: str, approval_id: str) -> Approval:
    """Raises ApiError(404)."""
    rows = state.store.approvals.of_task(task_id)
    row = next((row for row in rows if row.id == approval_id), None)
    if row is None:
        raise ApiError(HTTPStatus.NOT_FOUND, f"the task has no approval {approval_id[:80]!r}")
    return row
