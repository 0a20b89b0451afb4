"""/v1/health and /v1/ready: what a probe may know without a key. Both only read.

Health is about this process: it answers while the database can be read. Readiness is about new
work: 507 without room for it, 503 while the process drains, so that neither a full disk nor a stop
restarts a server, but both take it out of rotation.
"""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import Any, Literal

import psutil
from fastapi import APIRouter
from pydantic import BaseModel, Field

from agent_server.api.errors import PROBLEMS, ApiError
from agent_server.api.state import ApiState, State

router = APIRouter(tags=["health"])

PROBED: dict[int | str, dict[str, Any]] = {status: PROBLEMS[status] for status in (405, 503, 507)}


class Health(BaseModel):
    """`no_space`: tasks can be read but none is taken; `detail` says where."""

    status: Literal["ok", "no_space"]
    detail: str = Field("", description="empty: all is well")


@router.get("/health", responses=PROBED, response_model_exclude_defaults=True)
def health(state: State) -> Health:
    """Answers while the API works and its database can be read; needs no key."""
    state.store.runs.recent(1)
    full = full_disk(state)
    return Health(status="no_space", detail=full) if full else Health(status="ok")


@router.get("/ready", responses=PROBED, response_model_exclude_defaults=True)
def ready(state: State) -> Health:
    """200 while new tasks can be stored, 507 without room for them, 503 once the process was told
    to end; needs no key."""
    if state.stopping.is_set():
        raise ApiError(HTTPStatus.SERVICE_UNAVAILABLE, "the API is being stopped")
    state.store.runs.recent(1)
    full = full_disk(state)
    if full:
        raise ApiError(HTTPStatus.INSUFFICIENT_STORAGE, full)
    return Health(status="ok")


def full_disk(state: ApiState) -> str:
    """A sentence where a disk that this process can see has too little room; else empty."""
    needed_mb = state.settings.min_free_mb
    folders = {"the run folder": state.settings.run_dir.resolve()}
    if state.settings.broker_dir is not None:
        folders["the broker"] = state.settings.broker_dir.resolve()
    if state.store.engine.dialect.name == "sqlite" and state.store.engine.url.database:
        folders["the database"] = Path(state.store.engine.url.database).resolve().parent
    for name, folder in folders.items():
        if folder.is_dir() and psutil.disk_usage(str(folder)).free < needed_mb * 2**20:
            return f"less than {needed_mb} MB are free on the disk of {name}"
    return ""
