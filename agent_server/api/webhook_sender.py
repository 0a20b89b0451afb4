"""Tells webhooks that tasks have ended, signed as Standard Webhooks has it (standardwebhooks.com).

Guarantees: at least once, with the same id at each try; a try has TRY_S; an address that a task
brought is connected to only where it is public, whatever its name resolves to at that moment, and a
redirection is never followed; a receiver that answers slowly or not at all holds up no other.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import hmac
import logging
import time
from collections.abc import AsyncIterator, Sequence
from urllib.parse import urlsplit

import aiohttp
import orjson
from pydantic import SecretStr
from sqlalchemy.exc import SQLAlchemyError

from agent_server.api.errors import ApiError
from agent_server.api.models import TaskState
from agent_server.api.state import ApiState
from agent_server.private_file import PrivateFileError
from agent_server.store.tables import Delivery, utcnow
from agent_server.version import get_version
from agent_server.webhooks_file import Target, decode_key, load_webhooks
from envs.contract.domains import is_address
from envs.io.public_network import public_connector

log = logging.getLogger(__name__)

POLL_S = 1.0
TRY_S = 10.0
AT_ONCE = 64
"""Of all targets; one target has at most `deliveries.AT_ONCE_EACH` of them."""
EVENT = "task.ended"
MAX_BODY = 256 * 1024
"""Bytes; a larger body goes without answer, result and verdict, which `GET /v1/tasks/{id}` has."""


class WebhookSender:
    """One loop a process of the API; several share the work."""

    def __init__(self, state: ApiState) -> None:
        self._state = state

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Sends until the body ends."""
        if self._state.settings.webhooks is None:
            yield
            return
        loop = asyncio.create_task(self._run(), name="webhooks")
        try:
            yield
        finally:
            loop.cancel()
            await asyncio.wait({loop})

    async def _run(self) -> None:
        sending: dict[asyncio.Task[None], str] = {}
        async with (
            aiohttp.ClientSession(connector=public_connector()) as public,
            aiohttp.ClientSession() as private,
            asyncio.TaskGroup() as group,
        ):
            while True:
                sending = {task: target for task, target in sending.items() if not task.done()}
                for row in await self._claim(list(sending.values())):
                    task = group.create_task(self._try(row, public, private))
                    sending[task] = row.target
                if sending:
                    await asyncio.wait(sending, timeout=POLL_S, return_when=asyncio.FIRST_COMPLETED)
                else:
                    await asyncio.sleep(POLL_S)

    async def _claim(self, busy: Sequence[str]) -> list[Delivery]:
        """What is to be sent now, while so many are sent to these targets."""
        deliveries = self._state.store.deliveries
        try:
            await asyncio.to_thread(deliveries.release_ended)
            return await asyncio.to_thread(deliveries.claim_due, AT_ONCE - len(busy), busy)
        except SQLAlchemyError as error:
            log.warning("webhooks wait for the database: %s", error)
        except Exception:
            # Without this loop nobody is told of anything, and nobody would notice.
            log.exception("webhooks failed, trying again")
        return []

    async def _try(
        self, row: Delivery, public: aiohttp.ClientSession, private: aiohttp.ClientSession
    ) -> None:
        status, error = None, None
        try:
            target = load_webhooks(self._state.settings.webhooks).find(row.target)
            task = await asyncio.to_thread(self._state.state_of_task, row.root_id)
            body = make_body(task)
            link = private if target.is_private else public
            status, error = await _post(link, target, row.id, body)
        except (PrivateFileError, KeyError, ApiError) as problem:
            error = str(problem.args[0] if problem.args else problem)
        except Exception as problem:
            # It counts as a try: what fails each time is given up, and holds up no other.
            log.exception("webhook %s failed", row.id)
            error = f"it cannot be sent: {type(problem).__name__}"
        try:
            await asyncio.to_thread(self._state.store.deliveries.finish, row, status, error)
        except SQLAlchemyError as problem:
            log.warning("%s: what became of it cannot be stored: %s", row.id, problem)


async def _post(
    link: aiohttp.ClientSession, target: Target, message_id: str, body: bytes
) -> tuple[int | None, str | None]:
    """The status, and what failed."""
    # A numeric address is resolved by nobody: the connector sees it, and refuses what is private.
    headers = make_headers(message_id, int(time.time()), body, target.secret)
    limit = aiohttp.ClientTimeout(total=TRY_S)
    try:
        async with link.post(
            target.url, data=body, headers=headers, timeout=limit, allow_redirects=False
        ) as reply:
            if 200 <= reply.status < 300:
                return reply.status, None
            return reply.status, f"{_host_of(target)} answered {reply.status}"
    except TimeoutError:
        return None, f"{_host_of(target)} gave no answer within {TRY_S:g} s"
    except (aiohttp.ClientError, OSError, ValueError) as error:
        return None, f"{_host_of(target)} cannot be told: {error}"


def _host_of(target: Target) -> str:
    """A path may hold a token of the receiver's, so no message has it."""
    return urlsplit(target.url).netloc.rpartition("@")[2]


def make_body(task: TaskState) -> bytes:
    """What a receiver gets."""
    data = task.model_dump(mode="json")
    event = {"type": EVENT, "timestamp": utcnow().isoformat(), "data": data}
    body = orjson.dumps(event)
    if len(body) > MAX_BODY:
        event["data"] = data | {"answer": None, "result": None, "verdict": {}, "detail": None}
        body = orjson.dumps(event)
    return body


def make_headers(message_id: str, timestamp: int, body: bytes, secret: SecretStr) -> dict[str, str]:
    """Of one try: who verifies them knows that the body is ours, and when it was sent."""
    signed = b"%s.%d.%s" % (message_id.encode(), timestamp, body)
    digest = hmac.new(decode_key(secret), signed, hashlib.sha256).digest()
    return {
        "Content-Type": "application/json",
        "User-Agent": f"Deskhand/{get_version()}",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": f"v1,{base64.b64encode(digest).decode()}",
    }


def find_problem(target: Target) -> str | None:
    """Why an address can never be told; a name is looked at when it is connected to."""
    if not target.is_private and is_address(target.url):
        return "the address of a webhook is a name of the internet, not a number or this machine"
    return None
