"""Screenshots of a tab. A paced tab draws only when asked to: its screenshot is a new frame.

Scaling happens here, on the finished picture: the page never notices that it was looked at.
"""

from __future__ import annotations

import asyncio
import base64
import io

from PIL import Image

from envs.browser.page import Page
from envs.contract.observations import Screenshot, ScreenshotRequest
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.cdp import CdpError, Json


async def take(page: Page, request: ScreenshotRequest, width: int, height: int) -> Screenshot:
    """Raises EpisodeFault(OBSERVATION) when the tab gives no picture."""
    shot: Json = {"format": request.format}
    if request.format != "png":
        shot["quality"] = request.quality
    try:
        data = await page.capture({**shot, "optimizeForSpeed": True})
    except CdpError as error:
        raise EpisodeFault(InvalidReason.OBSERVATION, f"no screenshot: {error}") from error
    if not data:
        raise EpisodeFault(InvalidReason.OBSERVATION, "the tab draws nothing")
    if request.scale != 1:
        width, height = max(1, round(width * request.scale)), max(1, round(height * request.scale))
        data = await asyncio.to_thread(_scale, data, request, width, height)
    return Screenshot(format=request.format, width=width, height=height, data=data)


def _scale(data: str, request: ScreenshotRequest, width: int, height: int) -> str:
    with Image.open(io.BytesIO(base64.b64decode(data))) as picture:
        small = picture.resize((width, height), Image.Resampling.BOX)
    if request.format == "jpeg":
        small = small.convert("RGB")
    out = io.BytesIO()
    small.save(
        out, request.format, **({} if request.format == "png" else {"quality": request.quality})
    )
    return base64.b64encode(out.getvalue()).decode()
