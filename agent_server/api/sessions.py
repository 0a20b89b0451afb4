"""/v1/sessions: a browser or a desktop for a caller's own agent.

A session is lent by the process that answers: it is not in the database, and ends with the API.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request

from agent_server.api.errors import PROBLEMS, ApiError, describe_problems
from agent_server.api.open_sessions import OpenSession, OpenSessions
from agent_server.api.session_models import (
    ForkRequest,
    SessionRequest,
    SessionStart,
    SessionState,
)
from envs.contract.host_api import RestoreRequest, StepRequest
from envs.contract.observations import Observation, Observe
from envs.contract.session import SnapshotTaken, StepReply
from envs.contract.task import Task

router = APIRouter(prefix="/sessions", tags=["sessions"])

FAILING: dict[int | str, dict[str, Any]] = PROBLEMS | describe_problems(502)
"""Of routes that an environment answers, which may fail."""


async def sessions_of(request: Request) -> OpenSessions:
    """The sessions of the application that received the request. A coroutine, as `state_of` is."""
    sessions: OpenSessions = request.app.state.sessions
    return sessions


Sessions = Annotated[OpenSessions, Depends(sessions_of)]


@router.post("", status_code=201, responses=FAILING)
async def open_session(body: SessionRequest, sessions: Sessions, request: Request) -> SessionStart:
    """Opens a session and shows it. 503 with Retry-After while there is no room: nothing is
    queued."""
    session, observation = await sessions.open(await make_task(body), body, body.observe)
    return await _hand_over(sessions, session, observation, request)


@router.get("", responses=PROBLEMS)
async def list_sessions(sessions: Sessions) -> list[SessionState]:
    """The open sessions, oldest first."""
    return [session.describe() for session in sessions.list()]


@router.get("/{session_id}", responses=PROBLEMS)
async def get_session(session_id: str, sessions: Sessions) -> SessionState:
    """One open session; to look is not to use it. 404 says why a session has ended."""
    return sessions.get(session_id).describe()


@router.delete("/{session_id}", status_code=204, responses=PROBLEMS)
async def close_session(session_id: str, sessions: Sessions) -> None:
    """Ends the session; a call under way is broken off."""
    await sessions.end(sessions.get(session_id).id, "it was closed")


@router.post("/{session_id}/act", responses=FAILING)
async def act(session_id: str, body: StepRequest, sessions: Sessions) -> StepReply:
    """Carries out actions up to the first that fails, waits until the environment is still, and
    shows it. What was wrong with an action is in its result."""
    async with sessions.using(session_id) as session:
        return await session.remote.step(body.actions, body.observe)


@router.post("/{session_id}/observe", responses=FAILING)
async def observe(session_id: str, body: Observe, sessions: Sessions) -> Observation:
    """What the session shows now."""
    async with sessions.using(session_id) as session:
        return (await session.remote.step([], body)).observation


@router.post("/{session_id}/snapshot", responses=FAILING)
async def take_snapshot(session_id: str, sessions: Sessions) -> SnapshotTaken:
    """Keeps the state of now. 409 where it cannot be kept: only web gyms can."""
    async with sessions.using(session_id) as session:
        return await sessions.snapshot(session)


@router.post("/{session_id}/restore", responses=FAILING)
async def restore(session_id: str, body: RestoreRequest, sessions: Sessions) -> Observation:
    """Puts the session into a state that it, or the session that it was forked from, has kept."""
    async with sessions.using(session_id) as session:
        if body.snapshot not in session.snapshots:
            detail = f"this session has no snapshot {body.snapshot[:60]!r}"
            raise ApiError(HTTPStatus.CONFLICT, detail)
        return (await session.remote.restore(body.snapshot, body.observe)).observation


@router.post("/{session_id}/fork", status_code=201, responses=FAILING)
async def fork(
    session_id: str, body: ForkRequest, sessions: Sessions, request: Request
) -> SessionStart:
    """Another session in the state of this one; both go on apart. 409 where it cannot be kept."""
    async with sessions.using(session_id) as session:
        twin, observation = await sessions.fork(session, body, body.observe)
    return await _hand_over(sessions, twin, observation, request)


async def make_task(body: SessionRequest) -> Task:
    """What a session is reset to. Raises ApiError(422) where the gym does not make it."""
    try:
        return await asyncio.to_thread(body.make_task)
    except (KeyError, ValueError) as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error.args[0])) from error


async def _hand_over(
    sessions: OpenSessions, session: OpenSession, observation: Observation, request: Request
) -> SessionStart:
    """The answer with a session; ended at once where nobody waits for that any more."""
    if await request.is_disconnected():
        await sessions.end(session.id, "its caller was gone before it was open")
    return SessionStart(session=session.describe(), observation=observation)
