"""Results in UI-TARS's format."""

from __future__ import annotations

import base64
import io

from PIL import Image

from envs.contract.observations import Observation, Screenshot
from envs.dialects import uitars
from envs.dialects.dialect import Display

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
