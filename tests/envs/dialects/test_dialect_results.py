"""What a model is sent after its actions: one result a call, then what is to be seen."""

from __future__ import annotations

import base64
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from envs.actions import (
    ActionError,
    ActionResult,
    Click,
    Done,
    Drag,
    Key,
    Navigate,
    Scroll,
    SetValue,
    SimpleAction,
    Space,
    Target,
    Tool,
    Type,
)
from envs.dialects import anthropic_computer, openai_computer, openai_tools, osworld, uitars
from envs.dialects.dialect import Display, Json
from envs.observations import Observation, Screenshot, Tree

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


def use(number: int, **said: object) -> Json:
    return {"type": "tool_use", "id": f"toolu_{number}", "name": "computer", "input": said}


def test_each_tool_use_has_its_result_and_the_last_one_the_picture() -> None:
    said = [use(1, action="left_click", coordinate=[5, 5]), use(2, action="type", text="a")]
    parsed = anthropic_computer.parse(said, SCREEN)
    first, second = anthropic_computer.render(parsed, [OK, OK], SEEN, SCREEN)
    assert first == {"type": "tool_result", "tool_use_id": "toolu_1", "content": []}
    (image,) = second["content"]
    assert image["source"]["media_type"] == "image/png"
    assert picture(image["source"]["data"]).size == (200, 100)


def test_after_a_failure_the_later_tool_uses_are_told_to_be_left_out() -> None:
    said = [use(n, action="key", text="a") for n in (1, 2, 3)]
    parsed = anthropic_computer.parse(said, SCREEN)
    blocks = anthropic_computer.render(parsed, [OK, BROKEN], SEEN, SCREEN)
    assert [block.get("is_error", False) for block in blocks] == [False, True, True]
    assert blocks[1]["content"][0]["text"] == "nothing to click there"
    assert blocks[2]["content"][0]["text"] == "not carried out, as an earlier action failed"


def test_one_bad_call_refuses_all_and_each_is_told_why() -> None:
    said = [use(1, action="key", text="a"), use(2, action="fly")]
    parsed = anthropic_computer.parse(said, SCREEN)
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
    said = use(1, action="left_click_drag", coordinate=[5, 5], text="ctrl")
    parsed = anthropic_computer.parse([said], SCREEN)
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


def computer_call(*actions: Json, **more: object) -> Json:
    return {"type": "computer_call", "id": "cu_1", "call_id": "call_1", "status": "completed",
            "pending_safety_checks": [], "actions": list(actions), **more}  # fmt: skip


def test_a_computer_call_is_answered_with_a_picture() -> None:
    parsed = openai_computer.parse([computer_call({"type": "wait"})], SCREEN)
    (item,) = openai_computer.render(parsed, [OK], SEEN, SCREEN)
    assert (item["type"], item["call_id"]) == ("computer_call_output", "call_1")
    assert item["output"]["type"] == "computer_screenshot"
    assert item["output"]["image_url"].startswith("data:image/png;base64,")
    assert picture(item["output"]["image_url"]).size == (200, 100)
    assert "acknowledged_safety_checks" not in item


def test_what_a_picture_does_not_say_follows_as_a_message() -> None:
    parsed = openai_computer.parse([computer_call({"type": "wait"})], SCREEN)
    seen = SEEN.model_copy(update={"dialog": "Leave this page?"})
    _, message = openai_computer.render(parsed, [BROKEN], seen, SCREEN)
    assert message["role"] == "user"
    assert message["content"][0]["text"].splitlines() == [
        "error: nothing to click there",
        "dialog: Leave this page?",
        "page: Shop",
    ]


def test_safety_checks_are_acknowledged_only_on_the_callers_word() -> None:
    check = {"id": "cu_sc_1", "code": "sensitive_domain", "message": "A bank."}
    said = [computer_call({"type": "keypress", "keys": ["A"]}, pending_safety_checks=[check])]
    held_back = openai_computer.parse(said, SCREEN)
    assert held_back.error == ActionResult.failure(
        ActionError.NOT_ALLOWED, "safety checks were not acknowledged: A bank."
    )
    output, message = openai_computer.render(held_back, [], SEEN, SCREEN)
    assert "acknowledged_safety_checks" not in output
    assert "A bank." in message["content"][0]["text"]
    allowed = openai_computer.parse(said, SCREEN, acknowledge=True)
    assert allowed.actions == (Key(keys=("A",)),)
    (output,) = openai_computer.render(allowed, [OK], SEEN, SCREEN)
    assert output["acknowledged_safety_checks"] == [check]


def test_a_tool_call_is_answered_by_its_id_and_the_page_follows() -> None:
    said = {
        "role": "assistant",
        "tool_calls": [
            {"id": "a", "function": {"name": "clipboard", "arguments": '{"op": "read"}'}},
            {"id": "b", "function": {"name": "key", "arguments": '{"keys": ["enter"]}'}},
        ],
    }
    parsed = openai_tools.parse(said, SCREEN)
    seen = Observation(hash="1", title="Shop", tree=Tree(id=3, text="button Buy #1"))
    results = [ActionResult.success("copied"), BROKEN]
    assert openai_tools.render(parsed, results, seen, SCREEN) == [
        {"role": "tool", "tool_call_id": "a", "content": '"copied"'},
        {"role": "tool", "tool_call_id": "b", "content": "error: nothing to click there"},
        {"role": "user", "content": [{"type": "text", "text": "page: Shop\nbutton Buy #1"}]},
    ]


