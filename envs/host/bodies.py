"""Bodies of requests, bounded also where one comes in pieces and does not announce its length."""

from __future__ import annotations

from starlette.requests import Request

MAX_BODY = 4 * 1024 * 1024


class TooLarge(Exception):
    """The body is over the limit."""


async def read_body(request: Request) -> bytes:
    """Raises TooLarge."""
    if int(request.headers.get("content-length") or 0) > MAX_BODY:
        raise TooLarge
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > MAX_BODY:
            raise TooLarge
    return bytes(body)
