"""The process that serves all gyms: pages under /<gym>/, admin routes under /_admin/.

Guarantees: a session's state is reachable only through the app's own pages with its HttpOnly
cookie, or through the admin routes with the token, which no page ever sees; idle sessions are
dropped; it listens on 127.0.0.1 only and ends on SIGTERM.

    DESKHAND_GYM_ADMIN_TOKEN=... python -m envs.gyms.server --port 8100
"""

from __future__ import annotations

import argparse
import asyncio
import hmac
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import uvicorn
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Match, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from envs.contract.gym_api import ADMIN_HEADER
from envs.gyms.kit.gym import apps_of
from envs.gyms.server.admin_routes import AdminRoutes
from envs.gyms.server.gym import WebGym
from envs.gyms.server.registry import find_generated_gym, find_page_script, web_gyms
from envs.gyms.server.session_states import close_in_application, stop_applications
from envs.gyms.server.sessions import SessionStore
from envs.io.settings import read_variable

COOKIE = "dh_session"
KEPT = {"Cache-Control": "max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"}
"""Of what has the hash of its content in its name."""
SWEEP_S = 60.0
ADMIN = "/_admin/"
SCRIPTS = "/_scripts/"
OPEN = (ADMIN, "/_play/", SCRIPTS, "/healthz")
"""Paths that need no session: each has its own secret, or reveals nothing."""
_NO_SESSION = (
    "<!doctype html><html lang=en><title>No session</title><h1>No session</h1>"
    "<p>These pages are open to the session of a running task only.</p>"
)


class Gate:
    """Resolves the session of a page request, wants the token for admin routes before their body is
    read, and lets through what else is OPEN."""

    def __init__(self, app: ASGIApp, token: str, sessions: SessionStore) -> None:
        self.app, self.token, self.sessions = app, token.encode(), sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(ADMIN):
            if not self._has_token(scope):
                detail = f"the header {ADMIN_HEADER} is missing or wrong"
                await JSONResponse({"detail": detail}, 403)(scope, receive, send)
                return
        elif scope["type"] == "http" and not scope["path"].startswith(OPEN):
            key = Request(scope).cookies.get(COOKIE, "")
            session = self.sessions.get(key) if key else None
            if session is None or not _serves(session.task.gym or "", _gym_of(scope)):
                await HTMLResponse(_NO_SESSION, 403)(scope, receive, send)
                return
            scope["gym_session"] = session
        await self.app(scope, receive, send)

    def _has_token(self, scope: Scope) -> bool:
        sent = Request(scope).headers.get(ADMIN_HEADER, "")
        return hmac.compare_digest(sent.encode(), self.token)


class GymPages(BaseRoute):
    """The pages of all gyms. A request is compared with the routes of its own app alone; those of a
    generated gym are made at the first request to it."""

    def __init__(self, gyms: Iterable[WebGym]) -> None:
        routes: dict[str, list[BaseRoute]] = {}
        for gym in gyms:
            for route in gym.routes():
                routes.setdefault(_first_part(route.path), []).append(route)
        self._routers = {name: Router(of_app) for name, of_app in routes.items()}

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Paths below the name of an app."""
        is_page = scope["type"] == "http" and self._find_router(_gym_of(scope)) is not None
        return (Match.FULL if is_page else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """By the app's own routes."""
        router = self._find_router(_gym_of(scope))
        assert router is not None, scope["path"]
        await router(scope, receive, send)

    def _find_router(self, name: str) -> Router | None:
        if name not in self._routers and (gym := find_generated_gym(name)) is not None:
            self._routers[name] = Router(gym.routes())
        return self._routers.get(name)


def _gym_of(scope: Scope) -> str:
    return _first_part(scope["path"])


def _first_part(path: str) -> str:
    return path.strip("/").partition("/")[0]


def create_app(token: str, sessions: SessionStore | None = None) -> FastAPI:
    """The server; `token` opens the admin routes."""
    store = sessions if sessions is not None else SessionStore()
    store.on_drop = close_in_application

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        sweeper = asyncio.create_task(_sweep(store))
        yield
        sweeper.cancel()
        await stop_applications()

    app = FastAPI(
        title="Deskhand gyms",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        strict_content_type=False,
    )

    @app.get("/healthz")
    async def check_health() -> dict[str, Any]:
        return {"status": "ok", "gyms": list(web_gyms()), "sessions": len(store)}

    @app.get(f"{SCRIPTS}{{name}}")
    async def show_script(name: str) -> Response:
        script = find_page_script(name)
        if script is None:
            return Response("there is no such script", 404)
        return Response(script, media_type="text/javascript", headers=KEPT)

    app.include_router(AdminRoutes(store).make_router())
    app.router.routes.append(GymPages(web_gyms().values()))
    app.add_middleware(Gate, token=token, sessions=store)
    return app


def _serves(gym: str, app_name: str) -> bool:
    return gym == app_name or any(app.name == app_name for app in apps_of(gym))


async def _sweep(store: SessionStore) -> None:
    while True:
        await asyncio.sleep(SWEEP_S)
        store.sweep()


def main() -> None:
    """The command line. Exits with a message when the token's variable is not set."""
    parser = argparse.ArgumentParser(description="Serves the web gyms on 127.0.0.1.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument(
        "--admin-token-env",
        default="DESKHAND_GYM_ADMIN_TOKEN",
        help="name of the environment variable that holds the admin token",
    )
    parser.add_argument("--max-sessions", type=int, default=1024)
    parser.add_argument("--idle-s", type=float, default=1800.0, help="idle sessions are dropped")
    options = parser.parse_args()
    token = read_variable(options.admin_token_env)
    if not token:
        sys.exit(f"gym server: set the environment variable {options.admin_token_env} to a secret")
    uvicorn.run(
        create_app(token, SessionStore(options.max_sessions, options.idle_s)),
        host="127.0.0.1",
        port=options.port,
        loop="uvloop",
        http="httptools",
        ws="none",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=3,
        # Longer than clients keep an idle connection: none sends into one that is being closed.
        timeout_keep_alive=60,
    )
