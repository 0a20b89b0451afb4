"""The host's state and its handlers: its environment, and the sessions on loan.

Guarantees: a session is lent to one at a time and taken back when its lease ends; a call with the
`X-Request-Id` of the session's last one gets the recorded answer and does not run again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response

from envs.contract.actions import ACTION_SCHEMA_VERSION, Action, action_adapter
from envs.contract.browser_state import BrowserState
from envs.contract.host_api import (
    CALL_LIMIT_S,
    MAX_STATE,
    REQUEST_ID_HEADER,
    EvaluateRequest,
    InspectRequest,
    LendSecretsRequest,
    OpenRequest,
    ResetRequest,
    RestoreRequest,
    SessionOpened,
    StepRequest,
)
from envs.contract.observations import Observe
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.page_facts import PageFacts
from envs.contract.secret import Secret
from envs.contract.session import (
    CannotSnapshot,
    Judged,
    Keep,
    ResetReply,
    SnapshotTaken,
    Verdict,
)
from envs.host.environments import Environment
from envs.host.guard import Guard
from envs.host.leases import Lease, LeaseEnded, Leases
from envs.host.lens import step_and_look
from envs.host.messages import Handler, json_reply, problem, read_body, with_problem_replies


@runtime_checkable
class Judging(Protocol):
    """A session that judges from what its environment knows, as that of a gym."""

    async def evaluate(
        self, answer: str | None, infeasible: bool, keep: Keep | None = None
    ) -> Verdict:
        """The verdict on the current state. Raises EpisodeFault."""


@runtime_checkable
class Forkable(Protocol):
    """A session whose states can be kept and put back, as that of a web gym."""

    async def snapshot(self) -> SnapshotTaken:
        """Raises CannotSnapshot, EpisodeFault."""

    async def restore(self, snapshot_id: str, observe: Observe) -> ResetReply:
        """Raises CannotSnapshot, EpisodeFault."""


@runtime_checkable
class Typist(Protocol):
    """A session that types secrets for its agent."""

    async def lend_secrets(self, secrets: Mapping[str, Secret]) -> None:
        """For the task of the next reset."""


@runtime_checkable
class Remembering(Protocol):
    """A session that begins with saved log-in state, and tells what it has in the end."""

    async def lend_state(self, state: BrowserState) -> None:
        """For the task of the next reset."""

    async def read_state(self) -> BrowserState:
        """Of the task's sites. Raises EpisodeFault."""


@runtime_checkable
class Inspectable(Protocol):
    """A session that tells what actions would touch, as that of a browser."""

    async def inspect(self, actions: Sequence[Action]) -> PageFacts:
        """Changes nothing. Raises EpisodeFault."""


def _forkable(lease: Lease) -> Forkable:
    if not isinstance(lease.session, Forkable):
        raise CannotSnapshot("the states of this environment cannot be kept")
    return lease.session


def _model(data: BaseModel) -> bytes:
    return data.model_dump_json(exclude_none=True).encode()


