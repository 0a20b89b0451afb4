"""HTTP routes of an env host.

    POST   /v1/sessions                  {env, ttl_s}          -> {id, ttl_s}
    POST   /v1/sessions/{id}/reset       {task, observe}       -> ResetReply
    POST   /v1/sessions/{id}/step        {actions, observe}    -> StepReply
    POST   /v1/sessions/{id}/inspect     {actions}             -> PageFacts; nothing is done
    POST   /v1/sessions/{id}/evaluate    {answer, infeasible}  -> Verdict
    POST   /v1/sessions/{id}/snapshot                          -> {id, state_hash}
    POST   /v1/sessions/{id}/secrets     {secrets}             -> for the task of the next reset
    POST   /v1/sessions/{id}/files       the bytes            -> see `envs.host.filing`
    POST   /v1/sessions/{id}/state       BrowserState         -> for the task of the next reset
    GET    /v1/sessions/{id}/state                            -> BrowserState of the task's sites
    POST   /v1/sessions/{id}/restore     {snapshot, observe}   -> ResetReply
    POST   /v1/sessions/{id}/heartbeat                         -> {}
    DELETE /v1/sessions/{id}
    GET    /v1/health  /v1/schema  /v1/tools

Guarantees: every route but /v1/health wants the token; a fault comes back as problem JSON with its
`reason`; a call with an `X-Request-Id` that was the session's last one gets the recorded answer
again instead of running twice; a step that a person holds up is answered 202 and sent again.
A desktop host does not evaluate: it has the routes of `envs.host.collecting`,
`envs.host.lending`, `envs.host.osworld` and `envs.host.view`.
"""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Route

from envs.host import filing
from envs.host.environments import DesktopEnvironment, Environment
from envs.host.guard import Guard
from envs.host.service import Host
from envs.host.tracing import Traced


def desktop_routes(environment: DesktopEnvironment, host: Host) -> list[BaseRoute]:
    # The desktop's modules need libraries that a browser host does without.
    """Routes that only a desktop has."""
    from envs.host import collecting, lending, osworld, view

    desktop = environment.desktop
    return [
        *collecting.routes(host),
        *lending.routes(host),
        *osworld.routes(desktop, host.guard, environment.allow_shell),
        *view.routes(desktop, host),
    ]


def create_app(environment: Environment, guard: Guard) -> Starlette:
    """The host as an ASGI application."""
    host = Host(environment, guard)
    session_path = "/v1/sessions/{id}"
    routes: list[BaseRoute] = [
        Route("/v1/sessions", host.require_token(host.open), methods=["POST"]),
        Route(f"{session_path}/reset", host.require_token(host.reset), methods=["POST"]),
        Route(f"{session_path}/step", host.require_token(host.step), methods=["POST"]),
        Route(f"{session_path}/inspect", host.require_token(host.inspect), methods=["POST"]),
        Route(f"{session_path}/evaluate", host.require_token(host.evaluate), methods=["POST"]),
        Route(f"{session_path}/snapshot", host.require_token(host.snapshot), methods=["POST"]),
        Route(f"{session_path}/secrets", host.require_token(host.lend_secrets), methods=["POST"]),
        Route(f"{session_path}/state", host.require_token(host.lend_state), methods=["POST"]),
        Route(f"{session_path}/state", host.require_token(host.read_state)),
        Route(f"{session_path}/restore", host.require_token(host.restore), methods=["POST"]),
        Route(f"{session_path}/heartbeat", host.require_token(host.heartbeat), methods=["POST"]),
        Route(session_path, host.require_token(host.close), methods=["DELETE"]),
        Route("/v1/schema", host.require_token(host.schema)),
        Route("/v1/tools", host.require_token(host.tools)),
        Route("/v1/health", host.health),
    ]
    routes += filing.routes(host)
    if isinstance(environment, DesktopEnvironment):
        routes += desktop_routes(environment, host)
    middleware = [Middleware(Traced)]
    return Starlette(routes=routes, lifespan=host.lifespan, middleware=middleware)
