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
    Move,
    Navigate,
    Scroll,
    SimpleAction,
    Target,
    Type,
    Wait,
)
from envs.contract.observations import Observation, Screenshot
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
