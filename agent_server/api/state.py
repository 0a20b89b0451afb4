"""State that the routes share: settings, database, dispatcher, artifacts; and the key check."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated

from fastapi import Depends, Request

from agent_server.api.errors import ApiError
from agent_server.queue.dispatch import Dispatcher
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.store import Store
from agent_server.store.tables import Episode

API_RUN = "api"
"""Run of the episodes that the HTTP API starts."""


@dataclass(frozen=True, slots=True)
class ApiState:
    """Shared state of one application."""

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
    """The state of the application that received the request."""
    state: ApiState = request.app.state.deskhand
    return state


def check_key(request: Request) -> None:
    """Bearer or X-API-Key, compared in constant time."""
    api_key = state_of(request).settings.api_key
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    sent_key = request.headers.get("x-api-key") or bearer
    if not api_key or not hmac.compare_digest(sent_key.encode(), api_key.encode()):
        raise ApiError(
            HTTPStatus.UNAUTHORIZED, "send the API key as `Authorization: Bearer KEY` or X-API-Key"
        )


State = Annotated[ApiState, Depends(state_of)]
