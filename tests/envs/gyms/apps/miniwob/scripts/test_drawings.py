"""Scripts of what is drawn."""

from __future__ import annotations

import pytest

from envs.gyms.apps.miniwob.scripts import drawings
from envs.gyms.server.gym import OracleLost
from tests.envs.gyms.apps.miniwob.play import observation, play, thoughts


@pytest.mark.parametrize(
    ("name", "description", "fits"),
    [
        ("large red q", "letter", True),
        ("large red q", "large red item", True),
        ("large red q", "Q", False),
        ("small aqua 7", "small digit", True),
        ("small aqua 7", "red digit", False),
        ("small aqua circle", "aqua shape", True),
        ("small aqua circle", "triangle", False),
    ],
)
def test_descriptions_of_shapes(name: str, description: str, fits: bool) -> None:
    assert drawings.is_described(name, description) == fits


def test_names_of_another_form_are_refused() -> None:
    with pytest.raises(OracleLost, match="not the name of a shape: Submit"):
        drawings.is_described("Submit", "letter")
    with pytest.raises(OracleLost, match="not a shade"):
        drawings.shade_of("red")


def test_shapes_are_clicked_counted_and_named() -> None:
    shapes = ("button small red q #", "button large red circle #")
    page = observation("text Click on a large item", *shapes)
    assert play(drawings.click_shape, page) == ["click large red circle"]
    with pytest.raises(OracleLost, match="no triangle"):
        play(drawings.click_shape, observation("text Click on a triangle", *shapes))
    pictures = ("img small red q", "img large red 4", "button 1 #", "button 2 #")
    page = observation("text How many red items are there?", *pictures)
    assert play(drawings.count_shapes, page) == ["click 2"]
    assert thoughts(drawings.count_shapes, page) == ["small red q, large red 4: 2."]
    buttons = ("button Circle #", "button Letter #", "button Number #")
    for picture, label in (("circle", "Circle"), ("q", "Letter"), ("4", "Number")):
        page = observation("text Click the button", f"img large red {picture}", *buttons)
        assert play(drawings.identify_shape, page) == [f"click {label}"]


def test_shades_points_and_slices() -> None:
    shades = ("check rgb(164, 50, 50) shade #", "check rgb(42, 42, 239) shade #")
    query = "text Select all the shades of blue"
    page = observation(query, *shades, "button Submit #")
    done = observation(
        query, shades[0], "check rgb(42, 42, 239) shade (checked) #", "button Submit #"
    )
    assert play(drawings.shades, page, done) == ["click rgb(42, 42, 239) shade", "click Submit"]
    page = observation("text Click (1,-2) .", "button point (-2, 1) #", "button point (1, -2) #")
    assert play(drawings.grid_point, page) == ["click point (1, -2)"]
    assert thoughts(drawings.grid_point, page) == ["point (1, -2) is #2."]
    closed = observation('text the item labeled "e"', "button + #")
    opened = observation('text the item labeled "e"', "button E #", "button e #", "button - #")
    assert play(drawings.pie_menu, closed, opened) == ["click +", "click e"]
