"""A harness of verifiers whose program is an oracle: it looks at the same episode on a host of its
own and calls the rollout's tools over MCP. With `moves` off it ends at once."""

from __future__ import annotations

import asyncio
from typing import Any

import verifiers.v1 as vf
from verifiers.v1.harnesses.utils.mcp import mcp_client

from agent_server.adapters.text_episode import TextEpisode, make_gym_task, shared_host
from envs.contract.actions import Action, Click, Done, SetValue, Type
from envs.gyms.server.registry import get_web_gym

__all__ = ["OracleHarness"]


class OracleConfig(vf.HarnessConfig):
    moves: bool = True


def tool_call(action: Action) -> tuple[str, dict[str, Any]]:
    """The tool and its arguments for an oracle's action."""
    if isinstance(action, Done):
        return "finish", {"answer": action.answer or ""}
    assert isinstance(action, Click | Type | SetValue), action
    assert action.target is not None
    element = {"element": f"#{action.target.ref}"}
    if isinstance(action, Click):
        return "click", element
    if isinstance(action, SetValue):
        return "choose", {**element, "value": action.value}
    return "type_text", {**element, "text": action.text, "submit": action.submit}


class OracleHarness(vf.Harness[OracleConfig]):
    SUPPORTS_MCP = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: Any,
        trace: Any,
        runtime: Any,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: Any,
    ) -> vf.ProgramResult:
        (url,) = mcp_urls.values()
        async with mcp_client({"url": url, "timeout": 120.0}) as client:
            assert {"look", "click", "finish"} <= {
                tool.name for tool in (await client.list_tools()).tools
            }
            first = (await client.call_tool("look", {})).content[0].text
            assert first.startswith("page: "), first
            if self.config.moves:
                await self._play(client, data)
            else:
                await client.call_tool("finish", {})
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")

    async def _play(self, client: Any, data: Any) -> None:
        task = make_gym_task(data.gym, data.template, data.seed, data.split)
        oracle = get_web_gym(data.gym).oracle(task)
        mirror = await asyncio.to_thread(lambda: TextEpisode(shared_host()))
        await asyncio.to_thread(mirror.reset, task)
        while mirror.is_running:
            action = oracle.move(mirror.observation).action
            name, arguments = tool_call(action)
            result = await client.call_tool(name, arguments)
            assert not result.is_error, result
            await asyncio.to_thread(mirror.step, action)
        await asyncio.to_thread(mirror.close)
