"""What a benchmark asks of the API comes back, or says what the API answered."""

from __future__ import annotations

import asyncio

import pytest
from aiohttp import web

from benchmarks.api_client import ApiRefused, create, fetch
from envs.io.json_client import JsonClient
from tests.http_server import serving


def api(stopped: asyncio.Event) -> web.Application:
    async def take(request: web.Request) -> web.Response:
        body = await request.json()
        if "gym" not in body:
            return web.json_response({"detail": "give one of: gym"}, status=422)
        return web.json_response({"id": "e1"}, status=201)

    async def show(request: web.Request) -> web.Response:
        return web.json_response({"id": request.match_info["id"], "status": "scored"})

    app = web.Application()
    app.router.add_post("/v1/tasks", take)
    app.router.add_get("/v1/tasks/{id}", show)
    return app


async def test_what_was_created_is_fetched_by_its_id() -> None:
    with serving(api) as url:
        async with JsonClient(url, timeout_s=5) as client:
            task_id = await create(client, "/v1/tasks", {"gym": "shop"})
            assert await fetch(client, f"/v1/tasks/{task_id}") == {"id": "e1", "status": "scored"}


async def test_a_refusal_names_path_and_answer() -> None:
    with serving(api) as url:
        async with JsonClient(url, timeout_s=5) as client:
            with pytest.raises(ApiRefused, match=r"/v1/tasks was answered 422: .*give one of"):
                await create(client, "/v1/tasks", {})
