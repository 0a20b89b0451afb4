"""HTTP routes of an env host.

    POST   /v1/sessions                  {env, ttl_s}          -> {id, ttl_s}
    POST   /v1/sessions/{id}/reset       {task, observe}       -> ResetReply
    POST   /v1/sessions/{id}/step        {actions, observe}    -> StepReply
    POST   /v1/sessions/{id}/evaluate    {answer, infeasible}  -> Verdict
    POST   /v1/sessions/{id}/heartbeat                         -> {}
    DELETE /v1/sessions/{id}
    GET    /v1/health  /v1/schema  /v1/tools

Guarantees: every route but /v1/health wants the token; a fault comes back as problem JSON with its
`reason`; a call with an `X-Request-Id` that was the session's last one gets the recorded answer
again instead of running twice; a step that a person holds up is answered 202 and sent again.
A desktop host does not evaluate: it has the routes of `envs.host.collecting`, and those of
`envs.host.osworld` and `envs.host.view`.
"""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.routing import BaseRoute, Route

from envs.host.environments import DesktopEnvironment, Environment
from envs.host.guard import Guard
from envs.host.service import Host


def desktop_routes(environment: DesktopEnvironment, host: Host) -> list[BaseRoute]:
    # The desktop's modules need libraries that a browser host does without.
    from envs.host import collecting, osworld, view

    desktop = environment.desktop
    return [
        *collecting.routes(host),
        *osworld.routes(desktop, host.guard, environment.allow_shell),
        *view.routes(desktop, host),
    ]


def create_app(environment: Environment, guard: Guard) -> Starlette:
    host = Host(environment, guard)
    one = "/v1/sessions/{id}"
    routes: list[BaseRoute] = [
        Route("/v1/sessions", host.guarded(host.open), methods=["POST"]),
        Route(f"{one}/reset", host.guarded(host.reset), methods=["POST"]),
        Route(f"{one}/step", host.guarded(host.step), methods=["POST"]),
        Route(f"{one}/evaluate", host.guarded(host.evaluate), methods=["POST"]),
        Route(f"{one}/heartbeat", host.guarded(host.heartbeat), methods=["POST"]),
        Route(one, host.guarded(host.close), methods=["DELETE"]),
        Route("/v1/schema", host.guarded(host.schema)),
        Route("/v1/tools", host.guarded(host.tools)),
        Route("/v1/health", host.health),
    ]
    if isinstance(environment, DesktopEnvironment):
        routes += desktop_routes(environment, host)
    return Starlette(routes=routes, lifespan=host.lifespan)