class Host:
    """The service's state: its environment and the sessions on loan."""

    def __init__(self, environment: Environment, guard: Guard) -> None:
        self.guard = guard
        self.environment = environment
        self.leases = Leases(environment.open, environment.capacity)

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        """Starts the environment and the reaper of leases; ends both."""
        await self.environment.start()
        reaper = asyncio.create_task(self.leases.reap_forever())
        try:
            yield
        finally:
            reaper.cancel()
            await self.leases.close_all()
            await self.environment.close()

    def require_token(self, handler: Handler) -> Handler:
        """Wants the token; otherwise like `with_problem_replies`."""
        inner = with_problem_replies(handler)

        async def endpoint(request: Request) -> Response:
            if not self.guard.admits(
                request.headers.get("authorization", ""), request.scope.get("server")
            ):
                return problem(401, "Unauthorized", "send the host's token as Bearer")
            return await inner(request)

        return endpoint

    async def open(self, request: Request) -> Response:
        """Leases a session."""
        body = OpenRequest.model_validate_json(await read_body(request) or b"{}")
        offered = self.environment.name
        if body.env not in (None, offered):
            return problem(422, "Bad request", f"env: this host offers {offered}, not {body.env}")
        lease = await self.leases.open(body.ttl_s)
        wants = self.environment.wants_assets
        opened = SessionOpened(id=lease.id, ttl_s=lease.ttl_s, wants_assets=wants)
        return json_reply(opened.model_dump())

    async def reset(self, request: Request) -> Response:
        """Resets the session to a task."""
        body = ResetRequest.model_validate_json(await read_body(request))
        return await self.once(request, lambda lease: lease.session.reset(body.task, body.observe))

    async def lend_secrets(self, request: Request) -> Response:
        """Gives the session secrets for the task of its next reset."""
        body = LendSecretsRequest.model_validate_json(await read_body(request))
        lease = self.leases.get(request.path_params["id"])
        if lease is None:
            raise LeaseEnded
        if not isinstance(lease.session, Typist):
            return problem(422, "Bad request", f"{self.environment.name} hosts type no secrets")
        await lease.session.lend_secrets(body.secrets)
        return json_reply({})

    async def lend_state(self, request: Request) -> Response:
        """Gives the session log-in state for the task of its next reset."""
        body = BrowserState.model_validate_json(await read_body(request, MAX_STATE))
        await self._remembering(request).lend_state(body)
        return json_reply({})

    async def read_state(self, request: Request) -> Response:
        """The log-in state of the task's sites."""
        session = self._remembering(request)
        return await self.once(request, lambda lease: session.read_state())

    def _remembering(self, request: Request) -> Remembering:
        lease = self.leases.get(request.path_params["id"])
        if lease is None:
            raise LeaseEnded
        if not isinstance(lease.session, Remembering):
            detail = f"{self.environment.name} hosts keep no log-in state"
            raise EpisodeFault(InvalidReason.UNRUNNABLE, detail)
        return lease.session

    async def step(self, request: Request) -> Response:
        """Runs actions in the session."""
        body = StepRequest.model_validate_json(await read_body(request))
        return await self.once(
            request, lambda lease: step_and_look(lease.session, body.actions, body.observe)
        )

    async def inspect(self, request: Request) -> Response:
        """Tells what actions would touch. A desktop tells nothing."""
        body = InspectRequest.model_validate_json(await read_body(request))

        async def look(lease: Lease) -> BaseModel:
            if not isinstance(lease.session, Inspectable):
                return PageFacts()
            return await lease.session.inspect(body.actions)

        return await self.once(request, look)

    async def snapshot(self, request: Request) -> Response:
        """Keeps the session's state."""
        return await self.once(request, lambda lease: _forkable(lease).snapshot())

    async def restore(self, request: Request) -> Response:
        """Puts the session into a state that was kept."""
        body = RestoreRequest.model_validate_json(await read_body(request))
        return await self.once(
            request, lambda lease: _forkable(lease).restore(body.snapshot, body.observe)
        )

    async def evaluate(self, request: Request) -> Response:
        """Judges the session's state."""
        body = EvaluateRequest.model_validate_json(await read_body(request) or b"{}")

        async def judge(lease: Lease) -> BaseModel:
            if not isinstance(lease.session, Judging):
                raise EpisodeFault(
                    InvalidReason.EVALUATOR_ERROR, f"{self.environment.name} hosts judge nothing"
                )
            evidence: list[bytes] = []
            verdict = await lease.session.evaluate(
                body.answer, body.infeasible, evidence.append if body.keep else None
            )
            return Judged(verdict=verdict, evidence=evidence[0] if evidence else None)

        return await self.once(request, judge)

    async def once(
        self,
        request: Request,
        call: Callable[[Lease], Coroutine[Any, Any, BaseModel]],
        limit_s: float = CALL_LIMIT_S,
    ) -> Response:
        """The call's answer, recorded for the case that it is asked for again."""
        lease = self.leases.get(request.path_params["id"])
        if lease is None:
            raise LeaseEnded
        request_id = request.headers.get(REQUEST_ID_HEADER)
        async with lease.busy:
            # A client that lost our answer sends the same id again: acting twice would change the
            # task.
            if request_id is None or request_id != lease.last_request:
                lease.last_reply = _model(await lease.run(lambda: call(lease), limit_s))
                lease.last_request = request_id
            # A long call may have used up the time that was left.
            lease.renew()
            return Response(lease.last_reply, media_type="application/json")

    async def heartbeat(self, request: Request) -> Response:
        """Renews a lease."""
        if self.leases.get(request.path_params["id"]) is None:
            return problem(404, "No such session", "it was closed, or its lease expired")
        return json_reply({})

    async def close(self, request: Request) -> Response:
        """Ends a lease."""
        return json_reply({"closed": await self.leases.close(request.path_params["id"])})

    async def health(self, request: Request) -> Response:
        """State of the environment and number of sessions."""
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
        """The JSON schema of actions."""
        return json_reply(
            {"version": ACTION_SCHEMA_VERSION, "action": action_adapter.json_schema()}
        )

    async def tools(self, request: Request) -> Response:
        """The tools of the environment with their schemas."""
        environment = self.environment
        return json_reply({"tools": environment.tools.schemas(environment.allow_shell)})
