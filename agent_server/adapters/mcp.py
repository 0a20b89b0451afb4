"""An MCP server over stdio: one desktop (or browser) as tools of any MCP client.

    await serve("http://127.0.0.1:8200", token)      a running env host
    await serve_own_desktop()                        a box of its own, gone with the server

Guarantees: those of `mcp_bridge.py`; the session is released when the client disconnects.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Collection
from typing import Any

import orjson
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
)

from agent_server.adapters.mcp_bridge import DEFAULT_GROUPS, Bridge
from envs.client import HostClient, RemoteSession
from envs.contract.actions import Action
from envs.contract.observations import Observation, Observe
from envs.contract.outcomes import EpisodeFault
from envs.contract.session import StepReply
from envs.contract.task import Env, Task
from envs.providers.local import free_port, wait_healthy
from envs.providers.sandbox import start_sandboxed_desktop

BOX_START_S = 60.0


class HostSession:
    """An `OwnedSession` of one host. `reset` before use, `close` after."""

    def __init__(self, client: HostClient, env: Env) -> None:
        self._client = client
        self._session: RemoteSession | None = None
        self.env: Env = env

    async def step(self, actions: list[Action], observe: Observe) -> StepReply:
        """Runs actions in order and observes. Raises EpisodeFault."""
        assert self._session is not None
        return await self._session.step(actions, observe)

    async def reset(self, observe: Observe) -> Observation:
        """A reset session; another one when the old one is lost. Raises EpisodeFault."""
        task = Task(id="mcp", instruction="", env=self.env)
        if self._session is not None:
            with contextlib.suppress(EpisodeFault):
                return (await self._session.reset(task, observe)).observation
            await self.close()
        self._session = await self._client.open(self.env)
        return (await self._session.reset(task, observe)).observation

    async def list_tools(self) -> list[dict[str, Any]]:
        """The tools of the host, which knows them once it has a session. Raises EpisodeFault."""
        tools: list[dict[str, Any]] = orjson.loads(
            await self._client.request("GET", "/v1/tools", None)
        )["tools"]
        return tools

    async def close(self) -> None:
        """Release the session."""
        if self._session is not None:
            await self._session.close()
            self._session = None


def server_of(bridge: Bridge) -> Server[Any]:
    """An MCP server on a bridge."""

    async def on_list(context: Any, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=bridge.list_tools())

    async def on_call(context: Any, params: CallToolRequestParams) -> CallToolResult:
        return await bridge.call(params.name, params.arguments or {})

    return Server(
        "deskhand",
        instructions=bridge.instructions,
        on_list_tools=on_list,
        on_call_tool=on_call,
    )


async def serve(
    url: str, token: str | None = None, groups: Collection[str] = DEFAULT_GROUPS
) -> None:
    """Serve a session of the host at `url` on stdin and stdout until the client disconnects. Raises
    EpisodeFault when the host cannot be used, and UnknownGroup."""
    async with stdio_server() as streams:
        await _serve(url, token, groups, *streams)


async def serve_own_desktop(
    allow_shell: bool = False, groups: Collection[str] = DEFAULT_GROUPS
) -> None:
    """As `serve`, on a desktop in a box of its own. Raises EpisodeFault, UnknownGroup."""
    # The streams first: what the box prints must not get between the messages.
    async with stdio_server() as streams, _own_box(allow_shell) as (url, token):
        await _serve(url, token, groups, *streams)


async def _serve(
    url: str, token: str | None, groups: Collection[str], read: Any, write: Any
) -> None:
    async with HostClient(url, token) as client:
        session = HostSession(client, (await client.health())["env"])
        try:
            await session.reset(Observe())
            server = server_of(Bridge(session, await session.list_tools(), groups))
            await server.run(read, write, server.create_initialization_options())
        finally:
            await asyncio.shield(session.close())


@contextlib.asynccontextmanager
async def _own_box(allow_shell: bool) -> AsyncIterator[tuple[str, str]]:
    port, token = free_port(), secrets.token_urlsafe(24)
    async with start_sandboxed_desktop(port, token, allow_shell) as box:
        url = f"http://127.0.0.1:{port}"
        await wait_healthy(f"{url}/v1/health", box, BOX_START_S)
        yield url, token
