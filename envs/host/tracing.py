"""What each request to a host belongs to: the episode of its log lines, the trace of its work."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from envs.io.episode_log import HEADER, NONE, log_for
from envs.io.traces import continued_trace, span


class Traced:
    """ASGI middleware around the whole host. What a request starts belongs to the same."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, as a part of the trace that it carries."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        episode_id = headers.get(HEADER, NONE)
        # The last word of a path says what is done; the ids before it would make a name of each.
        name = f"host {scope['method']} {scope['path'].rpartition('/')[2][:40]}"
        with continued_trace(headers), log_for(episode_id), span(name, episode_id=episode_id):
            await self._app(scope, receive, send)
