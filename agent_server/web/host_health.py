"""What the env hosts say of themselves, for the console.

Guarantees: all are asked at once and each for `PROBE_S` at most; a host that does not answer is a
line like the others.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from http import HTTPStatus

import orjson

from agent_server.settings import Settings
from envs.contract.task import Env
from envs.io.json_client import CallFailed, JsonClient
from envs.io.probe import PROBE_S


@dataclass(frozen=True, slots=True, kw_only=True)
class HostHealth:
    """One host. `problem`: empty where it is well; `sessions` of `capacity` are lent."""

    url: str
    env: Env
    problem: str = ""
    sessions: int = 0
    capacity: int = 0


async def ask_hosts(settings: Settings) -> list[HostHealth]:
    """The hosts that the API was told of: browsers first."""
    browsers = [_ask(url, "browser") for url in settings.host_urls]
    return await asyncio.gather(*browsers, *(_ask(url, "desktop") for url in settings.desktop_urls))


async def _ask(url: str, env: Env) -> HostHealth:
    client = JsonClient(url, timeout_s=PROBE_S)
    try:
        reply = await client.call("GET", "/v1/health")
        state = reply.json()
        return HostHealth(
            url=url,
            env=env,
            problem="" if reply.status == HTTPStatus.OK else str(state["status"]),
            sessions=int(state["sessions"]),
            capacity=int(state["capacity"]),
        )
    except (CallFailed, orjson.JSONDecodeError, KeyError, TypeError) as error:
        return HostHealth(url=url, env=env, problem=f"does not answer: {error}"[:200])
    finally:
        await client.close()
