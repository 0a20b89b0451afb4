"""Results in UI-TARS's format."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from envs.contract.actions import (
    Click,
    Done,
    Drag,
    Infeasible,
    Key,
    Mark,
    Move,
    Navigate,
    Scroll,
    SimpleAction,
    Target,
    Type,
    Wait,
    Zoom,
)
from envs.contract.observations import Observation, ScreenPart, Screenshot
from envs.dialects import uitars
from envs.dialects.coordinates import RELATIVE, SHOWN
from envs.dialects.dialect import Display, Refused

SCREEN = Display(400, 200, shown=(200, 100))


def screenshot() -> Screenshot:
    """400 x 200, black, its right lower quarter red."""
    image = Image.new("RGB", (400, 200))
    image.paste((255, 0, 0), (200, 100, 400, 200))
    file = io.BytesIO()
    image.save(file, "png")
    data = base64.b64encode(file.getvalue()).decode()
    return Screenshot(format="png", width=400, height=200, data=data)


SEEN = Observation(hash="1", title="Shop", screenshot=screenshot())


def test_uitars_reads_an_error_before_the_next_picture() -> None:
    parsed = uitars.parse("Action: fly()", SCREEN)
    error, image = uitars.render(parsed, [], SEEN, SCREEN)
    assert error == {"type": "text", "text": "error: there is no action 'fly'"}
    assert image["type"] == "image_url"
    assert len(uitars.render(None, [], SEEN, SCREEN)) == 1


AT, THERE = Target(x=120, y=40), Target(x=300, y=150)


def test_a_click_is_written_in_the_models_own_space() -> None:
    click = Click(target=AT)
    relative = uitars.write("I press\nSave.", [click], SCREEN, RELATIVE)
    assert relative == "Thought: I press Save.\nAction: click(start_box='(300,200)')"
    assert uitars.write("", [click], SCREEN, SHOWN) == "Action: click(start_box='(60,20)')"


@pytest.mark.parametrize(
    "action",
    [
        Click(target=AT),
        Click(target=AT, count=2),
        Click(target=AT, button="right"),
        Move(target=AT),
        Drag(path=(AT, THERE)),
        Type(text="it's a \\ line\nand more", submit=True),
        Key(keys=("ctrl", "a")),
        Scroll(target=AT, dy=5, unit="notch"),
        Wait(ms=5000),
        Done(),
        Done(answer="it's 42"),
        Infeasible(reason="no such order"),
    ],
)
def test_what_is_written_is_read_again(action: SimpleAction) -> None:
    text = uitars.write("", [action, Key(keys=("enter",))], SCREEN, RELATIVE)
    parsed = uitars.parse(text, SCREEN)
    assert parsed.error is None
    assert parsed.actions == (action, Key(keys=("enter",)))


def test_what_cannot_be_said_is_refused() -> None:
    for action in (Navigate(url="/"), Type(text="x", clear=True), Click(target=AT, count=3)):
        with pytest.raises(Refused, match="cannot say"):
            uitars.write("", [action], SCREEN, RELATIVE)


ZOOM = Zoom(corners=(AT, THERE))


@pytest.mark.parametrize(
    ("action", "call"),
    [
        (ZOOM, "zoom(start_box='(300,200)', end_box='(750,750)')"),
        (
            ZOOM.model_copy(update={"enlarge": False}),
            "crop(start_box='(300,200)', end_box='(750,750)')",
        ),
        (Mark(points=(AT,)), "mark(start_box='(300,200)')"),
        (Mark(points=(AT, THERE), line=True), "mark(start_box='(300,200)', end_box='(750,750)')"),
    ],
)
def test_looks_are_read_as_they_are_written(action: SimpleAction, call: str) -> None:
    text = uitars.write("", [action], SCREEN, RELATIVE)
    assert text == f"Action: {call}"
    assert uitars.parse(text, SCREEN).actions == (action,)


def test_a_box_of_four_numbers_is_a_part() -> None:
    box = "Action: zoom(start_box='(300,200,750,750)')"
    assert uitars.parse(box, SCREEN).actions == (ZOOM,)
    point = uitars.parse("Action: zoom(start_box='(300,200)')", SCREEN)
    assert point.error is not None
    assert "4 numbers" in point.error.message


def test_a_part_is_shown_with_its_place_in_the_models_own_space() -> None:
    part = ScreenPart(left=100, top=50, right=300, bottom=150, screen=(400, 200))
    seen = SEEN.model_copy(update={"screenshot": screenshot().model_copy(update={"part": part})})
    lines, _ = uitars.render(None, [], seen, SCREEN)
    place = "the part (250,250) to (750,750) of the screen; points stay those of the whole screen"
    assert lines["text"] == f"picture: {place}"
