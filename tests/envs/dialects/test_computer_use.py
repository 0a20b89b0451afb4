"""Qwen's computer_use: what is said is read again as it was meant."""

from __future__ import annotations

import pytest

from envs.contract.actions import (
    ActionError,
    Click,
    Done,
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
from envs.dialects import computer_use
from envs.dialects.coordinates import RELATIVE, SHOWN
from envs.dialects.dialect import Display, Refused

SCREEN = Display(1000, 1000)
AT = Target(x=120, y=48)


def call(arguments: str) -> str:
    return f'<tool_call>\n{{"name": "computer_use", "arguments": {arguments}}}\n</tool_call>'


def test_a_published_answer_is_read() -> None:
    text = "I see the button.\n" + call('{"action": "left_click", "coordinate": [120, 48]}')
    parsed = computer_use.parse(text, SCREEN)
    assert parsed.error is None
    assert parsed.thought == "I see the button."
    assert parsed.actions == (Click(target=AT),)
    half = Display(1000, 1000, shown=(500, 500))
    assert computer_use.parse(text, half, SHOWN).actions == (Click(target=Target(x=240, y=96)),)


@pytest.mark.parametrize(
    "action",
    [
        Click(target=AT),
        Click(target=AT, button="right"),
        Click(count=2),
        Move(target=AT),
        Type(text="a 'b' \"c\"\nd", submit=True),
        Key(keys=("ctrl", "a")),
        Scroll(target=AT, dy=300),
        Scroll(dx=-50),
        Wait(ms=2000),
        Zoom(corners=(AT, Target(x=500, y=600))),
        Zoom(corners=(AT, Target(x=500, y=600)), enlarge=False),
        Mark(points=(AT, Target(x=500, y=600))),
        Done(),
        Done(answer="42"),
        Infeasible(),
        Infeasible(reason="no such order"),
    ],
)
def test_what_is_written_is_read_again(action: SimpleAction) -> None:
    text = computer_use.write("I try\nthis.", [action, Key(keys=("enter",))], SCREEN, RELATIVE)
    parsed = computer_use.parse(text, SCREEN)
    assert parsed.error is None
    assert parsed.thought == "I try this."
    assert parsed.actions == (action, Key(keys=("enter",)))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("nothing", ActionError.MALFORMED),
        (call('{"action": "fly"}'), ActionError.MALFORMED),
        (call('{"action": "left_click", "coordinate": [1200, 48]}'), ActionError.BAD_VALUE),
        (call('{"action": "left_click", "coordinate": [1, 2], "why": 1}'), ActionError.MALFORMED),
        (call('{"action": "type"}'), ActionError.MALFORMED),
        (call('{"action": "zoom"}'), ActionError.MALFORMED),
        (call('{"action": "mark"}'), ActionError.MALFORMED),
        (call('{"action": "zoom", "region": [0, 0, 2000, 9]}'), ActionError.BAD_VALUE),
        (call('{"action": "left_click_drag", "coordinate": [1, 2]}'), ActionError.UNSUPPORTED),
        ("<tool_call>{</tool_call>", ActionError.MALFORMED),
        ('<tool_call>{"name": "x", "arguments": {"action": "key"}}', ActionError.MALFORMED),
    ],
)
def test_what_is_no_call_is_refused(text: str, error: ActionError) -> None:
    parsed = computer_use.parse(text, SCREEN)
    assert parsed.error is not None
    assert parsed.error.error is error
    assert not parsed.actions


def test_what_cannot_be_said_is_refused() -> None:
    for action in (Navigate(url="/cart"), Type(text="x", clear=True), Scroll(dy=1, unit="page")):
        with pytest.raises(Refused, match="cannot say"):
            computer_use.write("", [action], SCREEN, RELATIVE)
    with pytest.raises(ValueError, match="only a point"):
        computer_use.write("", [Click(target=Target(ref=1))], SCREEN, RELATIVE)
