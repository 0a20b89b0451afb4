"""What a host does for a request belongs to the request's episode and trace."""

from __future__ import annotations

import asyncio

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from envs.host.tracing import Traced
from envs.io.episode_log import HEADER, get_episode
from envs.io.traces import trace_headers

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


async def tell(request: Request) -> JSONResponse:
    async def work() -> tuple[str, dict[str, str]]:
        return get_episode(), trace_headers()

    # As a lease runs its calls: in a task of their own.
    return JSONResponse(await asyncio.create_task(work()))


def test_a_call_belongs_to_the_request_that_asked_for_it() -> None:
    routes = [Route("/v1/sessions/s1/step", tell, methods=["POST"])]
    client = TestClient(Starlette(routes=routes, middleware=[Middleware(Traced)]))
    sent = {HEADER: "e77.2", "traceparent": PARENT}
    episode, headers = client.post("/v1/sessions/s1/step", headers=sent).json()
    assert (episode, headers["traceparent"][:35]) == ("e77.2", PARENT[:35])
    assert client.post("/v1/sessions/s1/step").json() == ["-", {}]
