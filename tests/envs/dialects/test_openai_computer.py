"""Results in OpenAI's computer-use format."""

from __future__ import annotations

import base64
import io

from hypothesis import strategies as st
from PIL import Image

from envs.contract.actions import (
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
from envs.contract.observations import Observation, Screenshot
from envs.dialects import openai_computer
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
    items = [computer_call({"type": "keypress", "keys": ["A"]}, pending_safety_checks=[check])]
    held_back = openai_computer.parse(items, SCREEN)
    assert held_back.error == ActionResult.failure(
        ActionError.NOT_ALLOWED, "safety checks were not acknowledged: A bank."
    )
    output, message = openai_computer.render(held_back, [], SEEN, SCREEN)
    assert "acknowledged_safety_checks" not in output
    assert "A bank." in message["content"][0]["text"]
    allowed = openai_computer.parse(items, SCREEN, acknowledge=True)
    assert allowed.actions == (Key(keys=("A",)),)
    (output,) = openai_computer.render(allowed, [OK], SEEN, SCREEN)
    assert output["acknowledged_safety_checks"] == [check]


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