def test_an_answer_that_cannot_be_read_is_told_so() -> None:
    parsed = openai_tools.parse({"role": "assistant", "content": ""}, SCREEN)
    (message,) = openai_tools.render(parsed, [], SEEN, SCREEN)
    text, image = message["content"]
    assert text["text"].startswith("error: the answer has neither a tool call nor text\npage: Shop")
    assert picture(image["image_url"]["url"]).size == (200, 100)


def test_uitars_reads_an_error_before_the_next_picture() -> None:
    parsed = uitars.parse("Action: fly()", SCREEN)
    error, image = uitars.render(parsed, [], SEEN, SCREEN)
    assert error == {"type": "text", "text": "error: there is no action 'fly'"}
    assert image["type"] == "image_url"
    assert len(uitars.render(None, [], SEEN, SCREEN)) == 1


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


def test_formats_of_pictures_need_a_screenshot() -> None:
    blind = Observation(hash="1")
    with pytest.raises(ValueError, match="screenshot"):
        uitars.render(None, [], blind, SCREEN)


def test_every_kind_of_action_is_a_tool() -> None:
    tools = {tool["function"]["name"]: tool["function"] for tool in openai_tools.tools()}
    assert set(tools) == set(openai_tools.KINDS)
    assert {"click", "set_value", "tool", "done", "infeasible"} <= set(tools)
    assert all(tool["description"] for tool in tools.values())
    assert tools["wait"]["parameters"] == {
        "type": "object",
        "additionalProperties": False,
        "properties": {"ms": {"type": "integer", "minimum": 0, "maximum": 10_000}},
        "required": ["ms"],
    }
    assert "launch" not in json.dumps(openai_tools.tools(without=["launch"]))


points = st.builds(Target, x=st.integers(0, 199).map(lambda x: x * 2),
                   y=st.integers(0, 99).map(lambda y: y * 2))  # fmt: skip
targets = (
    points
    | st.builds(Target, ref=st.integers(1, 99), tree=st.just(3))
    | st.builds(Target, selector=st.just("#q"))
    | st.builds(Target, x=st.floats(0, 1), y=st.floats(0, 1), space=st.just(Space.NORM1))
)
words = st.text(st.characters(codec="utf-8"), max_size=12)
actions: st.SearchStrategy[SimpleAction] = st.one_of(
    st.builds(Click, target=st.none() | targets, count=st.integers(1, 3)),
    st.builds(Drag, path=st.lists(targets, min_size=2, max_size=3).map(tuple)),
    st.builds(Scroll, dy=st.integers(-9, 9), unit=st.sampled_from(["px", "notch", "page"])),
    st.builds(Type, text=words, target=st.none() | targets, clear=st.booleans()),
    st.builds(SetValue, target=targets, value=st.booleans() | words),
    st.builds(Navigate, url=words),
    st.builds(Tool, name=words, arguments=st.dictionaries(words, st.integers() | words)),
    st.builds(Done, answer=st.none() | words),
)


@given(thought=words.map(str.strip), said=st.lists(actions, min_size=1, max_size=5))
def test_tool_calls_say_every_action(thought: str, said: list[SimpleAction]) -> None:
    numbered = [(f"call_{number}", action) for number, action in enumerate(said)]
    message = json.loads(json.dumps(openai_tools.write(thought, numbered, SCREEN)))
    parsed = openai_tools.parse(message, SCREEN, tree=3)
    assert parsed.actions == tuple(said)
    assert parsed.thought == thought or "<tool_call>" in thought
    assert [call.id for call in parsed.calls] == [id for id, _ in numbered]


@given(
    shown=st.tuples(st.integers(1, 2000), st.integers(1, 2000)),
    scale=st.floats(1, 4),
    at=st.tuples(st.floats(0, 1, exclude_max=True), st.floats(0, 1, exclude_max=True)),
)
def test_a_point_of_a_picture_comes_back_from_the_screen(
    shown: tuple[int, int], scale: float, at: tuple[float, float]
) -> None:
    display = Display(round(shown[0] * scale), round(shown[1] * scale), shown)
    point = int(at[0] * shown[0]), int(at[1] * shown[1])
    target = display.target(*point)
    assert target.x is not None
    assert target.y is not None
    assert 0 <= target.x < display.width
    assert 0 <= target.y < display.height
    assert display.point(target) == point


@pytest.mark.parametrize(
    ("size", "resized"),
    [
        ((1920, 1080), (1932, 1092)),  # 1080 / 28 is 38.57, so 39 * 28
        ((28, 28), (280, 280)),  # grown to the least area, 100 * 28 * 28
        ((1280, 800), (1288, 812)),
    ],
)
def test_pictures_are_resized_as_the_models_processor_does(
    size: tuple[int, int], resized: tuple[int, int]
) -> None:
    limits = uitars.ABSOLUTE
    assert uitars.smart_resize(*size, limits.min_pixels, limits.max_pixels) == resized


def test_a_picture_is_shrunk_to_the_limit_of_the_serving_engine() -> None:
    assert uitars.smart_resize(1920, 1080, 3136, 1_000_000) == (1316, 728)
