"""How the API ends: SIGTERM makes it unready first, and lets the sessions that it has lent go on.

Guarantees: from the signal on /v1/ready answers 503 and no session is opened, while everything else
is answered as before; the server stops listening once no session is open, not before `NOTICE_S`
(who balances loads has to notice) and not after `drain_s`. A second signal, or SIGINT, ends it at
once. With `drain_s` 0 it stops listening at once.
"""

from __future__ import annotations

import signal
import time
from types import FrameType

import uvicorn
from fastapi import FastAPI

from agent_server.api.open_sessions import OpenSessions
from agent_server.api.state import ApiState

NOTICE_S = 5.0


class DrainingServer(uvicorn.Server):
    """A server of `app`, whose state its lifespan has made."""

    def __init__(self, config: uvicorn.Config, app: FastAPI, drain_s: float) -> None:
        super().__init__(config)
        self._app = app
        self._drain_s = drain_s
        self._told_at: float | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """The first SIGTERM begins to drain; what it begins happens in `on_tick`: a handler of
        signals may interrupt anything."""
        if sig == signal.SIGTERM and self._drain_s and self._told_at is None:
            self._told_at = time.monotonic()
            self._captured_signals.append(sig)
        else:
            super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second; whether to stop."""
        if self._told_at is not None:
            state: ApiState = self._app.state.deskhand
            sessions: OpenSessions = self._app.state.sessions
            state.stopping.set()
            sessions.refuse("the API is being stopped")
            waited_s = time.monotonic() - self._told_at
            is_noticed = waited_s >= min(NOTICE_S, self._drain_s)
            if waited_s >= self._drain_s or (is_noticed and not sessions.list()):
                return True
        return await super().on_tick(counter)
