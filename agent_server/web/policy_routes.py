"""/console/policy: versions of the policy that serves; put one live, or the one before back."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from agent_server.api.state import State
from agent_server.web.page_route import PageRoute, is_piece
from agent_server.web.pages import render
from agent_server.web.policy_versions import get_served, promote, roll_back
from agent_server.web.rows import describe_age

router = APIRouter(prefix="/console/policy", include_in_schema=False, route_class=PageRoute)

PATH = "/console/policy"
SHOWN = 50


@router.get("")
def show_policy(request: Request, state: State) -> HTMLResponse:
    """What serves, what served before, and what else could. A page asks again during a swap."""
    served = get_served(state)
    now = datetime.now(UTC)
    return render(
        "policy_live.html" if is_piece(request) else "policy.html",
        path=PATH,
        served=served,
        swaps=[(row, describe_age(row.created_at, now)) for row in served.swaps[:SHOWN]],
        offered=served.offered[:SHOWN],
    )


@router.post("/promote")
def promote_version(state: State, row: Annotated[int, Form()]) -> Response:
    """Asks for the verified swap."""
    promote(state, row)
    return RedirectResponse(PATH, HTTPStatus.SEE_OTHER)


@router.post("/roll-back")
def roll_back_version(state: State) -> Response:
    """Asks for the swap to the version before."""
    roll_back(state)
    return RedirectResponse(PATH, HTTPStatus.SEE_OTHER)
