"""Sends a world's content to an application's filling page, which only the gym server can ask."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import aiohttp
import orjson

from envs.gyms.kit.company import Company
from envs.gyms.real.application import CLOCK_HEADER, DATA_HEADER, Cookies, WorldCopy
from envs.gyms.server.gym import ApplicationFailed


async def post_world(
    http: aiohttp.ClientSession, name: str, copy: WorldCopy, world: Company, body: Mapping[str, Any]
) -> Cookies:
    """The cookies of the signed-in user, once application `name` has put `body` into the copy.
    Raises ApplicationFailed with what it answered instead."""
    headers = {DATA_HEADER: copy.name, CLOCK_HEADER: str(copy.clock)}
    address = f"http://application/{name}/deskhand-fill"
    async with http.post(address, data=orjson.dumps(body), headers=headers) as reply:
        text = await reply.text()
        if reply.status != 200:
            raise ApplicationFailed(f"world {world.seed} cannot be made: {text[:300]}")
    cookies: Cookies = orjson.loads(text)
    return cookies
