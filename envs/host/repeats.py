"""Calls that must not run twice, from clients that send them again when a connection breaks.

Guarantees: a call goes on when its caller is gone; the same bytes sent again within WINDOW_S after
the connection broke get that call's answer. While the first caller still listens, or once it has
been answered, the same bytes are a new call: a key may be pressed twice.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

WINDOW_S = 60.0
MAX_CALLS = 64


@dataclass(slots=True)
class _Call:
    key: bytes
    answer: asyncio.Task[Response]
    caller: Request
    lost_at: float | None = None


class Repeats:
    """Recent calls whose answers may be asked for again."""

    def __init__(self) -> None:
        self._calls: list[_Call] = []

    async def once(
        self, request: Request, body: bytes, run: Callable[[], Awaitable[Response]]
    ) -> Response:
        """`run`'s response, or that of the broken call which this one repeats."""
        key = hashlib.blake2b(request.url.path.encode() + b"\0" + body).digest()
        call = await self._find_broken_call(key)
        if call is None:
            call = _Call(key, asyncio.ensure_future(run()), request)
            self._calls.append(call)
        call.caller, call.lost_at = request, None
        try:
            response = await asyncio.shield(call.answer)
        except BaseException:
            self._forget(call)
            raise
        if call.caller is request:
            if await request.is_disconnected():
                call.lost_at = time.monotonic()
            else:
                self._forget(call)
        return response

    async def _find_broken_call(self, key: bytes) -> _Call | None:
        oldest = time.monotonic() - WINDOW_S
        lost = [call for call in self._calls if call.lost_at is not None]
        for call in lost:
            if (call.lost_at or 0) < oldest or len(self._calls) > MAX_CALLS:
                self._forget(call)
        for call in [call for call in self._calls if call.key == key]:
            if await call.caller.is_disconnected():
                return call
        return None

    def _forget(self, call: _Call) -> None:
        if call in self._calls:
            self._calls.remove(call)
