"""Calls sent again after a broken connection run once; equal new calls run again."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from typing import Any

import aiohttp
import orjson
import pytest

from tests.envs.desktop_box import Box, desktop_box

desktop = pytest.mark.desktop


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with desktop_box("--allow-shell") as started:
        yield started


@pytest.fixture
async def http(box: Box) -> AsyncIterator[aiohttp.ClientSession]:
    headers = {"Authorization": f"Bearer {box.token}"}
    timeout = aiohttp.ClientTimeout(total=60)
    async with aiohttp.ClientSession(box.url, headers=headers, timeout=timeout) as session:
        yield session


async def post(http: aiohttp.ClientSession, path: str, body: Any) -> tuple[int, Any]:
    async with http.post(path, json=body) as reply:
        content = await reply.read()
        return reply.status, orjson.loads(content) if content[:1] in b"{[" else content.decode()


@desktop
async def test_a_call_sent_again_after_its_connection_broke_runs_once(
    http: aiohttp.ClientSession, box: Box
) -> None:
    script = "echo started >> ~/once; until [ -e ~/go ]; do sleep 0.05; done; echo ended"
    body = orjson.dumps({"script": script})
    head = (f"POST /run_bash_script HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
            f"Authorization: Bearer {box.token}\r\n\r\n")  # fmt: skip
    with socket.create_connection(("127.0.0.1", int(box.url.rpartition(":")[2])), 10) as broken:
        broken.sendall(head.encode() + body)
        await wait_until((box.home / "once").exists)
    again = asyncio.create_task(http.post("/run_bash_script", data=body))
    (box.home / "go").touch()
    async with await again as reply:
        assert (await reply.json())["output"] == "ended\n"
    assert (box.home / "once").read_text() == "started\n"
    async with http.post("/run_bash_script", data=body) as reply:
        assert reply.status == 200
    assert (box.home / "once").read_text() == "started\nstarted\n"


async def wait_until(ready: Any) -> None:
    async with asyncio.timeout(20):
        while not ready():
            await asyncio.sleep(0.02)


@desktop
async def test_the_same_call_twice_runs_twice(http: aiohttp.ClientSession, box: Box) -> None:
    body = {"command": "echo x >> ~/twice", "shell": True}
    await asyncio.gather(*(post(http, "/execute", body) for _ in range(3)))
    assert (box.home / "twice").read_text() == "x\nx\nx\n"
