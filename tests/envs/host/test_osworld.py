"""OSWorld's calls to its in-VM server, on a real desktop."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Iterator
from typing import Any

import aiohttp
import orjson
import pytest
from PIL import Image, ImageChops

from envs.host.osworld import CALLS
from tests.envs.desktop_box import Box, desktop_box

desktop = pytest.mark.desktop


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with desktop_box("--allow-shell") as started:
        yield started


@pytest.fixture(scope="module")
def open_box() -> Iterator[Box]:
    """No token, no shell."""
    with desktop_box("--no-token") as started:
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
async def test_every_call_wants_the_token(box: Box) -> None:
    async with aiohttp.ClientSession(box.url, headers={"Authorization": "Bearer no"}) as http:
        for call in CALLS:
            for path in call.paths:
                async with http.request(call.method, path) as reply:
                    assert reply.status == 401, path


@desktop
@pytest.mark.parametrize(
    "headers", [{"Origin": "http://evil.example"}, {"Host": "evil.example"},
                {"Sec-Fetch-Site": "cross-site"}],
)  # fmt: skip
async def test_an_open_host_answers_no_web_page(open_box: Box, headers: dict[str, str]) -> None:
    async with (
        aiohttp.ClientSession(open_box.url) as http,
        http.get("/screenshot", headers=headers) as reply,
    ):
        assert reply.status == 403


@desktop
async def test_pictures_for_many_at_once_show_the_pointer(http: aiohttp.ClientSession) -> None:
    async def picture() -> Image.Image:
        async with http.get("/screenshot") as reply:
            assert reply.content_type == "image/png"
            return Image.open(io.BytesIO(await reply.read())).convert("RGB")

    pictures = []
    for x, y in ((200, 200), (900, 500)):
        move = f"import pyautogui; pyautogui.moveTo({x}, {y})"
        await post(http, "/execute", {"command": ["python", "-c", move]})
        async with http.get("/cursor_position") as reply:
            assert await reply.json() == [x, y]
        pictures.append((await asyncio.gather(*(picture() for _ in range(4))))[0])
    left, top, right, bottom = ImageChops.difference(*pictures).getbbox() or (0, 0, 0, 0)
    assert abs(left - 200) < 20
    assert abs(top - 200) < 20
    assert abs(right - 900) < 40
    assert abs(bottom - 500) < 40


@desktop
async def test_a_film_without_a_beginning_is_an_error(http: aiohttp.ClientSession) -> None:
    status, reply = await post(http, "/end_recording", {})
    assert (status, reply["message"]) == (400, "nothing is being recorded")
