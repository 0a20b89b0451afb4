"""One file from the network into a place of ours: whole or not at all.

Guarantees: only http and https; what comes is bounded in size, in seconds and in tries, goes to
disk as it comes, beside its place, and is renamed when all of it is there and on the disk; what is
given up leaves nothing behind. What may pass (a broken connection, a cut answer, 408, 425, 429,
5xx) is tried again, with a pause that grows; anything else is not.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp
from tenacity import AsyncRetrying, retry_if_exception, stop_after_attempt, wait_exponential

PAUSE_S = 0.5
"""Before the second try; it doubles."""
PIECE = 1 << 18
PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})


class FetchError(Exception):
    """The file could not be had; the message says of which address, and why."""


class TooBig(FetchError):
    """The file is larger than what is taken."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """`quiet_s`: longest wait for the next piece; `whole_s`: for all of it, in one try."""

    max_bytes: int
    quiet_s: float = 20.0
    whole_s: float = 600.0
    tries: int = 3


@dataclass(frozen=True, slots=True)
class Fetched:
    """Size and hash of a downloaded file."""

    bytes: int
    sha256: str


async def fetch(
    http: aiohttp.ClientSession,
    url: str,
    place: Path,
    bounds: Bounds,
    on_progress: Callable[[int], None] = lambda count: None,
    headers: Mapping[str, str] | None = None,
) -> Fetched:
    """The file of `url` as `place`, whose folder exists. `on_progress` receives how many bytes of
    this try have arrived. A request with `headers` follows no redirection: they are for `url`
    alone. Raises FetchError, and OSError of the disk."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise FetchError(f"only http and https addresses are fetched, not {url[:200]}")
    partial = place.with_name(f".{place.name[:200]}.{secrets.token_hex(4)}.partial")
    retrying = AsyncRetrying(
        stop=stop_after_attempt(bounds.tries),
        wait=wait_exponential(multiplier=PAUSE_S),
        retry=retry_if_exception(_may_pass),
        reraise=True,
    )
    try:
        fetched: Fetched = await retrying(
            _fetch_once, http, url, partial, bounds, on_progress, headers
        )
        partial.replace(place)
        return fetched
    except aiohttp.InvalidURL as error:
        raise FetchError(f"{url[:200]} is not an address that can be fetched") from error
    except (aiohttp.ClientError, TimeoutError) as error:
        tries = f"not in {bounds.tries} tries: " if _may_pass(error) else ""
        raise FetchError(f"{url[:200]}: {tries}{_describe_fault(error)}") from error
    finally:
        partial.unlink(missing_ok=True)


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, aiohttp.ClientResponseError):
        return error.status in PASSING
    is_broken = isinstance(error, aiohttp.ClientError | TimeoutError)
    return is_broken and not isinstance(error, aiohttp.InvalidURL)


async def _fetch_once(
    http: aiohttp.ClientSession,
    url: str,
    partial: Path,
    bounds: Bounds,
    on_progress: Callable[[int], None],
    headers: Mapping[str, str] | None,
) -> Fetched:
    limits = aiohttp.ClientTimeout(
        total=bounds.whole_s, sock_connect=bounds.quiet_s, sock_read=bounds.quiet_s
    )
    seen, size = hashlib.sha256(), 0
    async with http.get(
        url, timeout=limits, raise_for_status=True, headers=headers, allow_redirects=headers is None
    ) as reply:
        if (reply.content_length or 0) > bounds.max_bytes:
            raise TooBig(f"{url[:200]} is larger than {bounds.max_bytes} bytes")
        with partial.open("wb") as file:
            async for piece in reply.content.iter_chunked(PIECE):
                size += len(piece)
                if size > bounds.max_bytes:
                    raise TooBig(f"{url[:200]} is larger than {bounds.max_bytes} bytes")
                seen.update(piece)
                await asyncio.to_thread(file.write, piece)
                on_progress(size)
            file.flush()
            await asyncio.to_thread(os.fsync, file.fileno())
    return Fetched(size, seen.hexdigest())


def _describe_fault(fault: Exception) -> str:
    if isinstance(fault, aiohttp.ClientResponseError):
        return f"HTTP {fault.status} {fault.message}"
    if isinstance(fault, TimeoutError):
        return "no answer in time"
    return f"{type(fault).__name__}: {fault}"[:300]
