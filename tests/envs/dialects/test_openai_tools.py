"""Results as tool messages of the chat API, and tools as it declares them."""

from __future__ import annotations

import base64
import io
import json

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from envs.contract.actions import (
    ActionError,
    ActionResult,
    Click,
    Done,
    Drag,
    Mark,
    Navigate,
    Scroll,
    SetValue,
    SimpleAction,
    Space,
    Target,
    Tool,
    Type,
    Zoom,
)
from envs.contract.observations import Observation, ScreenPart, Screenshot, Tree
from envs.dialects import openai_tools
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


def picture(data: str) -> Image.Image:
    return Image.open(io.BytesIO(base64.b64decode(data.rpartition(",")[2])))


def test_a_tool_call_is_answered_by_its_id_and_the_page_follows() -> None:
    reply = {
        "role": "assistant",
        "tool_calls": [
            {"id": "a", "function": {"name": "clipboard", "arguments": '{"op": "read"}'}},
            {"id": "b", "function": {"name": "key", "arguments": '{"keys": ["enter"]}'}},
        ],
    }
    parsed = openai_tools.parse(reply, SCREEN)
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
    st.builds(Zoom, corners=st.tuples(points, points), enlarge=st.booleans()),
    st.builds(Mark, points=st.lists(points, min_size=1, max_size=3).map(tuple)),
    st.builds(Drag, path=st.lists(targets, min_size=2, max_size=3).map(tuple)),
    st.builds(Scroll, dy=st.integers(-9, 9), unit=st.sampled_from(["px", "notch", "page"])),
    st.builds(Type, text=words, target=st.none() | targets, clear=st.booleans()),
    st.builds(SetValue, target=targets, value=st.booleans() | words),
    st.builds(Navigate, url=words),
    st.builds(Tool, name=words, arguments=st.dictionaries(words, st.integers() | words)),
    st.builds(Done, answer=st.none() | words),
)


@given(thought=words.map(str.strip), chosen_actions=st.lists(actions, min_size=1, max_size=5))
def test_tool_calls_say_every_action(thought: str, chosen_actions: list[SimpleAction]) -> None:
    numbered = [(f"call_{number}", action) for number, action in enumerate(chosen_actions)]
    message = json.loads(json.dumps(openai_tools.write(thought, numbered, SCREEN)))
    parsed = openai_tools.parse(message, SCREEN, tree=3)
    assert parsed.actions == tuple(chosen_actions)
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


def test_a_zooms_corners_are_of_the_picture_and_the_answer_says_what_is_shown() -> None:
    corners = '{"corners": [{"x": 10, "y": 20}, {"x": 60, "y": 70}]}'
    call = {"id": "a", "function": {"name": "zoom", "arguments": corners}}
    parsed = openai_tools.parse({"role": "assistant", "tool_calls": [call]}, SCREEN)
    assert parsed.actions == (Zoom(corners=(Target(x=20, y=40), Target(x=120, y=140))),)
    part = ScreenPart(left=20, top=40, right=120, bottom=140, screen=(400, 200))
    seen = SEEN.model_copy(update={"screenshot": screenshot().model_copy(update={"part": part})})
    messages = openai_tools.render(parsed, [ActionResult.success()], seen, SCREEN)
    assert "picture: the part (10,20) to (60,70) of the screen" in json.dumps(messages[-1])
