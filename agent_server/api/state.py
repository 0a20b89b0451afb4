"""What the routes share: settings, database, broker, artifacts, and the key check."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, Request

from agent_server.api.errors import ApiError
from agent_server.dispatch import Dispatcher
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from agent_server.store.tables import Episode

API_RUN = "api"
"""The run that tasks of the HTTP API belong to."""


@dataclass(frozen=True, slots=True)
class ApiState:
    settings: Settings
    store: Store
    dispatcher: Dispatcher
    artifacts: Artifacts

    def newest(self, task_id: str) -> Episode:
        """The newest attempt of a task. Raises ApiError(404)."""
        row = self.store.episodes.latest(task_id)
        if row is None:
            raise ApiError(HTTPStatus.NOT_FOUND, f"there is no task {task_id[:80]!r}")
        return row


def state_of(request: Request) -> ApiState:
    state: ApiState = request.app.state.deskhand
    return state


def check_key(request: Request) -> None:
    """Bearer or X-API-Key, compared in constant time."""
    wanted = state_of(request).settings.api_key
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    given = request.headers.get("x-api-key") or bearer
    if not wanted or not hmac.compare_digest(given.encode(), wanted.encode()):
        raise ApiError(
            HTTPStatus.UNAUTHORIZED, "send the API key as `Authorization: Bearer KEY` or X-API-Key"
        )


State = Annotated[ApiState, Depends(state_of)]
