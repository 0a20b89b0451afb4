"""/console/system: agents, the queue, workers and hosts with their health, and dead letters.

A dead letter is a chain whose last retry was lost: nothing runs it again unless a person asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Form, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool

from agent_server.api.agents import list_agents
from agent_server.api.errors import ApiError
from agent_server.api.state import ApiState, State
from agent_server.queue.broker import BrokerError
from agent_server.store.episodes import describe_task
from agent_server.web.host_health import HostHealth, ask_hosts
from agent_server.web.page_route import PageRoute, is_piece
from agent_server.web.pages import render
from agent_server.web.rows import describe_age

router = APIRouter(prefix="/console/system", include_in_schema=False, route_class=PageRoute)

PATH = "/console/system"
SHOWN_LETTERS = 100


@router.get("")
async def show_system(request: Request, state: State) -> HTMLResponse:
    """Kept up to date while it is open."""
    hosts = await ask_hosts(state.settings)
    template = "system_live.html" if is_piece(request) else "system.html"
    return await run_in_threadpool(_render, state, hosts, template)


@router.post("/requeue")
def requeue(state: State, episode: Annotated[str, Form()]) -> Response:
    """Queues a lost chain again; one that somebody else queued meanwhile is only shown."""
    queued_ids = state.store.episodes.requeue([episode])
    state.dispatcher.send(queued_ids)
    if not queued_ids and state.newest(episode).id == episode:
        detail = "it cannot run again: its run has ended (deskhand eval resume goes on with one)"
        raise ApiError(HTTPStatus.CONFLICT, detail)
    return RedirectResponse(f"{PATH}#letters", HTTPStatus.SEE_OTHER)


def _render(state: ApiState, hosts: Sequence[HostHealth], template: str) -> HTMLResponse:
    now = datetime.now(UTC)
    queue = state.store.episodes.queue_state()
    try:
        messages: int | None = state.dispatcher.broker.depth()
    except BrokerError:
        messages = None
    workers = [
        (worker, queue.running.get(worker.id, 0), describe_age(worker.seen_at, now))
        for worker in state.store.workers.alive()
    ]
    letters = [
        (row, describe_task(row.task), describe_age(row.finished_at, now))
        for row in state.store.episodes.page(dead_only=True, limit=SHOWN_LETTERS).episodes
    ]
    return render(
        template,
        path=PATH,
        agents=list_agents(state),
        queue=queue,
        messages=messages,
        oldest=describe_age(queue.oldest, now),
        is_cut_off=state.dispatcher.is_cut_off,
        workers=workers,
        hosts=hosts,
        letters=letters,
    )
