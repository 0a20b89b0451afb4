"""/v1/policy, /v1/runs and /v1/metrics."""

from __future__ import annotations

import contextlib
import dataclasses
from http import HTTPStatus
from typing import Any

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from sqlalchemy import func, select

from agent_server.api.errors import ApiError
from agent_server.api.models import RunState, VersionState
from agent_server.api.sessions import Sessions
from agent_server.api.state import ApiState, State
from agent_server.queue.broker import BrokerError
from agent_server.store.engine import read_only
from agent_server.store.tables import Episode, PolicyVersion, Run

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


@router.get(
    "/metrics",
    tags=["health"],
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
def metrics(state: State, sessions: Sessions) -> Response:
    """Metrics in Prometheus' text format."""
    registry = CollectorRegistry()
    episodes = Gauge(
        "deskhand_episodes",
        "Episodes by purpose, status and reason",
        ["purpose", "status", "reason"],
        registry=registry,
    )
    steps = Gauge("deskhand_env_steps", "Environment steps", ["purpose"], registry=registry)
    version = Gauge("deskhand_policy_version", "Live policy version", registry=registry)
    lent = Gauge("deskhand_sessions", "Sessions lent to callers", ["env"], registry=registry)
    for session in tuple(sessions.list()):
        lent.labels(session.task.env).inc()
    columns: Any = Episode.__table__.c  # type: ignore[attr-defined]
    with read_only(state.store.engine).connect() as db:
        kinds = (columns.purpose, columns.status, columns.reason)
        for purpose, status, reason, count in db.execute(
            select(*kinds, func.count()).group_by(*kinds)
        ):
            episodes.labels(purpose, str(getattr(status, "value", status)), reason or "").set(count)
        sums = select(columns.purpose, func.sum(columns.steps)).group_by(columns.purpose)
        for purpose, total in db.execute(sums):
            steps.labels(purpose).set(total or 0)
    live = [row.version for row in versions_of(state) if row.status == "live"]
    if live:
        version.set(live[-1])
    with contextlib.suppress(BrokerError):  # the figures that there are tell more than an error
        depth = state.dispatcher.broker.depth()
        queue = Gauge("deskhand_queue_depth", "Messages that wait in the broker", registry=registry)
        queue.set(depth)
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


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
