"""Reads from the database what the owner of a running task wants."""

from __future__ import annotations

import asyncio
import logging

from sqlalchemy.exc import SQLAlchemyError

from agent_server.episodes.control import Orders
from agent_server.store.control import ControlStore

log = logging.getLogger(__name__)


class StoreControl:
    """See `Control`. A database that is away gives the orders of before, and costs no episode."""

    def __init__(self, store: ControlStore, episode_id: str, longest_pause_s: float) -> None:
        self._store = store
        self._episode_id = episode_id
        self.longest_pause_s = longest_pause_s
        self._is_paused = False
        self._last_follow_up = 0

    async def read(self) -> Orders:
        """See `Control.read`."""
        try:
            orders, self._last_follow_up = await asyncio.to_thread(
                self._store.read, self._episode_id, self._last_follow_up
            )
        except SQLAlchemyError as error:
            log.warning("%s: its orders cannot be read: %s", self._episode_id, error)
            return Orders(is_paused=self._is_paused)
        self._is_paused = orders.is_paused
        return orders
