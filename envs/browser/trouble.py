"""Whose fault it is that a page does not answer: the agent's own action's, or the browser's.

A page that hangs, crashes or closes itself does so after an action of the agent, who sees that and
is scored; a browser that is gone is infrastructure. Otherwise an agent could void an episode that
it is about to lose.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from envs.browser.chromium import Chromium
from envs.contract.actions import ActionError, ActionResult
from envs.contract.observations import Observation, Observe, Tree
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.cdp import CdpClosed, CdpError, CdpTimeout

T = TypeVar("T")
OF_A_PAGE = frozenset({InvalidReason.ACTION_TIMEOUT, InvalidReason.OBSERVATION})
BEYOND_RESET = frozenset({InvalidReason.UNRUNNABLE, InvalidReason.GYM_LOST})
"""Faults that no new context or browser mends."""


@dataclass(frozen=True, slots=True)
class PageTrouble:
    """A page that does not answer, in words for the agent."""

    text: str

    @property
    def result(self) -> ActionResult:
        """Of the action that met it."""
        return ActionResult.failure(ActionError.TIMEOUT, self.text)

    @property
    def digest(self) -> str:
        """Stands for what cannot be seen."""
        return hashlib.blake2b(self.text.encode(), digest_size=12).hexdigest()

    def observation(self, tree: int, observe: Observe) -> Observation:
        """That the page does not answer, as tree number `tree`."""
        shown = Tree(id=tree, text=self.text) if observe.tree else None
        return Observation(hash=self.digest, tree=shown)


async def answer_of(
    work: Awaitable[T], chromium: Chromium, limit_s: float | None = None
) -> T | PageTrouble:
    """What the work on a page gives, or that the page does not answer. Raises EpisodeFault or
    CdpError for other faults."""
    try:
        async with asyncio.timeout(limit_s) as limit:
            return await work
    except TimeoutError:
        if not limit.expired():
            raise
        return PageTrouble(f"the page did not answer in {limit_s:g} s")
    except (EpisodeFault, CdpError) as error:
        trouble = get_page_trouble(error, chromium.alive)
        if trouble is None:
            raise
        return PageTrouble(trouble)


def get_page_trouble(error: EpisodeFault | CdpError, is_browser_alive: bool) -> str | None:
    """What to tell the agent of a page that does not answer; None for a fault of the browser or of
    the host. The tabs of a browser that is killed may crash before it is gone."""
    if not is_browser_alive:
        return None
    if isinstance(error, EpisodeFault):
        return error.detail[:200] if error.reason in OF_A_PAGE else None
    return None if isinstance(error, CdpClosed) else str(error)[:200]


def get_reason(error: CdpError) -> InvalidReason:
    """The reason of a fault for an error of the connection to the browser."""
    if isinstance(error, CdpClosed):
        return InvalidReason.HOST_LOST
    if isinstance(error, CdpTimeout):
        return InvalidReason.ACTION_TIMEOUT
    return InvalidReason.OBSERVATION
