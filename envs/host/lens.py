"""What zoom and mark show: the picture of the step that ends with one.

Guarantees: the session does nothing for them but observe, so the state stays as it is; the picture
is cut from the screen in full size, whatever scale was asked for, and has secrets covered as every
picture has; a part or a point that is not on the screen is a failed result with the whole screen.
Tools that show a model more of a picture: OpenThinkIMG (arXiv 2505.08617).
"""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Sequence

from PIL import Image, ImageDraw

from envs.contract.actions import (
    Action,
    ActionError,
    ActionResult,
    Mark,
    Target,
    Zoom,
    single_actions,
)
from envs.contract.observations import Observe, ScreenPart, Screenshot, ScreenshotRequest
from envs.contract.session import LeasedSession, StepReply

MIN_SIDE = 8
"""Pixels of the screen; a smaller part is a mistake rather than a look."""
MAX_RATIO = 20
"""Of a part's sides; processors of vision models refuse pictures that are longer by far."""
_MARK = "magenta"
_ARM = 9
"""Length of a cross's arm in pixels."""
Box = tuple[int, int, int, int]


class NothingToSee(ValueError):
    """The screen has no such part or point."""


async def step_and_look(
    session: LeasedSession, actions: list[Action], observe: Observe
) -> StepReply:
    """A step of the session; after a last zoom or mark its picture is what that shows."""
    look = _get_look(actions)
    if look is None:
        return await session.step(actions, observe)
    request = observe.screenshot
    if request is None:
        reply = await session.step(actions, observe)
        return _with_failure(reply, ActionError.UNSUPPORTED, "there is no picture to look at")
    # The page is the same as before, so `unchanged` would come back in place of the picture.
    whole = {"unless_hash": None, "screenshot": ScreenshotRequest(format="png")}
    reply = await session.step(actions, observe.model_copy(update=whole))
    screen = reply.observation.screenshot
    if screen is None:
        return reply
    is_done = len(reply.results) == len(actions) and all(result.ok for result in reply.results)
    try:
        picture = await asyncio.to_thread(show, screen, look if is_done else None, request)
    except NothingToSee as wrong:
        reply = _with_failure(reply, ActionError.BAD_VALUE, str(wrong))
        picture = await asyncio.to_thread(show, screen, None, request)
    seen = reply.observation.model_copy(update={"screenshot": picture})
    return reply.model_copy(update={"observation": seen})


def _get_look(actions: Sequence[Action]) -> Zoom | Mark | None:
    last = single_actions(actions[-1])[-1] if actions else None
    return last if isinstance(last, Zoom | Mark) else None


def _with_failure(reply: StepReply, error: ActionError, message: str) -> StepReply:
    if not reply.results or not reply.results[-1].ok:
        return reply
    failure = ActionResult.failure(error, message)
    return reply.model_copy(update={"results": (*reply.results[:-1], failure)})


def show(screen: Screenshot, look: Zoom | Mark | None, request: ScreenshotRequest) -> Screenshot:
    """The picture, in the format and scale asked for; `screen` is all of it. Raises
    NothingToSee."""
    with Image.open(io.BytesIO(base64.b64decode(screen.data))) as encoded:
        picture = encoded.convert("RGB")
    part, factor = None, request.scale
    match look:
        case Zoom(corners=corners, enlarge=enlarge):
            box = _get_box(corners, picture.size)
            part = ScreenPart(
                left=box[0], top=box[1], right=box[2], bottom=box[3], screen=picture.size
            )
            if enlarge:
                whole, width, height = picture.size, box[2] - box[0], box[3] - box[1]
                factor *= min(whole[0] / width, whole[1] / height)
            picture = picture.crop(box)
        case Mark(points=points, line=line):
            places = [get_pixel(point, picture.size) for point in points]
            _draw(picture, places, line)
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    if size != picture.size:
        # Of a smaller picture each pixel is a mean; a larger one is drawn smooth.
        way = Image.Resampling.BOX if factor < 1 else Image.Resampling.BICUBIC
        picture = picture.resize(size, way)
    out = io.BytesIO()
    quality = {} if request.format == "png" else {"quality": request.quality}
    picture.save(out, request.format, **quality)
    data = base64.b64encode(out.getvalue()).decode()
    return Screenshot(format=request.format, width=size[0], height=size[1], data=data, part=part)


def _get_box(corners: tuple[Target, Target], size: tuple[int, int]) -> Box:
    (x0, y0), (x1, y1) = (get_pixel(corner, size) for corner in corners)
    left, right, top, bottom = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
    if right - left < MIN_SIDE or bottom - top < MIN_SIDE:
        raise NothingToSee(f"a part has at least {MIN_SIDE} pixels in both directions")
    if max(right - left, bottom - top) > MAX_RATIO * min(right - left, bottom - top):
        raise NothingToSee(f"a part is at most {MAX_RATIO} times as long as it is wide")
    return left, top, right, bottom


def get_pixel(point: Target, size: tuple[int, int]) -> tuple[int, int]:
    """A point of any space in pixels; the right and lower edges belong to the screen. Raises
    NothingToSee outside of it."""
    width, height = size
    x, y = point.in_pixels(width, height)
    if not (0 <= x <= width and 0 <= y <= height):
        raise NothingToSee(
            f"({point.x:g}, {point.y:g}) is outside the screen of {width} x {height}"
        )
    return round(x), round(y)


def _draw(picture: Image.Image, places: Sequence[tuple[int, int]], line: bool) -> None:
    pen = ImageDraw.Draw(picture)
    if line and len(places) > 1:
        pen.line(places, fill=_MARK, width=1)
    for number, (x, y) in enumerate(places, 1):
        pen.line([(x - _ARM, y), (x + _ARM, y)], fill=_MARK)
        pen.line([(x, y - _ARM), (x, y + _ARM)], fill=_MARK)
        pen.text((x + 3, y + 2), str(number), fill=_MARK)
