"""Screenshots of a tab. A paced tab draws only when asked to: its screenshot is a new frame.

Scaling happens here, on the finished picture: the page never notices that it was looked at.
"""

from __future__ import annotations

import asyncio
import base64
import io

from PIL import Image

from envs.browser.cdp import CdpError, Json
from envs.browser.page import Page
from envs.observations import Screenshot, ScreenshotRequest
from envs.outcomes import EpisodeFault, InvalidReason


async def take(page: Page, wanted: ScreenshotRequest, width: int, height: int) -> Screenshot:
    """Raises EpisodeFault(OBSERVATION) when the tab gives no picture."""
    shot: Json = {"format": wanted.format}
    if wanted.format != "png":
        shot["quality"] = wanted.quality
    try:
        data = await page.capture({**shot, "optimizeForSpeed": True})
    except CdpError as error:
        raise EpisodeFault(InvalidReason.OBSERVATION, f"no screenshot: {error}") from error
    if not data:
        raise EpisodeFault(InvalidReason.OBSERVATION, "the tab draws nothing")
    if wanted.scale != 1:
        width, height = max(1, round(width * wanted.scale)), max(1, round(height * wanted.scale))
        data = await asyncio.to_thread(_scaled, data, wanted, width, height)
    return Screenshot(format=wanted.format, width=width, height=height, data=data)


def _scaled(data: str, wanted: ScreenshotRequest, width: int, height: int) -> str:
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        small = picture.resize((width, height), Image.Resampling.BOX)
    if wanted.format == "jpeg":
        small = small.convert("RGB")
    out = io.BytesIO()
    small.save(
        out, wanted.format, **({} if wanted.format == "png" else {"quality": wanted.quality})
    )
    return base64.b64encode(out.getvalue()).decode()
