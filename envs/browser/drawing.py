"""Frames of a tab: a paced one draws only when told to, others draw by themselves.

Guarantees: two tabs of a browser are never told to draw at a time.
"""

from __future__ import annotations

from envs.browser.page import Page
from envs.io.cdp import Json

FRAMES = 6
"""The first frames of a new tab may carry no picture."""


async def begin_next_frame(page: Page) -> None:
    """Lets a paced tab live through one frame."""
    if page.paced:
        await _begin_frame(page, {"noDisplayUpdates": True})


async def capture(page: Page, shot: Json) -> str:
    """A picture in base64; `shot` is CDP's format and quality. "" when the tab gave none."""
    if not page.paced:
        data: str = (await page.call("Page.captureScreenshot", shot)).get("data", "")
        return data
    for _ in range(FRAMES):
        data = (await _begin_frame(page, {"screenshot": shot})).get("screenshotData", "")
        if data:
            return data
    return ""


async def _begin_frame(page: Page, params: Json) -> Json:
    # Two tabs that draw at a time crash the browser.
    async with page.connection.drawing:
        return await page.call("HeadlessExperimental.beginFrame", params)
