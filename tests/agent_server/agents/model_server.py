"""A real HTTP server on 127.0.0.1 that plays a model's endpoint: well, badly, or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from tests.http_server import serving


@dataclass(frozen=True)
class Said:
    """One reply. `body`: JSON, or bytes as they are; `hangs`: none at all."""

    body: Any = None
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    hangs: bool = False


@dataclass
class ModelServer:
    """`asked`: (path, headers, body) of each request. The last reply is repeated."""

    replies: Sequence[Said]
    url: str = ""
    received: list[tuple[str, dict[str, str], Any]] = field(default_factory=list)

    @property
    def bodies(self) -> list[Any]:
        return [body for _, _, body in self.received]


def chat(message: Any, finish: str = "stop") -> Said:
    """As /chat/completions replies."""
    if isinstance(message, str):
        message = {"role": "assistant", "content": message}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    usage = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}
    return Said({"id": "c1", "object": "chat.completion", "choices": [choice], "usage": usage})


def responses(items: Any) -> Said:
    """As /responses replies."""
    usage = {"input_tokens": 100, "output_tokens": 20}
    body = {"id": "resp_1", "object": "response", "status": "completed", "output": items}
    return Said({**body, "usage": usage})


def messages(blocks: Any) -> Said:
    """As /v1/messages replies."""
    usage = {"input_tokens": 90, "cache_read_input_tokens": 10, "output_tokens": 20}
    body = {"id": "msg_1", "type": "message", "role": "assistant", "stop_reason": "tool_use"}
    return Said({**body, "content": blocks, "usage": usage})


@contextlib.contextmanager
def playing(*replies: Said) -> Iterator[ModelServer]:
    server = ModelServer(replies)

    def app(stopped: asyncio.Event) -> web.Application:
        async def answer(request: web.Request) -> web.Response:
            place = min(len(server.received), len(server.replies) - 1)
            server.received.append((request.path, dict(request.headers), await request.json()))
            reply = server.replies[place]
            if reply.hangs:
                await stopped.wait()
            content = (
                reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
            )
            return web.Response(body=content, status=reply.status, headers=reply.headers)

        made = web.Application(client_max_size=64 * 2**20)
        made.router.add_post("/{path:.*}", answer)
        return made

    with serving(app) as server.url:
        yield server
