"""Whether a server of ours answers: one GET, bounded in time, that raises nothing."""

from __future__ import annotations

from http import HTTPStatus

from envs.io.json_client import CallFailed, JsonClient

PROBE_S = 2.0


async def get_status(url: str) -> int | None:
    """The status that `url` answers with; None without an answer within PROBE_S."""
    client = JsonClient(url, timeout_s=PROBE_S)
    try:
        return (await client.call("GET", "")).status
    except CallFailed:
        return None
    finally:
        await client.close()


async def is_healthy(url: str) -> bool:
    """Whether `url` answers 200."""
    return await get_status(url) == HTTPStatus.OK


async def is_answering(url: str) -> bool:
    """Whether `url` answers, whatever it says: its process does not hang."""
    return await get_status(url) is not None
