"""Scripts of check boxes, lists, colors, sliders and spinners."""

from __future__ import annotations

import pytest

from envs.gyms.apps.miniwob.scripts import choices
from envs.gyms.apps.miniwob.scripts.live_page import Script
from tests.envs.gyms.apps.miniwob.play import observation, play

SUBMIT = "button Submit #"


@pytest.mark.parametrize(
    ("script", "lines", "moves"),
    [
        (
            choices.check_boxes,
            ("text Select ab, cd and click Submit.", "check ab #", "check ef #", "check cd #"),
            ["click ab", "click cd"],
        ),
        (choices.check_boxes, ("text Select nothing and click Submit.", "check ab #"), []),
        (
            choices.radio_button,
            ("text Select ab and click Submit.", "radio cd #", "radio ab #"),
            ["click ab"],
        ),
        (
            choices.list_entries,
            ("text Select Ann, Bo from the scroll list and click Submit.", "select list #"),
            ["set_value list Ann", "set_value list Bo"],
        ),
        (
            choices.spinner,
            ("text Select -2 with the spinner and hit Submit.", "button Up #", "button Down #"),
            ["click Down", "click Down"],
        ),
        (
            choices.color_code,
            ("text Select lime with the color picker", "box #"),
            ["set_value 00FF00"],
        ),
    ],
)
def test_controls_then_submit(script: Script, lines: tuple[str, ...], moves: list[str]) -> None:
    assert play(script, observation(*lines, SUBMIT)) == [*moves, "click Submit"]


def test_colors_that_are_shown_or_named() -> None:
    boxes = ("button red box #", "button blue box #")
    shown = observation("text Click on this color", "heading blue color", *boxes)
    assert play(choices.color_box, shown) == ["click blue box"]
    named = observation("text Click on the red colored box.", *boxes)
    assert play(choices.color_box, named) == ["click red box"]


def test_a_slider_is_moved_until_it_shows_its_value() -> None:
    lines = ("text Select 5 with the slider, click the 2nd checkbox", "button Slider handle #")
    rest = ("check #", "check second #", SUBMIT)
    pages = [observation(*lines, f"text {value}", *rest) for value in (1, 1, 3, 5)]
    assert play(choices.slider_and_check_box, *pages) == [
        "click Slider handle",
        "key right",
        "key right",
        "click second",
        "click Submit",
    ]
