"""Screenshots of a tab. A paced tab draws only when asked to: its screenshot is a new frame.

Scaling happens here, on the finished picture: the page never notices that it was looked at.
"""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Sequence

from PIL import Image, ImageDraw

from envs.browser.drawing import capture
from envs.browser.page import Page
from envs.contract.observations import Screenshot, ScreenshotRequest
from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.io.cdp import CdpError, Json

BOX_MARGIN = 6
"""Pixels around what is covered: a page may move it while the picture is taken."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom in CSS pixels."""


async def take(
    page: Page,
    request: ScreenshotRequest,
    width: int,
    height: int,
    hidden: Sequence[str] = (),
) -> Screenshot:
    """A picture on which whatever shows one of the texts `hidden` is black. Raises
    EpisodeFault(OBSERVATION) when the tab gives no picture."""
    boxes = await _boxes(page, hidden)
    shot: Json = {"format": request.format}
    if request.format != "png":
        shot["quality"] = request.quality
    try:
        data = await capture(page, {**shot, "optimizeForSpeed": True})
    except CdpError as error:
        raise EpisodeFault(InvalidReason.OBSERVATION, f"no screenshot: {error}") from error
    if not data:
        raise EpisodeFault(InvalidReason.OBSERVATION, "the tab draws nothing")
    # Once more: what came into sight meanwhile may be on the picture.
    boxes += await _boxes(page, hidden)
    if request.scale != 1 or boxes:
        width, height = max(1, round(width * request.scale)), max(1, round(height * request.scale))
        data = await asyncio.to_thread(_finish, data, request, width, height, boxes)
    return Screenshot(format=request.format, width=width, height=height, data=data)


async def _boxes(page: Page, hidden: Sequence[str]) -> list[Box]:
    """Where one of the texts is shown."""
    return [tuple(box) for box in await page.walker("boxesShowing", list(hidden))] if hidden else []


def _finish(
    data: str, request: ScreenshotRequest, width: int, height: int, boxes: Sequence[Box]
) -> str:
    """Covers the boxes, then scales."""
    with Image.open(io.BytesIO(base64.b64decode(data))) as encoded:
        picture = encoded.convert("RGB") if boxes else encoded
        pen = ImageDraw.Draw(picture) if boxes else None
        for left, top, right, bottom in boxes:
            area = (left - BOX_MARGIN, top - BOX_MARGIN, right + BOX_MARGIN, bottom + BOX_MARGIN)
            if pen is not None:
                pen.rectangle(area, fill="black")
        small = picture.resize((width, height), Image.Resampling.BOX)
    if request.format == "jpeg":
        small = small.convert("RGB")
    out = io.BytesIO()
    small.save(
        out, request.format, **({} if request.format == "png" else {"quality": request.quality})
    )
    return base64.b64encode(out.getvalue()).decode()
