"""A client of the API behaves as users are told to."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import pytest
from aiohttp import web

from benchmarks.faults import load as loads
from benchmarks.faults.load import Load, wait_until_quiet
from benchmarks.faults.works import Work
from tests.http_server import serving

WORKS = [Work(f"shop/price@{number}", "oracle", {"seed": number}) for number in range(3)]


class BadApi:
    """Fails each first call with 503, and tells the end at the third look."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()
        self.ids: dict[str, str] = {}
        self.bodies: list[dict[str, Any]] = []

    def app(self, stopped: asyncio.Event) -> web.Application:
        app = web.Application()
        app.router.add_post("/v1/tasks", self.create)
        app.router.add_get("/v1/tasks/{id}", self.look)
        return app

    async def create(self, request: web.Request) -> web.Response:
        key = request.headers["idempotency-key"]
        self.calls[key] += 1
        if self.calls[key] == 1:
            return web.json_response({"detail": "try again"}, status=503)
        self.bodies.append(await request.json())
        identity = self.ids.setdefault(key, f"e{len(self.ids)}")
        return web.json_response({"id": identity}, status=201)

    async def look(self, request: web.Request) -> web.Response:
        identity = request.match_info["id"]
        self.calls[identity] += 1
        status = "scored" if self.calls[identity] > 2 else "running"
        return web.json_response({"status": status, "score": 1.0})


async def test_a_submission_is_sent_with_its_key_until_it_is_answered_and_followed_to_its_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(loads, "AGAIN_S", 0.01)
    monkeypatch.setattr(loads, "POLL_S", 0.01)
    api = BadApi()
    with serving(api.app) as url:
        load = Load(url, "key", WORKS, "round-1", clients=2, repeats=False)
        await load.run()
        assert await wait_until_quiet(load, 0)
    assert [entry.key for entry in load.submissions] == ["round-1-0", "round-1-1", "round-1-2"]
    assert all(entry.final == {"status": "scored", "score": 1.0} for entry in load.submissions)
    assert {len(entry.ids) for entry in load.submissions} == {1}
    assert all(body["policy"] == "oracle" for body in api.bodies)


async def test_after_a_stop_no_more_is_submitted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loads, "AGAIN_S", 0.01)
    monkeypatch.setattr(loads, "POLL_S", 0.01)
    with serving(BadApi().app) as url:
        load = Load(url, "key", WORKS, "round-2", clients=2)
        running = asyncio.create_task(load.run())
        while len(load.submissions) < 8:
            await asyncio.sleep(0.01)
        load.stop()
        await running
    assert load.open_count == 0
    assert len(load.submissions) <= 10
