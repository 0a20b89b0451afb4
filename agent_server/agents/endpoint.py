"""Posts JSON to a model's endpoint over HTTP, and says what went wrong there.

Guarantees: every call has a timeout and an answer has a bound; what may pass (a rate limit, a
server error, a broken connection, an answer that is no answer) is asked again after a pause, within
the patience that an episode has; what is left is an EpisodeFault of one class:

    policy_timeout      no answer in time
    policy_rate_limit   429 for longer than the patience lasts
    policy_error        408, 409, 5xx, no connection
    policy_unreadable   200 with something that is no answer
    policy_refused      another 4xx: this request, not the next
    policy_denied       401, 403, 404, a redirect, an empty account: every request

The key comes from the environment, goes into one header, and is in no message.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from ipaddress import ip_address
from typing import Any, TypeVar
from urllib.parse import urlsplit

import orjson

from agent_server.agents.config import AnyEndpoint
from agent_server.episodes.answer_status import get_fault_of_status
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.json_client import AnswerTooLarge, CallFailed, HttpReply, JsonClient, NoAnswer
from envs.io.settings import read_variable

T = TypeVar("T")
Json = dict[str, Any]

TRIES = 5
"""For server errors, broken connections and unreadable answers; rate limits have the patience."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 30.0
SHORTEST_S = 0.5
"""Whatever a server says: one that says 0 for ever would be asked without end."""
ANSWER_BYTES = 16 * 2**20


class Unreadable(Exception):
    """A reply that is no answer of the dialect's API."""


@dataclass(slots=True)
class Patience:
    """Seconds that an episode may still wait for an endpoint."""

    left_s: float
    spent_s: float = 0.0

    def spend(self, seconds: float) -> None:
        """Count seconds of waiting."""
        self.left_s -= seconds
        self.spent_s += seconds


class _Failure(Exception):
    """One try that failed; `after_s`: when the server says to come back."""

    def __init__(
        self, reason: InvalidReason, detail: str, passing: bool, after_s: float | None = None
    ) -> None:
        super().__init__(detail)
        self.fault = EpisodeFault(reason, detail)
        self.passing, self.after_s = passing, after_s


class EndpointClient:
    """One client for all episodes of a process: a rate limit delays all of them."""

    def __init__(self, spec: AnyEndpoint, headers: dict[str, str]) -> None:
        self.spec = spec
        self._open_at = 0.0
        self._client = JsonClient(
            spec.base_url,
            timeout_s=spec.timeout_s,
            headers={**headers, **spec.headers},
            max_bytes=ANSWER_BYTES,
            use_proxy=not _is_local(urlsplit(spec.base_url).hostname or ""),
        )

    async def post_until_read(
        self, path: str, body: Json, read: Callable[[Json], T], patience: Patience
    ) -> T:
        """Post until `read` accepts the reply and return its result; `read` raises Unreadable for a
        reply that is no answer. Raises EpisodeFault."""
        payload = orjson.dumps(body)
        tries = 0
        while True:
            await self._wait(self._open_at - time.monotonic(), patience)
            try:
                return read(await self._post(path, payload))
            except Unreadable as error:
                failure = _Failure(InvalidReason.POLICY_UNREADABLE, self._sentence(error), True)
            except _Failure as error:
                failure = error
            tries += 1
            limited = failure.fault.reason is InvalidReason.POLICY_RATE_LIMIT
            pause_s = _pause(tries) if failure.after_s is None else max(failure.after_s, SHORTEST_S)
            last = tries >= TRIES and not limited
            if not failure.passing or last or pause_s > patience.left_s:
                raise failure.fault
            if limited:
                self._open_at = max(self._open_at, time.monotonic() + pause_s)
            else:
                await self._wait(pause_s, patience)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    async def _wait(self, seconds: float, patience: Patience) -> None:
        """Raises EpisodeFault(policy_rate_limit) where it is longer than the patience."""
        if seconds <= 0:
            return
        if seconds > patience.left_s:
            raise EpisodeFault(
                InvalidReason.POLICY_RATE_LIMIT,
                self._sentence(
                    f"asks to wait {seconds:.0f} s more, {patience.left_s:.0f} s are left"
                ),
            )
        patience.spend(seconds)
        await asyncio.sleep(seconds)

    async def _post(self, path: str, payload: bytes) -> Json:
        try:
            reply = await self._client.call(
                "POST", f"/{path}", payload, headers=self._authorisation()
            )
        except NoAnswer as error:
            detail = self._sentence(f"gave no answer within {self.spec.timeout_s:g} s")
            raise _Failure(InvalidReason.POLICY_TIMEOUT, detail, passing=False) from error
        except AnswerTooLarge as error:
            raise Unreadable(f"answered more than {ANSWER_BYTES // 2**20} MiB") from error
        except CallFailed as error:
            detail = self._sentence(f"cannot be reached: {error}")
            raise _Failure(InvalidReason.POLICY_ERROR, detail, passing=True) from error
        if reply.status != 200:
            raise self._failure(reply)
        try:
            data = reply.json()
        except orjson.JSONDecodeError as error:
            raise Unreadable(f"answered no JSON: {_excerpt(reply.content)}") from error
        if not isinstance(data, dict):
            raise Unreadable(f"answered no JSON object: {_excerpt(reply.content)}")
        return data

    def _failure(self, reply: HttpReply) -> _Failure:
        content = reply.content
        status, after_s = reply.status, _retry_after(reply.headers.get("Retry-After"))
        detail = self._sentence(f"answered {status}: {_excerpt(content)}")
        if status == HTTPStatus.UNAUTHORIZED and self.spec.api_key_env is None:
            detail += " (no key was sent: the agent's file names no api_key_env)"
        reason = get_fault_of_status(status)
        if status == 429 and b"insufficient_quota" in content:
            reason = InvalidReason.POLICY_DENIED
        passing = reason in (InvalidReason.POLICY_RATE_LIMIT, InvalidReason.POLICY_ERROR)
        return _Failure(reason, detail, passing, after_s if passing else None)

    def _sentence(self, predicate: object) -> str:
        """A sentence about the endpoint, without the key, should it have come back."""
        text = f"{self.spec.base_url} ({self.spec.model}) {predicate}"
        key = read_variable(self.spec.api_key_env or "")
        return text.replace(key, "(the key)") if key else text

    def _authorisation(self) -> dict[str, str]:
        """Raises _Failure(policy_denied) where the key's variable is not set."""
        variable = self.spec.api_key_env
        if variable is None:
            return {}
        key = read_variable(variable).strip()
        if not key:
            detail = self._sentence(f"needs a key: the variable {variable} is not set")
            raise _Failure(InvalidReason.POLICY_DENIED, detail, passing=False)
        if self.spec.dialect == "anthropic_computer":
            return {"x-api-key": key}
        return {"Authorization": f"Bearer {key}"}


def _pause(tries: int) -> float:
    """Doubles, with some chance in it so that many do not come back together."""
    return min(LONGEST_PAUSE_S, FIRST_PAUSE_S * 2.0 ** (tries - 1)) * random.uniform(0.75, 1.25)


def _retry_after(header: str | None) -> float | None:
    """Seconds; the header holds them, or a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except ValueError:
        return None


def _excerpt(content: bytes) -> str:
    return " ".join(content[:600].decode(errors="replace").split())[:400] or "nothing"


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
