"""Observations as OSWorld's agents take them."""

from __future__ import annotations

import base64
import io

from PIL import Image

from envs.contract.actions import (
    ActionError,
    ActionResult,
)
from envs.contract.observations import Observation, Screenshot
from envs.dialects import osworld
from envs.dialects.dialect import Display

BROKEN = ActionResult.failure(ActionError.NOT_INTERACTABLE, "nothing to click there")

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


def test_an_agent_of_osworld_gets_its_kind_of_observation() -> None:
    parsed = osworld.parse("pyautogui.click(1, 2)", SCREEN)
    given_ = osworld.render(parsed, [BROKEN], SEEN, SCREEN, "Buy a mug.")
    assert Image.open(io.BytesIO(given_.pop("screenshot"))).size == (200, 100)
    assert given_ == {
        "accessibility_tree": None,
        "terminal": None,
        "instruction": "Buy a mug.",
        "error": "nothing to click there",
    }
