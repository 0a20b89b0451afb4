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
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any

import uvicorn
from fastapi import FastAPI, Header, HTTPException
from pydantic import BaseModel, ConfigDict
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from envs.gyms.evidence import hash_of
from envs.gyms.gym import PageOwned, PageScripts, Refused, WebGym
from envs.gyms.kit.company import company
from envs.gyms.kit.gym import apps_of
from envs.gyms.kit.template import Unsatisfiable
from envs.gyms.registry import get_web_gym, web_gyms
from envs.gyms.sessions import GymSession, SessionStore, TooManySessions
from envs.tasks import Task
from envs.verify.state import patch

COOKIE = "dh_session"
ADMIN_HEADER = "X-Admin-Token"
SWEEP_S = 60.0
OPEN = ("/_admin/", "/_play/", "/healthz")
"""Paths without a session; each has a secret of its own or tells nothing."""
CRASHED = 410
"""Of the verdict of a session whose app crashed: there is none."""
AdminToken = Annotated[str | None, Header()]
_NO_SESSION = (
    "<!doctype html><html lang=en><title>No session</title><h1>No session</h1>"
    "<p>These pages are open to the session of a running task only.</p>"
)


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SessionReady(_Model):
    start_path: str
    state_hash: str
    page: PageScripts | None = None


class SessionView(_Model):
    task: Task
    before: dict[str, Any]
    after: dict[str, Any]
    state_hash: str


class VerdictRequest(_Model):
    """`page`: the report of a page that owns its state. `keep`: the reply tells what changed."""

    answer: str | None = None
    infeasible: bool = False
    page: dict[str, Any] | None = None
    keep: bool = False


class VerdictReply(_Model):
    """A verdict, and the hash of the state it was given for. `change`: see `GymEvidence`."""

    score: float
    milestones: dict[str, bool]
    details: dict[str, Any]
    state_hash: str
    change: dict[str, Any] | None = None


class ToolReply(_Model):
    """`error`: why the app refused; then nothing was changed."""

    value: Any = None
    error: str | None = None


class Deleted(_Model):
    deleted: bool


class Gate:
    """Resolves the session of a page request; lets through what is OPEN."""

    def __init__(self, app: ASGIApp, sessions: SessionStore) -> None:
        self.app, self.sessions = app, sessions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and not scope["path"].startswith(OPEN):
            key = Request(scope).cookies.get(COOKIE, "")
            session = self.sessions.get(key) if key else None
            gym = scope["path"].strip("/").partition("/")[0]
            if session is None or not _serves(session.task.gym or "", gym):
                await HTMLResponse(_NO_SESSION, 403)(scope, receive, send)
                return
            scope["gym_session"] = session
        await self.app(scope, receive, send)


