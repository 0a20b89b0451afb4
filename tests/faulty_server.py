"""A real HTTP server on 127.0.0.1 that answers as bad servers do."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial

from aiohttp import web

from tests.http_server import serving

CONTENT = b"0123456789" * 1000


@dataclass
class FaultyServer:
    """`asked`: requests by path."""

    url: str = ""
    request_counts: Counter[str] = field(default_factory=Counter)


@contextlib.contextmanager
def faulty_server() -> Iterator[FaultyServer]:
    """/good/NAME, /redirect/NAME, /twice/NAME (500 twice, then well), /cut/NAME (half of it, once),
    /always-cut, /always-500, /hang, /huge (says so), /endless (does not say)."""
    server = FaultyServer()

    def app(stopped: asyncio.Event) -> web.Application:
        made = web.Application()
        answer = partial(_answer, server, stopped)
        made.router.add_get("/{kind}", answer)
        made.router.add_get("/{kind}/{name}", answer)
        return made

    with serving(app) as server.url:
        yield server


async def _answer(
    server: FaultyServer, stopped: asyncio.Event, request: web.Request
) -> web.StreamResponse:
    server.request_counts[request.path] += 1
    count, kind = server.request_counts[request.path], request.match_info["kind"]
    name = request.match_info.get("name", "")
    match kind:
        case "good":
            return web.Response(body=name.encode() + CONTENT)
        case "redirect":
            raise web.HTTPFound(f"/good/{name}")
        case "always-500":
            return web.Response(status=500)
        case "twice" if count <= 2:
            return web.Response(status=500)
        case "twice":
            return web.Response(body=CONTENT)
        case "cut" if count > 1:
            return web.Response(body=CONTENT)
        case "cut" | "always-cut":
            return await _streamed(request, length=len(CONTENT), pieces=1)
        case "huge":
            return await _streamed(request, length=10**12, pieces=1)
        case "endless":
            return await _streamed(request, length=None, pieces=1000)
        case "hang":
            await stopped.wait()
    raise web.HTTPNotFound


async def _streamed(request: web.Request, length: int | None, pieces: int) -> web.StreamResponse:
    """Ends the connection when the pieces are sent."""
    reply = web.StreamResponse()
    reply.content_length = length
    await reply.prepare(request)
    with contextlib.suppress(ConnectionError):
        for _ in range(pieces):
            await reply.write(CONTENT[:5000])
    assert request.transport is not None
    request.transport.close()
    return reply
