"""A person in the agent's place: the agent's next step waits, and learns what the person did.

Guarantees: one person at a time; it ends when the person hands back or leaves, and after
MAX_HOLD_S; what was done is told once, with the next step that runs.
"""

from __future__ import annotations

import asyncio
import time

from envs.contract.actions import Action
from envs.contract.session import HumanTakeover
from envs.desktop.person import Person
from envs.desktop.rfb import Event

MAX_HOLD_S = 600.0


class Takeover:
    """Of one desktop. `holder` names whoever takes over: any object, told apart by identity."""

    def __init__(self) -> None:
        self._holder: object | None = None
        self._free = asyncio.Event()
        self._free.set()
        self._since = 0.0
        self._held_s = 0.0
        self._limit: asyncio.TimerHandle | None = None
        self._person = Person()

    def held_by(self, holder: object) -> bool:
        """Whether this viewer controls the desktop."""
        return self._holder is holder

    @property
    def seconds_left(self) -> float:
        """0 when nobody holds the desktop."""
        if self._holder is None:
            return 0.0
        return max(0.0, self._since + MAX_HOLD_S - time.monotonic())

    def take(self, holder: object) -> bool:
        """Whether `holder` has it now: False when somebody else does."""
        if self._holder is None:
            self._holder, self._since = holder, time.monotonic()
            self._free.clear()
            loop = asyncio.get_running_loop()
            self._limit = loop.call_later(MAX_HOLD_S, self.give, holder)
        return self._holder is holder

    def give(self, holder: object) -> None:
        """Hands back; nothing happens when `holder` does not hold it."""
        if self._holder is holder:
            self.end()

    def end(self) -> None:
        """Hands back, whoever holds it."""
        if self._holder is not None:
            self._holder = None
            self._person.let_go()
            self._held_s += time.monotonic() - self._since
            self._free.set()
        if self._limit is not None:
            self._limit.cancel()
            self._limit = None

    def record_event(self, event: Event) -> None:
        """Records an input event of the viewer in control."""
        self._person.feed(event, time.monotonic())

    async def wait(self, limit_s: float) -> None:
        """Until nobody holds the desktop. Raises HumanTakeover after `limit_s`."""
        try:
            await asyncio.wait_for(self._free.wait(), limit_s)
        except TimeoutError as error:
            raise HumanTakeover("a person holds the desktop") from error

    def take_record(self) -> tuple[tuple[Action, ...], float]:
        """The person's actions and the seconds of control since the last call; clears both."""
        held_s, self._held_s = self._held_s, 0.0
        return self._person.take(), held_s
