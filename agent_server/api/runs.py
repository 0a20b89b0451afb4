"""/v1/policy and /v1/runs."""

from __future__ import annotations

import dataclasses
from http import HTTPStatus

from fastapi import APIRouter

from agent_server.api.errors import ApiError
from agent_server.api.models import RunState, VersionState
from agent_server.api.state import ApiState, State
from agent_server.store.tables import PolicyVersion, Run

router = APIRouter()


@router.get("/policy/versions", tags=["policy"])
def policy_versions(state: State) -> list[VersionState]:
    """Published versions of the newest run, oldest first: live, rejected or only published."""
    return [_version(row) for row in versions_of(state)]


@router.get("/policy/current", tags=["policy"])
def policy_current(state: State) -> VersionState:
    """The version that serves now. 404 before the first swap."""
    live = [row for row in versions_of(state) if row.status == "live"]
    if not live:
        raise ApiError(HTTPStatus.NOT_FOUND, "no version was swapped in yet")
    return _version(live[-1])


@router.get("/runs", tags=["runs"])
def list_runs(state: State) -> list[RunState]:
    """Newest first."""
    return [_run(state, row) for row in state.store.runs.recent()]


@router.get("/runs/{run_id}", tags=["runs"])
def get_run(run_id: str, state: State) -> RunState:
    """One run with its episodes by outcome."""
    row = state.store.runs.get(run_id)
    if row is None:
        raise ApiError(HTTPStatus.NOT_FOUND, f"there is no run {run_id[:80]!r}")
    return _run(state, row)


def versions_of(state: ApiState) -> list[PolicyVersion]:
    """Policy versions of the newest run that published any, oldest first."""
    for recent_run in state.store.runs.recent():
        rows = state.store.runs.versions(recent_run.id)
        if rows:
            return rows
    return []


def _version(row: PolicyVersion) -> VersionState:
    return VersionState(
        version=row.version,
        parent=row.parent,
        phase=row.phase,
        status=row.status,
        pause_ms=row.pause_ms,
        verify=row.verify,
        created_at=row.created_at,
    )


def _run(state: State, row: Run) -> RunState:
    return RunState(
        id=row.id,
        kind=row.kind,
        preset=row.preset,
        seed=row.seed,
        status=row.status,
        created_at=row.created_at,
        finished_at=row.finished_at,
        episodes=dataclasses.asdict(state.store.episodes.accounting(row.id)),
    )
