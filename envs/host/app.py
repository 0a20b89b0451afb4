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
A desktop host has the routes of `envs.host.osworld` and `envs.host.view` too.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from envs.actions import ACTION_SCHEMA_VERSION, MAX_ACTIONS, Action, action_adapter
from envs.host.bodies import MAX_BODY, TooLarge, read_body
from envs.host.environments import DesktopEnvironment, Environment
from envs.host.guard import Guard
from envs.host.leases import Lease, Leases, NoCapacity
from envs.observations import Observe
from envs.outcomes import EpisodeFault, InvalidReason
from envs.session import HELD, Held
from envs.tasks import Env, Task
from envs.tools.registry import list_tools


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class OpenBody(_Body):
    env: Env | None = None
    ttl_s: float = Field(60.0, gt=0, le=3600)


class ResetBody(_Body):
    task: Task
    observe: Observe = Observe()


class StepBody(_Body):
    actions: list[Action] = Field(max_length=MAX_ACTIONS)
    observe: Observe = Observe()


class EvaluateBody(_Body):
    answer: str | None = None
    infeasible: bool = False


def problem(status: int, title: str, detail: str, reason: InvalidReason | None = None) -> Response:
    """RFC 9457 problem details."""
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    if reason is not None:
        body["reason"] = str(reason)
    headers = {"Retry-After": "1"} if status == 503 else None
    return Response(
        orjson.dumps(body), status, media_type="application/problem+json", headers=headers
    )


def json_reply(data: object) -> Response:
    return Response(orjson.dumps(data), media_type="application/json")


def _model(data: BaseModel) -> bytes:
    return data.model_dump_json(exclude_none=True).encode()


Handler = Callable[[Request], Awaitable[Response]]


def reported(handler: Handler) -> Handler:
    """Bad requests and faults as problem JSON."""

    async def endpoint(request: Request) -> Response:
        try:
            return await handler(request)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            return problem(422, "Bad request", f"{where}: {first['msg']}"[:500])
        except EpisodeFault as fault:
            return problem(502, "Environment fault", fault.detail, fault.reason)
        except Held:
            return Response(HELD, 202, media_type="application/json")
        except TooLarge:
            return problem(413, "Too large", f"the body is over {MAX_BODY} bytes")
        except NoCapacity as error:
            return problem(503, "No capacity", str(error))

    return endpoint


class Host:
    """The service's state: its environment and the sessions on loan."""

    def __init__(self, environment: Environment, guard: Guard) -> None:
        self.guard = guard
        self.environment = environment
        self.leases = Leases(environment.open, environment.capacity)

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        await self.environment.start()
        reaper = asyncio.create_task(self.leases.reap_forever())
        try:
            yield
        finally:
            reaper.cancel()
            await self.leases.close_all()
            await self.environment.close()

    def guarded(self, handler: Handler) -> Handler:
        """Wants the token; otherwise like `reported`."""
        inner = reported(handler)

        async def endpoint(request: Request) -> Response:
            if not self.guard.admits(request.headers.get("authorization", "")):
                return problem(401, "Unauthorized", "send the host's token as Bearer")
            return await inner(request)

        return endpoint

    async def open(self, request: Request) -> Response:
        body = OpenBody.model_validate_json(await read_body(request) or b"{}")
        offered = self.environment.name
        if body.env not in (None, offered):
            return problem(422, "Bad request", f"env: this host offers {offered}, not {body.env}")
        lease = await self.leases.open(body.ttl_s)
        return json_reply({"id": lease.id, "ttl_s": lease.ttl_s})

    async def reset(self, request: Request) -> Response:
        body = ResetBody.model_validate_json(await read_body(request))
        return await self._once(request, lambda lease: lease.session.reset(body.task, body.observe))

    async def step(self, request: Request) -> Response:
        body = StepBody.model_validate_json(await read_body(request))
        return await self._once(
            request, lambda lease: lease.session.step(body.actions, body.observe)
        )

    async def evaluate(self, request: Request) -> Response:
        body = EvaluateBody.model_validate_json(await read_body(request) or b"{}")
        return await self._once(
            request, lambda lease: lease.session.evaluate(body.answer, body.infeasible)
        )

    async def _once(
        self, request: Request, call: Callable[[Lease], Awaitable[BaseModel]]
    ) -> Response:
        lease = self.leases.get(request.path_params["id"])
        if lease is None:
            return problem(404, "No such session", "it was closed, or its lease expired")
        request_id = request.headers.get("x-request-id")
        async with lease.busy:
            if request_id is None or request_id != lease.last_request:
                lease.last_reply = _model(await call(lease))
                lease.last_request = request_id
            lease.renew()
            return Response(lease.last_reply, media_type="application/json")

    async def heartbeat(self, request: Request) -> Response:
        if self.leases.get(request.path_params["id"]) is None:
            return problem(404, "No such session", "it was closed, or its lease expired")
        return json_reply({})

    async def close(self, request: Request) -> Response:
        return json_reply({"closed": await self.leases.close(request.path_params["id"])})

    async def health(self, request: Request) -> Response:
        return json_reply(
            {
                "status": "ok" if self.environment.well else f"{self.environment.name} down",
                "env": self.environment.name,
                "sessions": len(self.leases),
                "capacity": self.leases.capacity,
                "reaped": self.leases.reaped,
            }
        )

    async def schema(self, request: Request) -> Response:
        return json_reply(
            {"version": ACTION_SCHEMA_VERSION, "action": action_adapter.json_schema()}
        )

    async def tools(self, request: Request) -> Response:
        environment = self.environment
        return json_reply({"tools": list_tools(environment.name, environment.allow_shell)})


def desktop_routes(environment: DesktopEnvironment, host: Host) -> list[BaseRoute]:
    # The desktop's modules need libraries that a browser host does without.
    from envs.host import osworld, view

    desktop = environment.desktop
    return [
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
