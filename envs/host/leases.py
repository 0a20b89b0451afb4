"""Sessions on loan. A lease has a time to live; a heartbeat or any call renews it; the reaper
closes what nobody renews. Capacity is bounded, so a lost client cannot fill the host for good.

Guarantees: a call never outlives its lease. One that takes too long is broken off, and so is one
whose lease is closed; the session is closed, and its place free again, only after that call has
ended. So no action of a lease has an effect in the next one.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, TypeVar

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.contract.session import LeasedSession

log = logging.getLogger(__name__)

REAP_EVERY_S = 1.0
T = TypeVar("T")


class LeaseEnded(Exception):
    """The lease was closed before the call, or under it."""


@dataclass(slots=True)
class Lease:
    """One session and who holds it. `busy` keeps calls of one session in a row."""

    id: str
    session: LeasedSession
    ttl_s: float
    expires_at: float
    busy: asyncio.Lock = field(default_factory=asyncio.Lock)
    last_request: str | None = None
    last_reply: bytes = b""
    is_closed: bool = False
    _running: asyncio.Task[Any] | None = None

    async def run(self, call: Callable[[], Coroutine[Any, Any, T]], limit_s: float) -> T:
        """The call's result. Raises LeaseEnded, or EpisodeFault(ACTION_TIMEOUT) after `limit_s`;
        the call has ended then. Only for the holder of `busy`."""
        if self.is_closed:
            raise LeaseEnded
        # A task of its own, so that the end of the lease can cancel the call without the request.
        task = asyncio.create_task(call())
        self._running = task
        try:
            done, _ = await asyncio.wait({task}, timeout=limit_s)
            if not done:
                await _cancel(task)
                raise EpisodeFault(
                    InvalidReason.ACTION_TIMEOUT, f"the call took longer than {limit_s:g} s"
                )
            # Only `end_call` cancels it.
            if task.cancelled():
                raise LeaseEnded
            return task.result()
        finally:
            # The request itself may have been cancelled: its call must not go on unseen.
            task.cancel()
            self._running = None

    async def end_call(self) -> None:
        """Break the call under way off, refuse those that wait, and return when it has ended."""
        self.is_closed = True
        if self._running is not None:
            await _cancel(self._running)

    def renew(self) -> None:
        """Extends the lease by its time to live."""
        self.expires_at = time.monotonic() + self.ttl_s


class NoCapacity(Exception):
    """All sessions are on loan."""


class Leases:
    """The sessions on loan, up to `capacity`."""

    def __init__(self, open_session: Callable[[], Awaitable[LeasedSession]], capacity: int) -> None:
        self._open = open_session
        self.capacity = capacity
        self._leases: dict[str, Lease] = {}
        self._pending = 0
        """Sessions that are being opened or closed: they hold a place."""
        self.reaped = 0

    def __len__(self) -> int:
        return len(self._leases)

    async def open(self, ttl_s: float) -> Lease:
        """Raises NoCapacity, or EpisodeFault when the environment does not start."""
        if len(self._leases) + self._pending >= self.capacity:
            raise NoCapacity(f"all {self.capacity} sessions are in use")
        # Counted while it opens: several requests at once must not pass the limit together.
        self._pending += 1
        try:
            session = await self._open()
        finally:
            self._pending -= 1
        lease = Lease(secrets.token_hex(8), session, ttl_s, time.monotonic() + ttl_s)
        self._leases[lease.id] = lease
        return lease

    def get(self, lease_id: str) -> Lease | None:
        """The lease, renewed; None when it ended."""
        lease = self._leases.get(lease_id)
        if lease is not None:
            lease.renew()
        return lease

    async def close(self, lease_id: str) -> bool:
        """Ends a lease: breaks its call off, then closes its session; False when there is none."""
        # Taken out first: nobody can begin another call, and two who close it do so once.
        lease = self._leases.pop(lease_id, None)
        if lease is None:
            return False
        self._pending += 1
        try:
            await lease.end_call()
            with contextlib.suppress(EpisodeFault):
                await lease.session.close()
        finally:
            self._pending -= 1
        return True

    async def reap_forever(self) -> None:
        """Closes the sessions whose leases expire, until cancelled."""
        while True:
            await asyncio.sleep(REAP_EVERY_S)
            now = time.monotonic()
            for lease in list(self._leases.values()):
                # A call under way is a sign of life: its limit ends it if it hangs.
                if lease.expires_at < now and not lease.busy.locked():
                    log.warning("session %s expired: nobody renewed its lease", lease.id)
                    self.reaped += 1
                    await self.close(lease.id)

    async def close_all(self) -> None:
        """Ends every lease."""
        for lease_id in list(self._leases):
            await self.close(lease_id)


async def _cancel(task: asyncio.Task[Any]) -> None:
    """Until the task has ended; what it raised is its caller's."""
    task.cancel()
    await asyncio.wait({task})
