"""The MCP server, by the client of the official package over stdio, on a real desktop."""

from __future__ import annotations

import io
import json
import re
import sys
import urllib.request
from base64 import b64decode
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, ImageContent, TextContent, Tool
from PIL import Image

from agent_server.adapters.mcp_bridge import (
    DEFAULT_GROUPS,
    UnknownGroup,
    choose_tools,
    gui_actions,
)
from envs.contract.observations import parse_tree
from tests.envs.desktop_box import Box, desktop_box

pytestmark = pytest.mark.desktop
SERVE = (
    "import asyncio, os; from agent_server.adapters.mcp import {name}; "
    "asyncio.run({name}({arguments}))"
)


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with desktop_box() as started:
        yield started


@asynccontextmanager
async def client_of(name: str, arguments: str, **env: str) -> AsyncIterator[ClientSession]:
    """A server process and a client that has shaken hands with it."""
    code = SERVE.format(name=name, arguments=arguments)
    parameters = StdioServerParameters(command=sys.executable, args=["-c", code], env=env)
    async with stdio_client(parameters) as streams, ClientSession(*streams) as client:
        await client.initialize()
        yield client


def of_box(box: Box) -> Any:
    return client_of("serve", f"{box.url!r}, os.environ['TOKEN']", TOKEN=box.token)


def text_of(result: CallToolResult) -> str:
    block = result.content[-1]
    assert isinstance(block, TextContent)
    return block.text


def get(box: Box, path: str) -> Any:
    request = urllib.request.Request(
        box.url + path, headers={"Authorization": f"Bearer {box.token}"}
    )
    with urllib.request.urlopen(request, timeout=10) as reply:
        return json.load(reply)


async def list_by_name(client: ClientSession) -> dict[str, Tool]:
    return {tool.name: tool for tool in (await client.list_tools()).tools}


async def test_every_tool_and_action_is_offered_under_a_name_all_clients_take(box: Box) -> None:
    async with client_of(
        "serve", f"{box.url!r}, os.environ['TOKEN'], ['all']", TOKEN=box.token
    ) as client:
        listed = await list_by_name(client)
    of_host = {tool["name"].replace(".", "_"): tool for tool in get(box, "/v1/tools")["tools"]}
    assert len(of_host) == len(get(box, "/v1/tools")["tools"])
    assert set(listed) == {*of_host, *gui_actions("desktop"), "tree", "screenshot", "reset"}
    assert all(re.fullmatch("[a-z_]+", name) for name in listed)
    assert listed["files_read"].input_schema == of_host["files_read"]["parameters"]
    assert listed["click"].input_schema["type"] == "object"
    assert "type" not in listed["click"].input_schema["properties"]
    assert "shell_run" not in listed
    assert all(tool.description for tool in listed.values())


async def test_few_tools_are_offered_unless_more_are_chosen(box: Box) -> None:
    async with of_box(box) as client:
        listed = await list_by_name(client)
    groups = {name for name in listed if name not in gui_actions("desktop")}
    assert {name.partition("_")[0] for name in groups} == {"files", "tree", "screenshot", "reset"}


def test_a_group_that_the_host_does_not_have_is_refused_with_those_it_has() -> None:
    entries = [{"name": "files.read"}, {"name": "calc.sort"}]
    assert list(choose_tools(entries, ["calc"])) == ["calc_sort"]
    assert list(choose_tools(entries, DEFAULT_GROUPS)) == ["files_read"]
    with pytest.raises(UnknownGroup, match="called excel; groups: calc, files, or all"):
        choose_tools(entries, ["excel"])


async def test_a_client_works_by_actions_and_sees_the_screen(box: Box) -> None:
    async with of_box(box) as client:
        launched = await client.call_tool("launch", {"app": "editor"})
        lines = parse_tree(text_of(launched))
        (field,) = [line for line in lines if line.role == "box"]
        typed = await client.call_tool("type", {"text": "from MCP", "target": {"ref": field.ref}})
        assert not typed.is_error
        assert "from MCP" in text_of(typed)
        assert "from MCP" in text_of(await client.call_tool("tree", {}))
        shot = (await client.call_tool("screenshot", {"format": "png"})).content[0]
        assert isinstance(shot, ImageContent)
        assert shot.mime_type == "image/png"
        assert Image.open(io.BytesIO(b64decode(shot.data))).size == (1280, 720)
        await client.call_tool("reset", {})
        assert "from MCP" not in text_of(await client.call_tool("tree", {}))


async def test_a_client_uses_the_desktops_tools(box: Box) -> None:
    async with of_box(box) as client:
        await client.call_tool("files_write", {"path": "Documents/a.txt", "text": "Grüße"})
        assert (box.home / "Documents/a.txt").read_text() == "Grüße"
        read = await client.call_tool("files_read", {"path": "Documents/a.txt"})
        assert json.loads(text_of(read)) == {"text": "Grüße", "lines": 1}


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("files_read", {"path": "/etc/passwd"}, "not_allowed: /etc/passwd is outside"),
        ("files_read", {}, "tool_arguments: files.read: path"),
        ("click", {"target": {"ref": 999}}, "unknown_ref: there is no #999"),
        ("click", {"target": {"ref": 1, "x": 2, "y": 3}}, "malformed: click: target"),
        ("key", {"keys": ["hyperdrive"]}, "bad_value"),
        ("screenshot", {"scale": 7}, "malformed: screenshot: scale"),
        ("launch", {"app": "emacs"}, "not_found: there is no application 'emacs'"),
    ],
)
async def test_what_is_refused_is_an_error_result_in_words(
    box: Box, name: str, arguments: dict[str, Any], message: str
) -> None:
    async with of_box(box) as client:
        result = await client.call_tool(name, arguments)
        assert result.is_error
        assert message in text_of(result)
        assert not (await client.call_tool("tree", {})).is_error


async def test_an_unknown_tool_is_a_protocol_error(box: Box) -> None:
    async with of_box(box) as client:
        for name in ("rm", "done", "tool", "shell_run"):
            with pytest.raises(MCPError, match="there is no tool"):
                await client.call_tool(name, {})


async def test_the_session_is_given_back_when_the_client_goes(box: Box) -> None:
    async with of_box(box):
        assert get(box, "/v1/health")["sessions"] == 1
    assert get(box, "/v1/health")["sessions"] == 0


async def test_a_server_with_a_desktop_of_its_own_allows_commands_if_told() -> None:
    async with client_of("serve_own_desktop", "allow_shell=True") as client:
        done = await client.call_tool("shell_run", {"command": "id -un; pwd"})
        assert json.loads(text_of(done)) == {"exit_code": 0, "output": "user\n/home/user\n"}
