"""MCP over streamable HTTP, by the official client, on a whole stack with a real Chromium."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import ClientSession
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ImageContent, TextContent

from agent_server.adapters.mcp_bridge import gui_actions
from agent_server.stack.local_stack import Stack
from deskhand import AsyncClient, SessionRequest
from envs.contract.observations import parse_tree

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.asyncio(loop_scope="session"),
]


def address(stack: Stack, query: str) -> str:
    return f"{stack.api_url}/mcp?{query}"


@asynccontextmanager
async def client_of(stack: Stack, query: str = "") -> AsyncIterator[ClientSession]:
    """A client that has shaken hands."""
    headers = {"Authorization": f"Bearer {stack.settings.api_key}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60) as http,
        streamable_http_client(address(stack, query), http_client=http) as streams,
        ClientSession(*streams[:2]) as client,
    ):
        await client.initialize()
        yield client


def text_of(result: CallToolResult) -> str:
    block = result.content[-1]
    assert isinstance(block, TextContent)
    return block.text


async def test_a_client_works_in_a_session_of_its_own_that_ends_with_it(
    api_client: AsyncClient, lending_stack: tuple[Stack, str]
) -> None:
    stack, site = lending_stack
    async with client_of(stack, f"start_url={site}/form") as client:
        (session,) = await api_client.list_sessions()
        assert session.start_url == f"{site}/form"
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names >= {"tree", "screenshot", "reset", *gui_actions("browser")}
        lines = parse_tree(text_of(await client.call_tool("tree", {})))
        (field,) = [line for line in lines if line.name == "Name"]
        typed = await client.call_tool("type", {"text": "MCP ", "target": {"ref": field.ref}})
        assert not typed.is_error
        assert "MCP" in text_of(typed)
        shot = (await client.call_tool("screenshot", {})).content[0]
        assert isinstance(shot, ImageContent)
        wrong = await client.call_tool("click", {"target": {"ref": 999}})
        assert (wrong.is_error, "unknown_ref" in text_of(wrong)) == (True, True)
        with pytest.raises(MCPError, match="there is no tool"):
            await client.call_tool("rm", {})
        async with client_of(stack) as other:
            assert "MCP" not in text_of(await other.call_tool("tree", {}))
            assert len(await api_client.list_sessions()) == 2
        assert [left.id for left in await api_client.list_sessions()] == [session.id]
    assert await api_client.list_sessions() == []


async def test_a_client_of_a_newer_protocol_takes_one_that_has_sessions(
    api_client: AsyncClient, lending_stack: tuple[Stack, str]
) -> None:
    stack, _ = lending_stack
    headers = {"x-api-key": stack.settings.api_key}
    query = "gym=shop&template=price&seed=3"
    async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http_client(address(stack, query), http_client=http)
        async with Client(transport) as client:
            assert "link" in text_of(await client.call_tool("tree", {}))
            (session,) = await api_client.list_sessions()
            assert session.name == "shop/price@3"


async def test_after_its_environment_has_ended_a_client_goes_on_with_another(
    api_client: AsyncClient, lending_stack: tuple[Stack, str]
) -> None:
    stack, site = lending_stack
    async with client_of(stack, f"start_url={site}/form") as client:
        (session,) = await api_client.list_sessions()
        await api_client.close_session(session.id)
        ended = await client.call_tool("tree", {})
        assert ended.is_error
        assert "has ended: it was closed; call reset to go on" in text_of(ended)
        assert "Name" in text_of(await client.call_tool("reset", {}))
        assert not (await client.call_tool("tree", {})).is_error


async def test_what_cannot_be_lent_opens_no_mcp_session(
    api_client: AsyncClient, lending_stack: tuple[Stack, str]
) -> None:
    stack, _ = lending_stack
    headers = {"accept": "application/json, text/event-stream"}
    hello: dict[str, Any] = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    async with httpx.AsyncClient(headers=headers, timeout=60) as http:
        assert (await http.post(address(stack, ""), json=hello)).status_code == 401
        http.headers["x-api-key"] = stack.settings.api_key
        for query, sentence in (
            ("tools=excel", "tools: no tools are called excel"),
            ("env=phone", "env: Input should be 'browser' or 'desktop'"),
            ("gym=shop", "gym, template and seed go together"),
            ("start_url=https://shop.example/", "name its domain in allow"),
            ("host=evil.test", "host: Extra inputs are not permitted"),
            ("env=desktop", "the API knows no desktop"),
        ):
            refused = await http.post(address(stack, query), json=hello)
            assert (refused.status_code, sentence in refused.text) == (422, True), refused.text
        assert (await http.post(address(stack, ""), json=hello)).status_code == 400
        assert await api_client.list_sessions() == []
        for _ in range(2):
            await api_client.open_session(SessionRequest())
        full = await http.post(address(stack, ""), json=hello)
        assert (full.status_code, full.headers["retry-after"]) == (503, "5")
