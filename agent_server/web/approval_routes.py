"""/console/approvals: what waits for a person; one question with its picture; a person who acts."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from agent_server.api import approvals as api
from agent_server.api.approval_models import Answer, ApprovalAnswer, ApprovalState
from agent_server.api.errors import ApiError
from agent_server.api.key_ring import OPERATOR
from agent_server.api.state import State
from agent_server.store.approvals import ApprovalStatus
from agent_server.web.page_route import PageRoute, is_piece
from agent_server.web.pages import render
from agent_server.web.rows import BAD, GOOD, NEUTRAL, RUNNING, Badge, describe_age
from envs.contract.actions import Action, Click, Key, Scroll, Space, Target, Type
from envs.contract.approval import MAX_WORDS

router = APIRouter(prefix="/console", include_in_schema=False, route_class=PageRoute)

KEYS = ("enter", "tab", "escape", "backspace", "arrowdown", "arrowup")
"""Those that a person may press in the agent's place."""
_KINDS = {
    ApprovalStatus.WAITING: RUNNING,
    ApprovalStatus.TAKEN: RUNNING,
    ApprovalStatus.APPROVED: GOOD,
    ApprovalStatus.REFUSED: BAD,
}
_TASK = "/tasks/{task_id}/approvals/{approval_id}"


def make_approval_badge(status: ApprovalStatus) -> Badge:
    """How a question stands."""
    return Badge(text=status.value, kind=_KINDS.get(status, NEUTRAL))


@router.get("/approvals")
def show_approvals(request: Request, state: State) -> HTMLResponse:
    """All that waits now, kept up to date."""
    now = datetime.now(UTC)
    rows = [(row, describe_age(row.created_at, now)) for row in state.store.approvals.list_open()]
    template = "approvals_rows.html" if is_piece(request) else "approvals.html"
    return render(template, path="/console/approvals", rows=rows)


@router.get(_TASK)
def show_approval(
    request: Request, task_id: str, approval_id: str, state: State, status: str = ""
) -> Response:
    """One question. A page that is open asks for its picture; it is loaded anew when the question
    stands otherwise, so that nothing is typed into a form that goes away."""
    approval = ApprovalState.of(api.find_approval(state, task_id, approval_id))
    if is_piece(request) and status != approval.status:
        return Response(headers={"HX-Refresh": "true"})
    return render(
        "approval_live.html" if is_piece(request) else "approval.html",
        path="/console/approvals",
        approval=approval,
        badge=make_approval_badge(approval.status),
        seconds_left=max(0, int((approval.expires_at - datetime.now(UTC)).total_seconds())),
        is_open=approval.status.is_open,
        keys=KEYS,
        max_words=MAX_WORDS,
    )


@router.get(f"{_TASK}/picture")
def show_approval_picture(task_id: str, approval_id: str, state: State) -> Response:
    """What waits, as it looks."""
    return api.get_approval_picture(task_id, approval_id, state)


@router.post(_TASK)
def answer(
    task_id: str,
    approval_id: str,
    state: State,
    answer: Annotated[Answer, Form()],
    words: Annotated[str, Form(max_length=MAX_WORDS)] = "",
) -> Response:
    """Answers; one that was answered meanwhile is only shown."""
    api.find_approval(state, task_id, approval_id)
    try:
        api.give_answer(state, approval_id, ApprovalAnswer(answer=answer, words=words), OPERATOR)
    except ApiError as error:
        if error.status is not HTTPStatus.CONFLICT:
            raise
    # Whoever takes over stays; who has answered goes on to the task.
    is_going_on = answer == "take"
    target = f"/console/tasks/{task_id}/approvals/{approval_id}"
    return RedirectResponse(
        target if is_going_on else f"/console/tasks/{task_id}", HTTPStatus.SEE_OTHER
    )


@router.post(f"{_TASK}/act")
def act(
    task_id: str,
    approval_id: str,
    state: State,
    x: Annotated[str, Form()] = "",
    y: Annotated[str, Form()] = "",
    text: Annotated[str, Form(max_length=MAX_WORDS)] = "",
    key: Annotated[str, Form()] = "",
) -> Response:
    """A click at fractions of the picture, a text, or a key, in the agent's place."""
    api.find_approval(state, task_id, approval_id)
    actions = [
        action.model_dump(mode="json", exclude_none=True)
        for action in read_actions(x, y, text, key)
    ]
    if actions and not state.store.approvals.add_inputs(approval_id, actions):
        return Response(headers={"HX-Refresh": "true"})
    return Response(status_code=HTTPStatus.NO_CONTENT)


def read_actions(x: str, y: str, text: str, key: str) -> list[Action]:
    """What a form of the page asks for. Raises ApiError(422)."""
    actions: list[Action] = []
    try:
        if x and y:
            at = Target(x=float(x), y=float(y), space=Space.NORM1)
            if not (0 <= float(x) <= 1 and 0 <= float(y) <= 1):
                raise ValueError
            actions.append(Click(target=at))
    except ValueError as error:
        detail = f"({x[:20]}, {y[:20]}) is no place of the picture"
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error
    if text:
        actions.append(Type(text=text))
    if key in KEYS:
        actions.append(Key(keys=(key,)))
    elif key.startswith("scroll "):
        actions.append(Scroll(dy=1 if key == "scroll down" else -1, unit="page"))
    return actions
