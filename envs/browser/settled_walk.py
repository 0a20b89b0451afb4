"""A page's tree, read once the page is quiet.

Guarantees: settling waits for navigation, requests and DOM mutations to be quiet, never for a fixed
time, and every wait is bounded; an open dialog ends it.
"""

from __future__ import annotations

import asyncio

from envs.browser.page import Page
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.cdp import CdpError, Json

LOAD_LIMIT_MS = 4000
QUIET_LIMIT_MS = 400
CALM_MS = 120
"""A page is calm that has changed nothing for so long."""
CALM_LIMIT_MS = 2500
"""How long a page is waited for that does not calm down."""
NETWORK_LIMIT_S = 3.0
WALKS = 12


async def walk_when_settled(
    page: Page,
    budget: int,
    options: int,
    clock: str | None = None,
    points: bool = False,
    calm: bool = False,
) -> Json | None:
    """The tree once the page is quiet, with the elements' `points` or without; None while a dialog
    is open.

    Quiet means: no navigation, no request under way, and none answered since the walk began, for a
    script acts on an answer after the browser has reported it. `clock` is for pages that have a
    clock of their own, which nothing else moves, so they are walked at once: an expression that
    lets time go by first, or "". `calm` is for pages whose scripts put work off: they are walked
    once nothing has changed for CALM_MS. Raises EpisodeFault."""
    loop = asyncio.get_running_loop()
    network_until = loop.time() + NETWORK_LIMIT_S
    events = page.events
    for _ in range(WALKS):
        await page.wait_loaded()
        if events.dialog is not None:
            return None
        try:
            answered, waited = events.answered, False
            if clock is None:
                waited = await _wait_for_answers(page, network_until)
                answered = events.answered
            elif clock:
                page.evaluate_unawaited(clock)
            # A later walk of this loop must not let time go by a second time.
            clock = None
            walked: Json | None = await page.evaluate(
                f"__dh.settleAndWalk({budget},{options},{LOAD_LIMIT_MS},{QUIET_LIMIT_MS},{waited:d},"
                f"{points:d},{CALM_MS * calm},{CALM_LIMIT_MS})"
            )
        except CdpError:
            continue  # the document went away under the script: a navigation is under way
        if events.dialog is not None:
            return None
        # The walk saw a document that is about to go.
        if events.is_moving or walked is None:
            continue
        # A page that never stops asking is read as it is.
        if loop.time() >= network_until:
            return walked
        if not events.requests and events.answered == answered:
            return walked
    raise EpisodeFault(InvalidReason.OBSERVATION, "the page navigates without end")


async def _wait_for_answers(page: Page, until: float) -> bool:
    """Waits for the requests that are under way. True if this document got an answer since its
    mutations were marked. Raises CdpError."""
    events = page.events
    context, answered = events.context, events.answered
    if events.requests and context is not None:
        page.evaluate_unawaited("__dh.mark()", contextId=context)
    else:
        # A request that the last action caused may not be reported yet. Chromium reports events
        # and replies in order, so after this reply it is.
        await page.evaluate("__dh.mark()")
    if not events.requests and events.answered == answered:
        return False
    await page.wait_for_requests(until)
    return events.context == context
