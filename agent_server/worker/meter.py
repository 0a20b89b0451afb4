"""Charges a named key with what one episode of it uses, while it uses it.

Guarantees: a step is charged once, before the next one; the rest is charged when the episode ends;
a database that is away loses nothing while the worker lives, and holds no episode up.
"""

from __future__ import annotations

import logging
import time

from sqlalchemy.exc import SQLAlchemyError

from agent_server.episodes.spending import Spending
from agent_server.store.quotas import QuotaStore, Use

log = logging.getLogger(__name__)


class Meter:
    """Of one episode, which begins now and counts into `spending`. Without a key nobody is
    charged. Methods block on the database."""

    def __init__(self, quotas: QuotaStore, key_name: str | None) -> None:
        self.spending = Spending()
        self.has_key = key_name is not None
        self._quotas = quotas
        self._key_name = key_name
        self._began_at = time.monotonic()
        self._charged: Use | None = None
        self._used_up: str | None = None

    def charge(self, *, is_over: bool = False) -> str | None:
        """A sentence, once a budget of the key is used up. An episode that stands still, as in a
        pause, is not charged again before its next step or its end."""
        if self._key_name is None:
            return None
        charged = self._charged or Use()
        use = Use(
            steps=self.spending.steps,
            tokens=self.spending.tokens or 0,
            seconds=time.monotonic() - self._began_at,
            cost=self.spending.cost or 0.0,
        )
        if self._charged is not None and use.steps == charged.steps and not is_over:
            return self._used_up
        try:
            self._used_up = self._quotas.charge(self._key_name, use.minus(charged))
        except SQLAlchemyError as error:
            log.warning("key %s: its use is charged later: %s", self._key_name, error)
        else:
            self._charged = use
        return self._used_up
