"""Whose key a request has, what it may do with it, and the log of that.

Guarantees: a key that was revoked opens nothing after at most `REFRESH_S`, and an answer that goes
on meanwhile ends; while the database cannot be read, the keys that were known last hold; a limit of
requests counts for each process of the API. The log is written in batches off the event loop; a
full or absent database loses entries and says so, and never holds a request up. An entry is one
line of plain characters, whatever was sent.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from sqlalchemy.exc import SQLAlchemyError

from agent_server.store.keys import KEY_PREFIX, REFUSED, KeyStore, digest_of, is_valid
from agent_server.store.tables import ApiKey, utcnow

log = logging.getLogger(__name__)

REFRESH_S = 2.0
WRITE_S = 1.0
MAX_WAITING = 10_000
"""Log entries that wait for the database; more are dropped."""
OPERATOR = "operator"
"""The name of the key in the settings."""
READING = frozenset({"GET", "HEAD", "OPTIONS"})
MAX_REFUSED = 20
"""Refusals in one batch: whoever has no key must not fill the disk."""
MAX_PATH, MAX_METHOD = 300, 16
_AS_IT_IS = "/!$&'()*+,;=:@~"
"""Of a path in the log, beside letters and digits. The rest is percent-encoded: what was sent must
not end the line, command the terminal that shows it, or be refused by the database."""


@dataclass(slots=True)
class Allowance:
    """A bucket that holds a minute's requests and fills evenly."""

    per_minute: int
    left: float
    filled_at: float

    def take(self, now_s: float) -> bool:
        """Whether there is room for one more request."""
        gained = (now_s - self.filled_at) * self.per_minute / 60
        self.left, self.filled_at = min(float(self.per_minute), self.left + gained), now_s
        if self.left < 1:
            return False
        self.left -= 1
        return True

    def wait_s(self) -> int:
        """Whole seconds until there is room again."""
        return max(1, math.ceil((1 - self.left) * 60 / self.per_minute))


@dataclass(slots=True)
class KeyRing:
    """The keys of one process of the API. `api_key`: the operator's, which may do everything."""

    store: KeyStore
    api_key: str
    clock: Callable[[], float] = time.monotonic
    _keys: Mapping[str, ApiKey] = field(default_factory=dict)
    _read_at: float = float("-inf")
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    _allowances: dict[str, Allowance] = field(default_factory=dict)
    _entries: list[dict[str, Any]] = field(default_factory=list)
    _dropped: int = 0
    _refused: int = 0

    async def find(self, sent_key: str) -> ApiKey | None:
        """The named key that was sent, if it holds."""
        if not sent_key.startswith(KEY_PREFIX):
            return None
        await self._refresh()
        key = self._keys.get(digest_of(sent_key))
        return key if key is not None and is_valid(key, utcnow()) else None

    async def _refresh(self) -> None:
        # One request reads for all: whoever sends wrong keys must not take up the threads, and an
        # answer that was long under way must not replace a newer one.
        async with self._reading:
            began_at = self.clock()
            if began_at - self._read_at <= REFRESH_S:
                return
            try:
                keys = await asyncio.to_thread(self.store.list_valid)
            except SQLAlchemyError as error:
                log.warning("the keys cannot be read, the last ones hold: %s", error)
            else:
                self._keys = {key.digest: key for key in keys}
            self._read_at = began_at

    def wait_s(self, key: ApiKey) -> int | None:
        """Takes one of the key's requests; else the seconds after which there is one again."""
        if key.per_minute is None:
            return None
        allowance = self._allowances.get(key.name)
        if allowance is None or allowance.per_minute != key.per_minute:
            allowance = Allowance(key.per_minute, float(key.per_minute), self.clock())
            self._allowances[key.name] = allowance
        return None if allowance.take(self.clock()) else allowance.wait_s()

    def note(self, key_name: str, client: str, method: str, path: str, status: int) -> None:
        """Logs a request, with the next batch."""
        self._refused += status in REFUSED
        is_flood = status in REFUSED and self._refused > MAX_REFUSED
        if is_flood or len(self._entries) >= MAX_WAITING:
            self._dropped += 1
            return
        plain = quote(path[:MAX_PATH], safe=_AS_IT_IS)[:MAX_PATH]
        entry = {"at": utcnow(), "key": key_name, "client": client, "method": method[:MAX_METHOD]}
        self._entries.append({**entry, "path": plain, "status": status})

    @contextlib.asynccontextmanager
    async def logging(self) -> AsyncIterator[None]:
        """The log is written while the body runs, and at its end."""
        writer = asyncio.create_task(self._write_for_ever())
        try:
            yield
        finally:
            writer.cancel()
            await asyncio.wait([writer])
            await asyncio.to_thread(self.write)

    async def _write_for_ever(self) -> None:
        while True:
            await asyncio.sleep(WRITE_S)
            await asyncio.to_thread(self.write)

    def write(self) -> None:
        """Writes what waits."""
        entries, self._entries = self._entries, []
        dropped, self._dropped, self._refused = self._dropped, 0, 0
        if dropped:
            log.warning("%d entries of the audit log were dropped: too many at once", dropped)
        if not entries:
            return
        try:
            self.store.record(entries)
        except (SQLAlchemyError, ValueError) as error:
            log.error("%d entries of the audit log are lost: %s", len(entries), error)


def may(scope: str, method: str) -> bool:
    """Whether a key of this scope may send such a request."""
    return scope == "run" or method in READING