def create_app(token: str, sessions: SessionStore | None = None) -> FastAPI:
    store = sessions if sessions is not None else SessionStore()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        sweeper = asyncio.create_task(_sweep(store))
        yield
        sweeper.cancel()

    app = FastAPI(title="Deskhand gyms", lifespan=lifespan, docs_url=None, redoc_url=None,
                  openapi_url=None, strict_content_type=False)  # fmt: skip

    def allow(given: str | None) -> None:
        if not hmac.compare_digest((given or "").encode(), token.encode()):
            raise HTTPException(403, f"the header {ADMIN_HEADER} is missing or wrong")

    def session_of(key: str) -> GymSession:
        session = store.get(key)
        if session is None:
            raise HTTPException(404, f"there is no gym session {key!r}; it was deleted or idle")
        return session

    @app.put("/_admin/sessions/{key}")
    async def put_session(key: str, task: Task, x_admin_token: AdminToken = None) -> SessionReady:
        """Creates the session, or resets it to the start of the task."""
        allow(x_admin_token)
        gym = _gym_of(task)
        try:
            session = store.put(key, task, gym.initial_state(task), gym.initial_state(task))
        except TooManySessions as error:
            raise HTTPException(503, str(error)) from error
        return SessionReady(
            start_path=gym.start_path(task),
            state_hash=_hash_of(session),
            page=gym.page_scripts(task) if isinstance(gym, PageOwned) else None,
        )

    @app.get("/_admin/sessions/{key}")
    async def get_session(key: str, x_admin_token: AdminToken = None) -> SessionView:
        allow(x_admin_token)
        session = session_of(key)
        return SessionView(
            task=session.task,
            before=session.before,
            after=session.state,
            state_hash=_hash_of(session),
        )

    @app.post("/_admin/sessions/{key}/verdict")
    async def verdict(
        key: str, body: VerdictRequest, x_admin_token: AdminToken = None
    ) -> VerdictReply:
        allow(x_admin_token)
        session = session_of(key)
        if session.crashed is not None:
            raise HTTPException(CRASHED, f"the app crashed: {session.crashed}")
        gym = _gym_of(session.task)
        if isinstance(gym, PageOwned):
            session.state = {"page": body.page}
        given = gym.verdict(
            session.task, session.before, session.state, body.answer, body.infeasible
        )
        return VerdictReply(
            score=given.score,
            milestones=given.milestones,
            details=given.details,
            state_hash=_hash_of(session),
            change=patch(session.before, session.state) if body.keep else None,
        )

    @app.post("/_admin/sessions/{key}/tools/{name}")
    async def call_tool(
        key: str, name: str, arguments: dict[str, Any], x_admin_token: AdminToken = None
    ) -> ToolReply:
        """A site tool of one of the session's apps, by the app's own rules."""
        allow(x_admin_token)
        session = session_of(key)
        tools = {tool.name: tool for app in apps_of(session.task.gym or "") for tool in app.tools}
        if name not in tools:
            return ToolReply(error=f"there is no tool {name[:60]}; there are: {', '.join(tools)}")
        tool, world = tools[name], company(session.task.seed)
        try:
            return ToolReply(value=tool.call(world, session.state[tool.app], arguments))
        except Refused as refusal:
            return ToolReply(error=str(refusal))

    @app.delete("/_admin/sessions/{key}")
    async def delete_session(key: str, x_admin_token: AdminToken = None) -> Deleted:
        allow(x_admin_token)
        return Deleted(deleted=store.delete(key))

    @app.get("/healthz")
    async def health() -> dict[str, Any]:
        return {"status": "ok", "gyms": list(web_gyms()), "sessions": len(store)}

    for gym in web_gyms().values():
        app.router.routes.extend(gym.routes())
    app.add_middleware(Gate, sessions=store)
    return app


def _serves(gym: str, app: str) -> bool:
    return gym == app or any(one.name == app for one in apps_of(gym))


def _gym_of(task: Task) -> WebGym:
    """The task's gym, after a check that the task is one it would make: a verdict computed from
    params that somebody made up would be worth nothing."""
    try:
        gym = get_web_gym(task.gym or "")
        made = gym.make_task(task.template or "", task.seed)
    except (KeyError, Unsatisfiable) as error:
        raise HTTPException(422, str(error.args[0])) from error
    if made.params != task.params:
        raise HTTPException(
            422, f"the params of task {task.id!r} are not those of {made.id!r}; make the task anew"
        )
    return gym


def _hash_of(session: GymSession) -> str:
    return hash_of(session.task, session.state)


async def _sweep(store: SessionStore) -> None:
    while True:
        await asyncio.sleep(SWEEP_S)
        store.sweep()


def main() -> None:
    parser = argparse.ArgumentParser(description="Serves the web gyms on 127.0.0.1.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument(
        "--admin-token-env",
        default="DESKHAND_GYM_ADMIN_TOKEN",
        help="name of the environment variable that holds the admin token",
    )
    parser.add_argument("--max-sessions", type=int, default=1024)
    parser.add_argument("--idle-s", type=float, default=1800.0, help="idle sessions are dropped")
    given = parser.parse_args()
    token = os.environ.get(given.admin_token_env, "")
    if not token:
        sys.exit(f"gym server: set the environment variable {given.admin_token_env} to a secret")
    uvicorn.run(
        create_app(token, SessionStore(given.max_sessions, given.idle_s)),
        host="127.0.0.1",
        port=given.port,
        loop="uvloop",
        http="httptools",
        ws="none",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=3,
        # Longer than clients keep an idle connection: none sends into one that is being closed.
        timeout_keep_alive=60,
    )


if __name__ == "__main__":
    main()
