"""How the owner of a task steers its episode while it runs: the runner asks before each step.

Guarantees: what is asked for reaches the next step; a pause costs no time of the task's limit, and
ends by itself after `longest_pause_s`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

PAUSE_POLL_S = 0.25


@dataclass(frozen=True, slots=True)
class Orders:
    """What the owner wants now. `follow_ups`: what the agent has not read yet; `why_cancelled`: a
    sentence, where it was not the owner's word that ended it."""

    is_paused: bool = False
    is_cancelled: bool = False
    why_cancelled: str | None = None
    follow_ups: tuple[str, ...] = ()


class Control(Protocol):
    """Where orders come from."""

    longest_pause_s: float

    async def read(self) -> Orders:
        """The orders of now; each follow-up comes once."""
        ...


class NoControl:
    """Of episodes that nobody steers."""

    longest_pause_s = 0.0

    async def read(self) -> Orders:
        """No orders."""
        return Orders()


@dataclass(slots=True)
class Steering:
    """One episode's orders as they arrive. `unread`: follow-ups for the next answer; `paused_s`: in
    all."""

    control: Control
    should_cancel: Callable[[], bool]
    unread: tuple[str, ...] = ()
    paused_s: float = 0.0
    why_cancelled: str | None = None

    async def look(self) -> Orders:
        """The orders of now; follow-ups are kept until `take`."""
        orders = await self.control.read()
        self.unread += orders.follow_ups
        return orders

    async def wait_while_paused(self) -> bool:
        """Whether the episode may go on: False when it was cancelled. What is left of a pause that
        lasted too long is for the caller to see (`is_worn_out`)."""
        while True:
            orders = await self.look()
            if orders.is_cancelled or self.should_cancel():
                self.why_cancelled = orders.why_cancelled
                return False
            if not orders.is_paused or self.is_worn_out:
                return True
            since = time.monotonic()
            await asyncio.sleep(PAUSE_POLL_S)
            self.paused_s += time.monotonic() - since

    @property
    def is_worn_out(self) -> bool:
        """Whether pauses have used up all their time."""
        return self.paused_s > 0 and self.paused_s >= self.control.longest_pause_s

    def take(self) -> tuple[str, ...]:
        """The unread follow-ups, for the agent."""
        taken, self.unread = self.unread, ()
        return taken
