"""The HTTP API as an application: `create_app(settings)`.

Guarantees: every path but /v1/health and /v1/ready wants a key, the pages of the OpenAPI
document too; that document describes what the routes do, and its page loads nothing from the
internet; episodes of the API are reaped and retried here too, so the API works without a trainer.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from importlib.metadata import entry_points

from fastapi import FastAPI, Security
from fastapi.security import APIKeyHeader, HTTPBearer
from fastapi_offline import FastAPIOffline
from starlette.routing import Route

from agent_server.api import (
    agents,
    approvals,
    dead_letters,
    errors,
    evaluations,
    files,
    health,
    metrics,
    profiles,
    runs,
    scripts,
    session_view,
    task_control,
    task_retry,
    task_webhooks,
    tasks,
    tools,
)
from agent_server.api import sessions as session_routes
from agent_server.api.gate import DOCS_FILES, Gate
from agent_server.api.key_ring import KeyRing
from agent_server.api.machine_metrics import Learner
from agent_server.api.mcp_http import PATH as MCP_PATH
from agent_server.api.mcp_http import McpOverHttp, McpRoute
from agent_server.api.open_sessions import OpenSessions
from agent_server.api.state import API_RUN, ApiState
from agent_server.api.webhook_sender import WebhookSender
from agent_server.queue.broker import Broker, Dispatcher
from agent_server.queue.reaper import Reaper
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.scripts import ScriptFiles
from agent_server.store.store import Store
from agent_server.store.tables import Run
from agent_server.version import get_version

PAGES_GROUP = "deskhand.pages"
"""Entry points that add pages for people to the application: functions of it."""


def create_app(settings: Settings, own_port: int | None = None) -> FastAPI:
    """The application; the database is opened when it starts and closed when it stops. `own_port`:
    where it will listen."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        with Store.open(settings) as store:
            dispatcher = Dispatcher(store, Broker(settings))
            keys = KeyRing(store.keys, settings.api_key)
            artifacts, scripted = Artifacts(settings.artifacts), ScriptFiles(settings.artifacts)
            learner = Learner(settings.run_dir)
            state = ApiState(
                settings, store, dispatcher, artifacts, keys, scripted, learner, own_port
            )
            app.state.deskhand = state
            if store.runs.get(API_RUN) is None:
                store.runs.create(Run(id=API_RUN, kind="serve"))
            with Reaper(dispatcher, settings):
                async with (
                    keys.logging(),
                    WebhookSender(state).running(),
                    OpenSessions(settings, own_port) as sessions,
                ):
                    app.state.sessions = sessions
                    app.state.mcp = McpOverHttp(sessions, settings)
                    async with app.state.mcp.running():
                        try:
                            yield
                        finally:
                            await state.close()

    app = FastAPIOffline(
        redoc_url=None,
        title="Deskhand",
        version=get_version(),
        description="Runs computer-use tasks with the current policy.",
        lifespan=lifespan,
        static_url=DOCS_FILES,
        redirect_slashes=False,
    )
    errors.install(app)
    app.add_middleware(Gate, settings=settings)
    # The gate checks the key; these describe it in the OpenAPI document.
    keyed = [
        Security(HTTPBearer(auto_error=False)),
        Security(APIKeyHeader(name="X-API-Key", auto_error=False)),
    ]
    app.include_router(tasks.router, prefix="/v1", dependencies=keyed)
    app.include_router(task_control.router, prefix="/v1", dependencies=keyed)
    app.include_router(task_retry.router, prefix="/v1", dependencies=keyed)
    app.include_router(task_webhooks.router, prefix="/v1", dependencies=keyed)
    app.include_router(approvals.router, prefix="/v1", dependencies=keyed)
    app.include_router(files.router, prefix="/v1", dependencies=keyed)
    app.include_router(session_routes.router, prefix="/v1", dependencies=keyed)
    app.include_router(session_view.router, prefix="/v1")
    app.include_router(profiles.router, prefix="/v1", dependencies=keyed)
    app.include_router(evaluations.router, prefix="/v1", dependencies=keyed)
    app.include_router(scripts.router, prefix="/v1", dependencies=keyed)
    app.include_router(agents.router, prefix="/v1", dependencies=keyed, responses=errors.PROBLEMS)
    app.include_router(tools.router, prefix="/v1", dependencies=keyed, responses=errors.PROBLEMS)
    app.include_router(runs.router, prefix="/v1", dependencies=keyed, responses=errors.PROBLEMS)
    app.include_router(dead_letters.router, prefix="/v1", dependencies=keyed)
    app.include_router(metrics.router, prefix="/v1", dependencies=keyed, responses=errors.PROBLEMS)
    app.include_router(health.router, prefix="/v1")
    app.router.routes.append(Route(MCP_PATH, McpRoute(), include_in_schema=False))
    for pages in entry_points(group=PAGES_GROUP):
        pages.load()(app)
    return app
