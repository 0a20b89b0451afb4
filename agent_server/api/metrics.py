"""/v1/metrics: what an operator watches, in Prometheus' text format.

Guarantees: a scrape reads and changes nothing; it is answered while the broker is away, without the
depth of the queue. `vm_images/monitoring` has the dashboard and the alerts on these names.
"""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from typing import Any

from fastapi import APIRouter, Response
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Gauge, generate_latest
from sqlalchemy import func, select

from agent_server.api.machine_metrics import describe_hosts
from agent_server.api.runs import versions_of
from agent_server.api.sessions import Sessions
from agent_server.api.state import ApiState, State
from agent_server.queue.broker import BrokerError
from agent_server.store.engine import read_only, table_of
from agent_server.store.queries import is_dead
from agent_server.store.tables import Episode

router = APIRouter()
episode = table_of(Episode)


@router.get(
    "/metrics",
    tags=["health"],
    response_class=Response,
    responses={200: {"content": {"text/plain": {}}}},
)
def metrics(state: State, sessions: Sessions) -> Response:
    """Metrics in Prometheus' text format."""
    registry = CollectorRegistry()
    lent = Gauge("deskhand_sessions", "Sessions lent to callers", ["env"], registry=registry)
    for session in tuple(sessions.list()):
        lent.labels(session.task.env).inc()
    _count_episodes(state, registry)
    _describe_queue(state, registry)
    _describe_workers(state, registry)
    _describe_policy(state, registry)
    _describe_keys(state, registry)
    settings = state.settings
    describe_hosts((*settings.host_urls, *settings.desktop_urls), registry)
    state.learner.describe(registry)
    return Response(generate_latest(registry), media_type=CONTENT_TYPE_LATEST)


def _count_episodes(state: ApiState, registry: CollectorRegistry) -> None:
    episodes = Gauge(
        "deskhand_episodes",
        "Episodes by purpose, status and reason",
        ["purpose", "status", "reason"],
        registry=registry,
    )
    steps = Gauge("deskhand_env_steps", "Environment steps", ["purpose"], registry=registry)
    tokens = Gauge("deskhand_tokens", "Tokens of agents", ["purpose"], registry=registry)
    cost = Gauge("deskhand_cost", "Cost of agents", ["purpose"], registry=registry)
    dead = Gauge("deskhand_dead_letters", "Tasks that nothing runs again", registry=registry)
    columns: Any = episode.c
    kinds = (columns.purpose, columns.status, columns.reason)
    sums = (func.sum(columns.steps), func.sum(columns.tokens), func.sum(columns.cost))
    with read_only(state.store.engine).connect() as db:
        for purpose, status, reason, count in db.execute(
            select(*kinds, func.count()).group_by(*kinds)
        ):
            episodes.labels(purpose, status.value, reason or "").set(count)
        for purpose, *totals in db.execute(
            select(columns.purpose, *sums).group_by(columns.purpose)
        ):
            for gauge, total in zip((steps, tokens, cost), totals, strict=True):
                gauge.labels(purpose).set(total or 0)
        dead.set(db.execute(select(func.count()).where(is_dead())).scalar_one())


def _describe_queue(state: ApiState, registry: CollectorRegistry) -> None:
    queue = state.store.episodes.queue_state()
    waits = Gauge(
        "deskhand_oldest_wait_seconds", "How long the first that waits could run", registry=registry
    )
    if queue.oldest is not None:
        waits.set(max(0.0, (datetime.now(UTC) - queue.oldest).total_seconds()))
    with contextlib.suppress(BrokerError):  # the figures that there are tell more than an error
        depth = state.dispatcher.broker.depth()
        messages = Gauge(
            "deskhand_queue_depth", "Messages that wait in the broker", registry=registry
        )
        messages.set(depth)


def _describe_workers(state: ApiState, registry: CollectorRegistry) -> None:
    """Those that were seen in the last minute; one with a problem takes no episode."""
    workers = Gauge("deskhand_workers", "Workers that are alive", ["state"], registry=registry)
    counts = {"well": 0, "unwell": 0}
    for worker in state.store.workers.alive():
        counts["unwell" if worker.problem else "well"] += 1
    for name, count in counts.items():
        workers.labels(name).set(count)


def _describe_policy(state: ApiState, registry: CollectorRegistry) -> None:
    version = Gauge("deskhand_policy_version", "Live policy version", registry=registry)
    swaps = Gauge("deskhand_policy_versions", "Published versions", ["status"], registry=registry)
    pause = Gauge("deskhand_swap_pause_milliseconds", "Pause of the last swap", registry=registry)
    versions = versions_of(state)
    for row in versions:
        swaps.labels(row.status).inc()
    live = [row for row in versions if row.status == "live"]
    if live:
        version.set(live[-1].version)
        if live[-1].pause_ms is not None:
            pause.set(live[-1].pause_ms)


def _describe_keys(state: ApiState, registry: CollectorRegistry) -> None:
    """Limits of keys, and what counts against them: in flight now, all else of today."""
    labels = ["key", "limit"]
    used = Gauge("deskhand_key_used", "What counts against a key today", labels, registry=registry)
    allowed = Gauge("deskhand_key_limit", "The limits of a key", labels, registry=registry)
    names = [key.name for key in state.store.keys.list_valid()]
    for name, standing in state.store.quotas.standings(names).items():
        for limit, value in standing.used.items():
            used.labels(name, limit).set(value)
        for limit, value in standing.quota.model_dump(exclude_none=True).items():
            allowed.labels(name, limit).set(value)
