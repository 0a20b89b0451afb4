"""A session is watched by whoever has its address, and by nobody else; to look is not to use."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator

import httpx
import pytest
from PIL import Image

from agent_server.stack.local_stack import Stack
from deskhand import AsyncClient, SessionRequest
from envs.contract.actions import Click, Target
from envs.contract.observations import parse_tree

pytestmark = [
    pytest.mark.browser,
    pytest.mark.timeout(300),
    pytest.mark.asyncio(loop_scope="session"),
]
SHOP = SessionRequest(gym="shop", template="price", seed=3, idle_s=300)


async def read_picture(pieces: AsyncIterator[bytes], differs_from: bytes = b"") -> Image.Image:
    """The first picture of a stream that shows something else: one may be taken just before."""
    content = bytearray()
    async with asyncio.timeout(60):
        async for piece in pieces:
            content += piece
            *whole, rest = content.split(b"\r\n--deskhand-picture\r\n")
            for part in whole:
                picture = Image.open(io.BytesIO(part.partition(b"\r\n\r\n")[2]))
                if picture.tobytes() != differs_from:
                    return picture
            content = bytearray(rest)
    pytest.fail("the stream ended")


async def test_a_person_follows_a_session_without_using_it(
    api_client: AsyncClient, lending_stack: tuple[Stack, str]
) -> None:
    stack, _ = lending_stack
    start = await api_client.open_session(SHOP)
    view = start.session.view
    async with httpx.AsyncClient(base_url=stack.api_url or "", timeout=60) as person:
        page = await person.get(view)
        assert page.status_code == 200
        assert "view/pictures?token=" in page.text
        assert "script-src" not in page.headers["content-security-policy"]
        wall = await person.get("/console/wall", headers={"x-api-key": stack.settings.api_key})
        assert f'href="{view}"' in wall.text
        for wrong in (view[:-1], view.partition("?")[0], view.replace("token=", "token=x")):
            assert (await person.get(wrong)).status_code == 403
            assert (await person.get(wrong.replace("/view", "/view/pictures"))).status_code == 403
        assert (await person.post(view)).status_code == 405
        async with person.stream("GET", view.replace("/view?", "/view/pictures?")) as reply:
            assert reply.headers["content-type"].startswith("multipart/x-mixed-replace")
            first = await read_picture(reply.aiter_raw())
            assert first.width > 300
        tree = start.observation.tree
        assert tree is not None
        link = next(line for line in parse_tree(tree.text) if "Backpack" in line.name)
        done = await api_client.act(start.session.id, [Click(target=Target(ref=link.ref))])
        assert done.results[0].ok, "the numbers of elements are the agent's own"
        used = await api_client.get_session(start.session.id)
        async with person.stream("GET", view.replace("/view?", "/view/pictures?")) as reply:
            content = reply.aiter_raw()
            await read_picture(content, differs_from=first.tobytes())
            watched = await api_client.get_session(start.session.id)
            assert watched.idle_ends_at == used.idle_ends_at, "to look is not to use"
            await api_client.close_session(start.session.id)
            async with asyncio.timeout(60):
                async for _ in content:
                    pass
        assert (await person.get(view)).status_code == 404
