"""MCP over streamable HTTP at /mcp: each MCP session owns one session of `open_sessions.py`.

    POST /mcp?env=browser&start_url=https://shop.example/&allow=shop.example&tools=files

The query of the request that opens it says what is lent, as the fields of POST /v1/sessions do, and
which groups of tools are offered (`tools`, several times). Guarantees: what cannot be lent is
refused before there is an MCP session, with a problem document; the environment is given back when
the client ends the MCP session, when it was silent for the idle time, and with the API. Protocol
versions without MCP sessions are refused in the way that lets clients take an older one.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Collection
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

import orjson
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_REQUEST,
    UNSUPPORTED_PROTOCOL_VERSION,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError
from starlette.datastructures import Headers, QueryParams
from starlette.responses import JSONResponse
from starlette.types import Message, Receive, Scope, Send

from agent_server.adapters.mcp_bridge import (
    DEFAULT_GROUPS,
    Bridge,
    SessionFailed,
    UnknownGroup,
)
from agent_server.api.errors import ApiError, problem
from agent_server.api.open_sessions import OpenSession, OpenSessions
from agent_server.api.session_models import MAX_IDLE_S, SessionRequest
from agent_server.api.sessions import make_task
from agent_server.settings import Settings
from envs.contract.actions import Action
from envs.contract.observations import Observation, Observe
from envs.contract.session import StepReply
from envs.contract.task import Task
from envs.contract.validation import describe_first

PATH = "/mcp"
MCP_ID = "mcp-session-id"
PROTOCOL = "mcp-protocol-version"
CLIENT_IDLE_S = 2 * MAX_IDLE_S
"""After it, a client whose environment has long ended is forgotten."""
CLIENTS_PER_SESSION = 8
"""Clients at once, those whose environments have ended included."""
SEVERAL = ("allow", "tools")
"""Parts of the query that may come several times."""
INSTRUCTIONS = """Controls one browser or desktop. `tree` lists what is on the screen: each line
ends in #n, and a target {"ref": n} means that element. `screenshot` shows the pixels; a target
{"x": .., "y": ..} is a point in them. Actions such as click and type answer with the new tree;
tools that begin with the name of an application do more in one call."""


class LentSession:
    """An `OwnedSession` that the API has lent; `reset` lends another one once it has ended."""

    def __init__(self, sessions: OpenSessions, request: SessionRequest, task: Task) -> None:
        self._sessions = sessions
        self._request = request
        self._task = task
        self._session: OpenSession | None = None
        self.env = task.env

    @property
    def is_open(self) -> bool:
        """Whether it holds an environment now."""
        return self._session in self._sessions.list()

    async def open(self) -> Observation:
        """Leases an environment. Raises ApiError."""
        self._session, observation = await self._sessions.open(self._task, self._request, Observe())
        return observation

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        """Runs actions in order and observes. Raises SessionFailed."""
        try:
            async with self._sessions.using(self._require_session().id) as session:
                return await session.remote.step(actions, observe)
        except ApiError as error:
            raise SessionFailed(error.detail) from error

    async def reset(self, observe: Observe) -> Observation:
        """Back to its beginning; another environment where this one has ended. Raises
        SessionFailed."""
        try:
            if not self.is_open:
                return await self.open()
            async with self._sessions.using(self._require_session().id) as session:
                return (await session.remote.reset(self._task, observe)).observation
        except ApiError as error:
            raise SessionFailed(error.detail) from error

    async def list_tools(self) -> list[dict[str, Any]]:
        """The tools of its host. Raises ApiError."""
        async with self._sessions.using(self._require_session().id) as session:
            reply = await session.host.client.request("GET", "/v1/tools", None)
        tools: list[dict[str, Any]] = orjson.loads(reply)["tools"]
        return tools

    async def close(self) -> None:
        """Gives the environment back."""
        if self._session is not None:
            await self._sessions.end(self._session.id, "its MCP client has gone")

    def _require_session(self) -> OpenSession:
        assert self._session is not None
        return self._session


@dataclass(slots=True)
class _Client:
    lent: LentSession
    bridge: Bridge
    used_at: float


class McpOverHttp:
    """The ASGI application at /mcp. Use inside `running`."""

    def __init__(self, sessions: OpenSessions, settings: Settings) -> None:
        self._sessions = sessions
        self._longest_s = settings.session_max_s
        self._clients: dict[str, _Client] = {}
        """By the id of the MCP session."""
        self._manager = StreamableHTTPSessionManager(
            self._make_server(),
            session_idle_timeout=CLIENT_IDLE_S,
            max_sessions=CLIENTS_PER_SESSION * max(1, settings.max_sessions),
        )

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Serves until the body ends."""
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of a client."""
        headers = Headers(scope=scope)
        mcp_id, version = headers.get(MCP_ID), headers.get(PROTOCOL)
        if version is not None and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            await _refuse_version(version)(scope, receive, send)
        elif mcp_id is None and scope["method"] == "POST":
            await self._open_client(scope, receive, send)
        else:
            if mcp_id in self._clients:
                self._clients[mcp_id].used_at = time.monotonic()
            await self._manager.handle_request(scope, receive, send)
            if scope["method"] == "DELETE" and mcp_id is not None:
                await self._forget(mcp_id)

    async def _open_client(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Lease first: a client for whom there is no room gets no MCP session."""
        await self._forget_silent()
        try:
            request, groups = _read_query(QueryParams(scope["query_string"]), self._longest_s)
            lent = LentSession(self._sessions, request, await make_task(request))
            await lent.open()
        except ApiError as error:
            refusal = problem(error.status, error.detail, error.headers)
            await refusal(scope, receive, send)
            return
        is_kept = False

        async def note_and_send(message: Message) -> None:
            nonlocal is_kept
            mcp_id = Headers(raw=message.get("headers", [])).get(MCP_ID)
            if message["type"] == "http.response.start" and mcp_id and message["status"] < 400:
                self._clients[mcp_id] = _Client(lent, bridge, time.monotonic())
                is_kept = True
            await send(message)

        try:
            bridge = Bridge(lent, await lent.list_tools(), groups)
            await self._manager.handle_request(scope, receive, note_and_send)
        except UnknownGroup as error:
            refusal = problem(HTTPStatus.UNPROCESSABLE_ENTITY, f"tools: {error}")
            await refusal(scope, receive, send)
        except ApiError as error:
            await problem(error.status, error.detail, error.headers)(scope, receive, send)
        finally:
            if not is_kept:
                await asyncio.shield(lent.close())

    async def _forget(self, mcp_id: str) -> None:
        client = self._clients.pop(mcp_id, None)
        if client is not None:
            await client.lent.close()

    async def _forget_silent(self) -> None:
        oldest = time.monotonic() - CLIENT_IDLE_S
        for mcp_id in [key for key, client in self._clients.items() if client.used_at < oldest]:
            await self._forget(mcp_id)

    def _make_server(self) -> Server[Any]:
        async def on_list(
            context: ServerRequestContext[Any, Any], params: PaginatedRequestParams | None
        ) -> ListToolsResult:
            return ListToolsResult(tools=self._bridge_of(context).list_tools())

        async def on_call(
            context: ServerRequestContext[Any, Any], params: CallToolRequestParams
        ) -> CallToolResult:
            return await self._bridge_of(context).call(params.name, params.arguments or {})

        return Server(
            "deskhand", instructions=INSTRUCTIONS, on_list_tools=on_list, on_call_tool=on_call
        )

    def _bridge_of(self, context: ServerRequestContext[Any, Any]) -> Bridge:
        headers = {} if context.request is None else context.request.headers
        client = self._clients.get(headers.get(MCP_ID, ""))
        if client is None:
            raise MCPError(INVALID_REQUEST, "this MCP session has ended: begin another one")
        return client.bridge


class McpRoute:
    """What the application's router has at /mcp."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request of a client."""
        await scope["app"].state.mcp(scope, receive, send)


def _read_query(query: QueryParams, longest_s: float) -> tuple[SessionRequest, Collection[str]]:
    """What is to be lent, and the groups of tools. Raises ApiError(422)."""
    fields: dict[str, Any] = dict(query)
    fields |= {name: query.getlist(name) for name in SEVERAL if name in query}
    groups = fields.pop("tools", DEFAULT_GROUPS)
    loan = {"idle_s": MAX_IDLE_S, "max_s": longest_s}
    try:
        return SessionRequest.model_validate(loan | fields), groups
    except ValidationError as error:
        detail = describe_first(error)[:500]
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, detail) from error


def _refuse_version(version: str) -> JSONResponse:
    """As the specification has it: the client goes on with a version of the list."""
    data = {"supported": list(HANDSHAKE_PROTOCOL_VERSIONS), "requested": version}
    message = "this server's sessions need a protocol version with an MCP session"
    error = {"code": UNSUPPORTED_PROTOCOL_VERSION, "message": message, "data": data}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, HTTPStatus.BAD_REQUEST)
