"""Results in Anthropic's computer-use format."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image

from envs.contract.actions import (
    ActionError,
    ActionResult,
)
from envs.contract.observations import Observation, Screenshot
from envs.dialects import anthropic_computer, openai_computer
from envs.dialects.dialect import Display, Json

OK = ActionResult.success()

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


def picture(data: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(data.rpartition(",")[2])))


def use(number: int, **content: object) -> Json:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": "computer", "input": content}


def test_each_tool_use_has_its_result_and_the_last_one_the_picture() -> None:
    content = [use(1, action="left_click", coordinate=[5, 5]), use(2, action="type", text="a")]
    parsed = anthropic_computer.parse(content, SCREEN)
    first, second = anthropic_computer.render(parsed, [OK, OK], SEEN, SCREEN)
    assert first == {"type": "tool_result", "tool_use_id": "toolu_1", "content": []}
    (image,) = second["content"]
    assert image["source"]["media_type"] == "image/png"
    assert picture(image["source"]["data"]).size == (200, 100)


def test_after_a_failure_the_later_tool_uses_are_told_to_be_left_out() -> None:
    content = [use(n, action="key", text="a") for n in (1, 2, 3)]
    parsed = anthropic_computer.parse(content, SCREEN)
    blocks = anthropic_computer.render(parsed, [OK, BROKEN], SEEN, SCREEN)
    assert [block.get("is_error", False) for block in blocks] == [False, True, True]
    assert blocks[1]["content"][0]["text"] == "nothing to click there"
    assert blocks[2]["content"][0]["text"] == "not carried out, as an earlier action failed"


def test_one_bad_call_refuses_all_and_each_is_told_why() -> None:
    content = [use(1, action="key", text="a"), use(2, action="fly")]
    parsed = anthropic_computer.parse(content, SCREEN)
    assert parsed.actions == ()
    blocks = anthropic_computer.render(parsed, [], SEEN, SCREEN)
    assert [block["tool_use_id"] for block in blocks] == ["toolu_1", "toolu_2"]
    assert [block["content"][0]["text"] for block in blocks] == ["there is no action 'fly'"] * 2


def test_a_zoom_is_answered_with_its_region_as_large_as_a_picture() -> None:
    parsed = anthropic_computer.parse([use(1, action="zoom", region=[100, 50, 200, 100])], SCREEN)
    (block,) = anthropic_computer.render(parsed, [OK], SEEN, SCREEN)
    zoomed = picture(block["content"][0]["source"]["data"])
    assert zoomed.size == (200, 100)
    assert zoomed.getcolors() == [(200 * 100, (255, 0, 0))]


@pytest.mark.parametrize("region", [None, [0, 0], [10, 10, 5, 20], [0, 0, 900, 10], "all"])
def test_a_zoom_of_no_region_is_refused(region: object) -> None:
    parsed = anthropic_computer.parse([use(1, action="zoom", region=region)], SCREEN)
    assert parsed.error is not None
    assert parsed.calls[0].region is None


def test_keys_stay_held_through_a_drag_from_where_the_pointer_is() -> None:
    content = use(1, action="left_click_drag", coordinate=[5, 5], text="ctrl")
    parsed = anthropic_computer.parse([content], SCREEN)
    kinds = [action.type for action in parsed.actions]
    assert kinds == ["key_down", "mouse_down", "move", "mouse_up", "key_up"]


def test_the_computer_tools_are_declared_with_the_size_that_is_shown() -> None:
    assert anthropic_computer.tool(SCREEN, "computer_20251124", zoom=True) == {
        "type": "computer_20251124",
        "name": "computer",
        "display_width_px": 200,
        "display_height_px": 100,
        "enable_zoom": True,
    }
    with pytest.raises(ValueError, match="no zoom"):
        anthropic_computer.tool(SCREEN, zoom=True)
    assert openai_computer.tool(SCREEN) == {"type": "computer"}
    assert openai_computer.tool(SCREEN, "ubuntu")["display_width"] == 200
