"""Reads from the database what the owner of a running task wants, and whether its key may go on."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy.exc import SQLAlchemyError

from agent_server.episodes.control import Orders
from agent_server.store.control import ControlStore
from agent_server.worker.meter import Meter

log = logging.getLogger(__name__)


class StoreControl:
    """See `Control`. A database that is away gives the orders of before, and costs no episode."""

    def __init__(
        self,
        store: ControlStore,
        episode_id: str,
        longest_pause_s: float,
        meter: Meter | None = None,
    ) -> None:
        self._store = store
        self._meter = meter
        self._episode_id = episode_id
        self.longest_pause_s = longest_pause_s
        self._is_paused = False
        self._last_follow_up = 0

    async def read(self) -> Orders:
        """See `Control.read`."""
        if self._meter is not None:
            used_up = await asyncio.to_thread(self._meter.charge)
            if used_up is not None:
                return Orders(is_cancelled=True, why_cancelled=used_up)
        try:
            orders, self._last_follow_up = await asyncio.to_thread(
                self._store.read, self._episode_id, self._last_follow_up
            )
        except SQLAlchemyError as error:
            log.warning("%s: its orders cannot be read: %s", self._episode_id, error)
            return Orders(is_paused=self._is_paused)
        self._is_paused = orders.is_paused
        return orders
