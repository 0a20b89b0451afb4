"""Named keys of the HTTP API, and what was done with them.

Guarantees: the database holds a key's SHA-256 and never the key, which is shown once, when it is
made; a key that has expired or was revoked opens nothing; a rotated one is replaced in one
statement. Times are by the clock that leases go by.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from agent_server.store.clock import StoreClock
from agent_server.store.engine import rows_of, table_of
from agent_server.store.quotas import Quota
from agent_server.store.tables import ApiKey, AuditEntry

Scope = Literal["read", "run"]
"""`read`: what a GET gives; `run`: all that a task's author needs."""
SCOPES = get_args(Scope)
KEY_PREFIX = "dhk_"
"""Marks a key, for scanners of leaked secrets."""
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,60}")
KEEP_ENTRIES = timedelta(days=90)
REFUSED = frozenset({401, 403, 429})
"""Statuses of requests that were refused for their key, or for the lack of one."""
KEEP_REFUSED = 100_000
"""Of the newest entries: older refusals go, so that nobody without a key fills the disk."""
TIDY_EVERY_S = 60.0

api_key = table_of(ApiKey)
audit_entry = table_of(AuditEntry)


class KeyRefused(ValueError):
    """The key cannot be made or changed; the message says why."""


class KeyStore:
    """The tables of keys and of their use."""

    def __init__(self, clock: StoreClock) -> None:
        self._clock = clock
        self._tidied_at = float("-inf")

    def create(
        self,
        name: str,
        scope: Scope,
        days: float | None = None,
        per_minute: int | None = None,
        quota: Quota | None = None,
    ) -> str:
        """The new key. `days`: until it expires. Raises KeyRefused."""
        if NAME.fullmatch(name) is None:
            raise KeyRefused(f"{name[:80]!r} is no name: small letters, digits, and . _ - inside")
        if scope not in SCOPES:
            raise KeyRefused(f"{scope!r} is no scope; there are: {', '.join(SCOPES)}")
        key, now = make_key(), self._clock.read()
        values = {
            "name": name,
            "digest": digest_of(key),
            "scope": scope,
            "per_minute": per_minute,
            "quota": None if quota is None else quota.model_dump(exclude_none=True),
            "created_at": now,
            "expires_at": None if days is None else now + timedelta(days=days),
        }
        try:
            with self._clock.engine.begin() as db:
                db.execute(insert(api_key).values(**values))
        except IntegrityError as error:
            raise KeyRefused(f"there is a key {name} already: rotate or revoke it") from error
        return key

    def rotate(self, name: str) -> str:
        """A new key in place of the old one, which opens nothing from now on. Raises
        KeyRefused."""
        key = make_key()
        self._change(name, digest=digest_of(key))
        return key

    def limit(self, name: str, quota: Quota) -> None:
        """Other limits for a key, from now on. Raises KeyRefused."""
        self._change(name, quota=quota.model_dump(exclude_none=True))

    def revoke(self, name: str) -> None:
        """Ends a key; its name stays, for the log. Raises KeyRefused."""
        self._change(name, revoked_at=self._clock.read())

    def _change(self, name: str, **values: Any) -> None:
        alive = (api_key.c.name == name) & api_key.c.revoked_at.is_(None)
        with self._clock.engine.begin() as db:
            changed = db.execute(update(api_key).where(alive).values(**values)).rowcount
        if not changed:
            raise KeyRefused(f"there is no key {name[:80]} that holds")

    def list_all(self) -> list[ApiKey]:
        """By name, the revoked ones too."""
        with self._clock.reader.begin() as db:
            return rows_of(ApiKey, db.execute(select(api_key).order_by(api_key.c.name)))

    def list_valid(self) -> list[ApiKey]:
        """Those that open something now."""
        now = self._clock.read()
        return [key for key in self.list_all() if is_valid(key, now)]

    def record(self, entries: Sequence[dict[str, Any]]) -> None:
        """Adds to the log; what is too old goes, once in a while."""
        with self._clock.engine.begin() as db:
            db.execute(insert(audit_entry), list(entries))
            if time.monotonic() - self._tidied_at < TIDY_EVERY_S:
                return
            self._tidied_at = time.monotonic()
            too_old = self._clock.now(-KEEP_ENTRIES.total_seconds())
            newest = select(func.max(audit_entry.c.id)).scalar_subquery()
            is_old_refusal = (audit_entry.c.id <= newest - KEEP_REFUSED) & (
                audit_entry.c.status.in_(REFUSED)
            )
            db.execute(delete(audit_entry).where((audit_entry.c.at < too_old) | is_old_refusal))

    def list_entries(self, limit: int, name: str | None = None) -> list[AuditEntry]:
        """The newest entries, of one key or of all."""
        statement = select(audit_entry).order_by(audit_entry.c.id.desc()).limit(limit)
        if name is not None:
            statement = statement.where(audit_entry.c.key == name)
        with self._clock.reader.begin() as db:
            return rows_of(AuditEntry, db.execute(statement))


def make_key() -> str:
    """A key of 256 random bits."""
    return KEY_PREFIX + secrets.token_urlsafe(32)


def digest_of(key: str) -> str:
    """What is kept of a key: it is random, so a plain SHA-256 cannot be turned back."""
    return hashlib.sha256(key.encode()).hexdigest()


def is_valid(key: ApiKey, now: datetime) -> bool:
    """Whether it has neither expired nor been revoked."""
    return key.revoked_at is None and (key.expires_at is None or now < key.expires_at)
