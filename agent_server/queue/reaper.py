"""Recovers episodes that were lost on their way to a worker, or with it.

The reaper ends episodes whose worker died, queues the retries that the rules allow, and sends
queued episodes again whose message is gone. Any number of reapers may run: every step is
idempotent.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy.exc import SQLAlchemyError

from agent_server.queue.broker import BrokerError, Dispatcher
from agent_server.settings import Settings
from agent_server.store.tables import utcnow

log = logging.getLogger(__name__)

RESEND_BATCH = 200
STEP_S = 2.0
"""What the clock may differ from steady time between two rounds."""


@dataclass(frozen=True, slots=True)
class ReapCounts:
    """What one round of the reaper did."""

    expired: int = 0
    retried: int = 0
    resent: int = 0


class Reaper:
    """A thread; `with Reaper(...)` starts and stops it."""

    def __init__(self, dispatcher: Dispatcher, settings: Settings) -> None:
        self._dispatcher = dispatcher
        self._episodes = dispatcher.store.episodes
        self._every_s = settings.reap_s
        self._resend_after_s = settings.resend_after_s
        self._resent_at: dict[str, float] = {}
        self._overtaken_at = -math.inf
        self._offset_s: float | None = None
        self._patient_until = -math.inf
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def round(self) -> ReapCounts:
        """Recover lost episodes once."""
        expired_ids = self._episodes.expire_leases() if self._may_expire() else []
        retry_ids = self._episodes.retry_due()
        self._dispatcher.send(retry_ids)
        resent_count = self._resend()
        if expired_ids or resent_count:
            log.info(
                "lost: %d episodes; retried: %d; sent again: %d",
                len(expired_ids),
                len(retry_ids),
                resent_count,
            )
        return ReapCounts(len(expired_ids), len(retry_ids), resent_count)

    def _may_expire(self) -> bool:
        """Whether leases may end now. Not for the length of a lease after the clock was stepped or
        the database was away: workers that are alive renew theirs meanwhile."""
        # Steady time does not jump: a difference that changes means that the clock of the leases
        # did.
        offset_s = self._episodes.clock_time() - time.monotonic()
        if self._offset_s is not None and abs(offset_s - self._offset_s) > STEP_S:
            log.warning("the clock was stepped by %.0f s", offset_s - self._offset_s)
            self.wait_for_heartbeats()
        self._offset_s = offset_s
        return time.monotonic() >= self._patient_until

    def wait_for_heartbeats(self) -> None:
        """End no lease before each worker had the time to renew its own."""
        self._patient_until = time.monotonic() + self._episodes.lease_s

    def _resend(self) -> int:
        """While messages wait, so may a row: nothing is lost, unless later rows have started."""
        older_than = utcnow() - timedelta(seconds=self._resend_after_s)
        waiting = self._episodes.waiting(older_than, RESEND_BATCH)
        if not waiting:
            return 0
        time_now = time.monotonic()
        # A row may be waiting because its message is, behind others. It is surely lost only where
        # rows that were sent later have started.
        if self._dispatcher.broker.depth() > 0:
            if time_now < self._overtaken_at + self._resend_after_s:
                return 0
            self._overtaken_at = time_now
            waiting = self._episodes.overtaken(self._resend_after_s, RESEND_BATCH)
        # Forgotten after a while, so that a row whose second message is lost as well gets a third.
        self._resent_at = {
            key: at for key, at in self._resent_at.items() if time_now - at < self._resend_after_s
        }
        missing = [key for key in waiting if key not in self._resent_at]
        self._dispatcher.send(missing)
        self._resent_at |= dict.fromkeys(missing, time_now)
        return len(missing)

    def start(self) -> None:
        """Start the thread."""
        self._thread = threading.Thread(target=self._run, name="reaper", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread and wait for its last round."""
        self._stop.set()
        if self._thread is not None:
            # A round that hangs in the database must not keep the process from ending; the thread
            # is a daemon.
            self._thread.join(timeout=30)

    def _run(self) -> None:
        while not self._stop.wait(self._every_s):
            try:
                self.round()
            except (SQLAlchemyError, BrokerError) as error:
                log.warning("the reaper tries again in %g s: %s", self._every_s, error)
                self.wait_for_heartbeats()
            except Exception:
                # Without a reaper nothing that is lost comes back, and nobody would notice.
                log.exception("the reaper failed and tries again in %g s", self._every_s)
                self.wait_for_heartbeats()

    def __enter__(self) -> Reaper:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
