"""/v1/profiles: log-in state of browsers, kept encrypted; no route gives a value back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from agent_server.api.errors import PROBLEMS, ApiError
from agent_server.api.sessions import FAILING, Sessions
from agent_server.api.state import State
from agent_server.store.profiles import NoSuchProfile, Profile, ProfileError
from envs.contract.browser_state import BrowserState, ProfileName

router = APIRouter(tags=["profiles"])


class SaveProfileRequest(BaseModel):
    """Under which name the state of a session is kept."""

    model_config = ConfigDict(extra="forbid")

    name: ProfileName


@contextmanager
def refusing() -> Iterator[None]:
    """What is wrong with a profile becomes an ApiError: 404 without one, else 422."""
    try:
        yield
    except NoSuchProfile as error:
        raise ApiError(HTTPStatus.NOT_FOUND, str(error)) from error
    except ProfileError as error:
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, str(error)) from error


@router.get("/profiles", responses=PROBLEMS)
def list_profiles(state: State) -> list[Profile]:
    """By name. One that the server's key does not open is left out; it can be deleted."""
    profiles = []
    with refusing():
        for name in state.profiles.list_names():
            try:
                profiles.append(state.profiles.get(name))
            except ProfileError:
                continue
    return profiles


@router.get("/profiles/{name}", responses=PROBLEMS)
def get_profile(name: str, state: State) -> Profile:
    """Its domains; no value."""
    with refusing():
        return state.profiles.get(name)


@router.put("/profiles/{name}", responses=PROBLEMS)
def put_profile(name: ProfileName, body: BrowserState, state: State) -> Profile:
    """Keeps a state that was made elsewhere: Playwright's `storage_state`."""
    with refusing():
        return state.profiles.save(name, body)


@router.delete("/profiles/{name}", status_code=204, responses=PROBLEMS)
def delete_profile(name: str, state: State) -> None:
    """Removes it for good; tasks that run go on with what they have."""
    with refusing():
        state.profiles.delete(name)


@router.post("/sessions/{session_id}/profile", responses=FAILING)
async def save_session_profile(
    session_id: str, body: SaveProfileRequest, sessions: Sessions, state: State
) -> Profile:
    """Keeps what the session's sites have in its browser now. Other sites keep what the profile
    had."""
    with refusing():
        state.profiles.check()
        async with sessions.using(session_id) as session:
            seen = await session.remote.read_state()
        return state.profiles.update(body.name, seen, session.task.reach)
