"""What zoom and mark show."""

from __future__ import annotations

import asyncio
import base64
import io
from collections.abc import Sequence

import pytest
from PIL import Image

from envs.contract.actions import Action, ActionError, ActionResult, Batch, Mark, Target, Wait, Zoom
from envs.contract.observations import Observation, Observe, ScreenPart, ScreenshotRequest
from envs.contract.observations import Screenshot as Picture
from envs.contract.session import StepReply
from envs.host.lens import show, step_and_look

PNG = ScreenshotRequest(format="png")
BLACK, RED, MAGENTA = (0, 0, 0), (255, 0, 0), (255, 0, 255)


def screen() -> Picture:
    """400 x 200, black, its right lower quarter red."""
    image = Image.new("RGB", (400, 200))
    image.paste(RED, (200, 100, 400, 200))
    file = io.BytesIO()
    image.save(file, "png")
    data = base64.b64encode(file.getvalue()).decode()
    return Picture(format="png", width=400, height=200, data=data)


def pixels(picture: Picture) -> Image.Image:
    image = Image.open(io.BytesIO(base64.b64decode(picture.data))).convert("RGB")
    assert image.size == (picture.width, picture.height)
    return image


def zoom(*numbers: float, space: str = "px", enlarge: bool = True) -> Zoom:
    x0, y0, x1, y1 = numbers
    corners = [{"x": x0, "y": y0, "space": space}, {"x": x1, "y": y1, "space": space}]
    return Zoom.model_validate({"corners": corners, "enlarge": enlarge})


class Still:
    """A session whose screen is always the same; it keeps what it was asked."""

    def __init__(self, dialog: bool = False) -> None:
        self.dialog, self.requests = dialog, list[Observe]()

    async def step(self, actions: Sequence[Action], observe: Observe) -> StepReply:
        self.requests.append(observe)
        shown = None if self.dialog or observe.screenshot is None else screen()
        results = tuple(ActionResult.success() for _ in actions)
        return StepReply(results=results, observation=Observation(hash="1", screenshot=shown))


def look(action: Action, observe: Observe, session: Still | None = None) -> StepReply:
    reply: StepReply = asyncio.run(
        step_and_look(session or Still(), [action], observe)  # type: ignore[arg-type]
    )
    return reply


def test_a_zoom_fills_the_screens_size_and_keeps_the_parts_shape() -> None:
    picture = show(screen(), zoom(150, 50, 250, 150), PNG)
    assert (picture.width, picture.height) == (200, 200), "100 x 100, twice as large"
    image = pixels(picture)
    assert image.getpixel((50, 50)) == BLACK
    assert image.getpixel((150, 150)) == RED
    expected = ScreenPart(left=150, top=50, right=250, bottom=150, screen=(400, 200))
    assert picture.part == expected
    assert picture.screen == (400, 200)


@pytest.mark.parametrize("corners", [(250, 150, 150, 50), (150, 150, 250, 50)])
def test_corners_may_come_in_any_order(corners: tuple[float, ...]) -> None:
    assert show(screen(), zoom(*corners), PNG) == show(screen(), zoom(150, 50, 250, 150), PNG)


def test_parts_of_a_thousand_are_of_the_screen() -> None:
    by_parts = show(screen(), zoom(375, 250, 625, 750, space="norm1000"), PNG)
    assert by_parts == show(screen(), zoom(150, 50, 250, 150), PNG)


def test_a_crop_is_as_large_as_it_is_and_a_scale_counts() -> None:
    crop = zoom(200, 100, 260, 130, enlarge=False)
    assert show(screen(), crop, PNG).width == 60
    half = show(screen(), crop, ScreenshotRequest(format="jpeg", scale=0.5))
    assert (half.format, half.width, half.height) == ("jpeg", 30, 15)
    assert pixels(half).getpixel((15, 7))[0] > 240, "red"  # type: ignore[index]


def test_marks_are_drawn_where_they_point_and_nowhere_else() -> None:
    marks = Mark(points=(Target(x=50, y=50), Target(x=100, y=50)), line=True)
    image = pixels(show(screen(), marks, PNG))
    assert [image.getpixel(at) for at in [(50, 45), (75, 50), (100, 59)]] == [MAGENTA] * 3
    assert image.getpixel((75, 52)) == BLACK
    assert show(screen(), marks, PNG).part is None, "the whole screen"


def test_a_step_that_ends_with_a_zoom_shows_the_part_from_the_full_picture() -> None:
    session = Still()
    observe = Observe(screenshot=ScreenshotRequest(scale=0.25), unless_hash="1")
    shown = look(zoom(0, 0, 100, 50), observe, session).observation.screenshot
    assert shown is not None
    assert (shown.format, shown.width, shown.height) == ("jpeg", 100, 50)
    assert session.requests == [Observe(screenshot=PNG)], "of full size, also if nothing changed"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (zoom(0, 0, 500, 50), "(500, 50) is outside the screen of 400 x 200"),
        (zoom(0, 0, 100, 4), "at least 8 pixels"),
        (zoom(0, 0, 400, 10), "at most 20 times as long"),
    ],
)
def test_what_is_not_there_is_a_failure_that_shows_the_screen(wrong: Zoom, message: str) -> None:
    reply = look(wrong, Observe(screenshot=PNG))
    assert reply.results[-1].error is ActionError.BAD_VALUE
    assert message in reply.results[-1].message
    shown = reply.observation.screenshot
    assert shown is not None
    assert shown.part is None
    assert shown.width == 400


def test_without_a_picture_there_is_nothing_to_look_at() -> None:
    reply = look(zoom(0, 0, 100, 50), Observe())
    assert reply.results[-1].error is ActionError.UNSUPPORTED
    assert look(zoom(0, 0, 100, 50), Observe(screenshot=PNG), Still(dialog=True)).results[-1].ok


def test_only_the_last_action_is_seen() -> None:
    batch = Batch(actions=(Wait(ms=0), zoom(0, 0, 100, 50)))
    shown = look(batch, Observe(screenshot=PNG)).observation.screenshot
    assert shown is not None
    assert shown.part is not None
    batch = Batch(actions=(zoom(0, 0, 100, 50), Wait(ms=0)))
    later = look(batch, Observe(screenshot=PNG)).observation.screenshot
    assert later == screen()
