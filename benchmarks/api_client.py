"""Calls to the HTTP API that a benchmark cannot go on without."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from envs.io.json_client import HttpReply, JsonClient


class ApiRefused(RuntimeError):
    """The API answered with an error; the message says what."""


async def create(client: JsonClient, path: str, body: Mapping[str, Any]) -> str:
    """The id of what the API created, such as a task. Raises CallFailed, ApiRefused."""
    return str(_require_success(path, await client.call("POST", path, orjson.dumps(body)))["id"])


async def fetch(client: JsonClient, path: str) -> Any:
    """What the API has at this path. Raises CallFailed, ApiRefused."""
    return _require_success(path, await client.call("GET", path))


def _require_success(path: str, reply: HttpReply) -> Any:
    if reply.status >= 400:
        raise ApiRefused(f"{path} was answered {reply.status}: {reply.excerpt}")
    return reply.json()
