"""Whose key a request has, what it may do with it, and the log of that.

Guarantees: a key that was revoked opens nothing after at most `REFRESH_S`; while the database
cannot be read, the keys that were known last hold; a limit of requests counts for each process of
the API. The log is written in batches off the event loop; a full or absent database loses entries
and says so, and never holds a request up.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from agent_server.store.keys import KEY_PREFIX, KeyStore, digest_of, is_valid
from agent_server.store.tables import ApiKey, utcnow

log = logging.getLogger(__name__)

REFRESH_S = 2.0
WRITE_S = 1.0
MAX_WAITING = 10_000
"""Log entries that wait for the database; more are dropped."""
OPERATOR = "operator"
"""The name of the key in the settings."""
READING = frozenset({"GET", "HEAD", "OPTIONS"})
REFUSED = frozenset({401, 403, 429})
MAX_REFUSED = 20
"""Refusals in one batch: whoever has no key must not fill the disk."""
MAX_PATH = 300


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


@dataclass(slots=True)
class KeyRing:
    """The keys of one process of the API. `api_key`: the operator's, which may do everything."""

    store: KeyStore
    api_key: str
    clock: Callable[[], float] = time.monotonic
    _keys: Mapping[str, ApiKey] = field(default_factory=dict)
    _read_at: float = float("-inf")
    _allowances: dict[str, Allowance] = field(default_factory=dict)
    _entries: list[dict[str, Any]] = field(default_factory=list)
    _dropped: int = 0
    _refused: int = 0

    async def find(self, sent_key: str) -> ApiKey | None:
        """The named key that was sent, if it holds."""
        if not sent_key.startswith(KEY_PREFIX):
            return None
        if self.clock() - self._read_at > REFRESH_S:
            await self._refresh()
        key = self._keys.get(digest_of(sent_key))
        return key if key is not None and is_valid(key, utcnow()) else None

    async def _refresh(self) -> None:
        try:
            keys = await asyncio.to_thread(self.store.list_valid)
        except SQLAlchemyError as error:
            log.warning("the keys cannot be read, the last ones hold: %s", error)
        else:
            self._keys = {key.digest: key for key in keys}
        self._read_at = self.clock()

    def has_room(self, key: ApiKey) -> bool:
        """Whether the key's limit of requests leaves one."""
        if key.per_minute is None:
            return True
        allowance = self._allowances.get(key.name)
        if allowance is None or allowance.per_minute != key.per_minute:
            allowance = Allowance(key.per_minute, float(key.per_minute), self.clock())
            self._allowances[key.name] = allowance
        return allowance.take(self.clock())

    def note(self, key_name: str, client: str, method: str, path: str, status: int) -> None:
        """Logs a request, with the next batch."""
        self._refused += status in REFUSED
        is_flood = status in REFUSED and self._refused > MAX_REFUSED
        if is_flood or len(self._entries) >= MAX_WAITING:
            self._dropped += 1
            return
        entry = {"at": utcnow(), "key": key_name, "client": client, "method": method}
        self._entries.append({**entry, "path": path[:MAX_PATH], "status": status})

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
        except SQLAlchemyError as error:
            log.error("%d entries of the audit log are lost: %s", len(entries), error)


def may(scope: str, method: str) -> bool:
    """Whether a key of this scope may send such a request."""
    return scope == "run" or method in READING
