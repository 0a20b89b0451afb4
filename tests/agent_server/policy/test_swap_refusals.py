"""What a policy server says with status 200 and is a refusal nevertheless: no swap goes on then."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from aiohttp import web

from agent_server.policy.swap import SwapFailed, Swapper
from tests.agent_server.policy.served_policy import publish_random
from tests.http_server import serving


async def test_weights_with_cached_blocks_of_others_are_never_resumed(tmp_path: Path) -> None:
    """vLLM answers so while blocks are in use, which its pause prevents."""
    (version,) = publish_random(tmp_path, 1)
    paths: list[str] = []

    def make_server(stopped: asyncio.Event) -> web.Application:
        async def answer(request: web.Request) -> web.Response:
            paths.append(request.path)
            return web.json_response({"success": False})

        app = web.Application()
        app.router.add_post("/{path:.*}", answer)
        return app

    with serving(make_server) as url, pytest.raises(SwapFailed, match="cached blocks"):
        await Swapper(url).swap(version)
    assert paths == ["/pause", "/collective_rpc", "/update_weight_version", "/reset_prefix_cache"]
