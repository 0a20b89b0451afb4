"""Any answer in any dialect is read or refused, in bounded time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.contract.actions import MAX_ACTIONS, ActionResult, Wait
from envs.dialects import (
    anthropic_computer,
    computer_use,
    openai_computer,
    openai_tools,
    osworld,
    uitars,
)
from envs.dialects.dialect import MAX_WAIT_MS, Display, Parsed

DISPLAY = Display(1280, 800, shown=(1024, 640))

PARSERS: dict[str, Callable[[object], Parsed]] = {
    "openai_computer": lambda reply: openai_computer.parse(reply, DISPLAY),
    "anthropic_computer": lambda reply: anthropic_computer.parse(reply, DISPLAY),
    "openai_tools": lambda reply: openai_tools.parse(reply, DISPLAY, tree=1),
    "uitars": lambda reply: uitars.parse(reply, DISPLAY),
    "uitars_absolute": lambda reply: uitars.parse(reply, DISPLAY, uitars.ABSOLUTE),
    "computer_use": lambda reply: computer_use.parse(reply, DISPLAY),
    "osworld": lambda reply: osworld.parse(reply, DISPLAY),
}

FOLDER = Path(__file__).parent / "transcripts"

each_parser = pytest.mark.parametrize("parse", PARSERS.values(), ids=PARSERS)

letters = st.characters() | st.characters(categories=["Cs"])

texts = st.text(letters, max_size=40)

numbers = st.integers() | st.floats() | st.just(10**400)

values = st.recursive(
    st.none() | st.booleans() | numbers | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)


def transcript(name: str) -> list[Any]:
    return [turn["output"] for turn in json.loads((FOLDER / f"{name}.json").read_text())["turns"]]


def strings_of(data: Any) -> list[str]:
    if isinstance(data, str):
        return [data]
    parts = [*data.keys(), *data.values()] if isinstance(data, dict) else data
    return [text for part in parts for text in strings_of(part)] if isinstance(parts, list) else []


OUTPUTS = {path.stem: transcript(path.stem) for path in FOLDER.glob("*.json")}

WORDS = sorted({word for outputs in OUTPUTS.values() for word in strings_of(outputs)})


@st.composite
def spoilt(draw: st.DrawFn) -> Any:
    """A real answer with one of its values exchanged."""
    outputs = OUTPUTS[draw(st.sampled_from(sorted(OUTPUTS)))]
    answer = json.loads(json.dumps(draw(st.sampled_from(outputs))))
    at: Any = answer
    while isinstance(at, dict | list) and at:
        key = draw(st.sampled_from(sorted(at))) if isinstance(at, dict) else draw(
            st.integers(0, len(at) - 1)
        )  # fmt: skip
        if not isinstance(at[key], dict | list) or not at[key] or draw(st.booleans()):
            at[key] = draw(values | st.sampled_from(WORDS))
            break
        at = at[key]
    return answer


def check(parsed: Parsed) -> None:
    assert (parsed.error is None) == bool(parsed.actions)
    assert len(parsed.actions) <= MAX_ACTIONS
    waited = sum(action.ms for action in parsed.actions if isinstance(action, Wait))
    assert waited <= MAX_WAIT_MS
    if parsed.error is not None:
        assert parsed.error.message
        ActionResult.model_validate_json(parsed.error.model_dump_json())
    else:
        assert parsed.action is not None


@each_parser
@given(reply=texts | values | st.lists(st.sampled_from(WORDS), max_size=6).map("\n".join))
def test_anything_is_read_or_refused(parse: Callable[[object], Parsed], reply: object) -> None:
    check(parse(reply))


@each_parser
@given(reply=spoilt())
def test_an_answer_with_a_wrong_value_is_read_or_refused(
    parse: Callable[[object], Parsed], reply: object
) -> None:
    check(parse(reply))


HUGE = 150_000

ENORMOUS = {
    "letters": "a" * HUGE,
    "blanks": " " * HUGE,
    "lines": "\n" * HUGE,
    "quotes": "Action: type(content='" + "'," * (HUGE // 2),
    "escapes": "Action: type(content='" + "\\" * HUGE,
    "calls": "Action: " + "wait()\n\n" * (HUGE // 8),
    "labels": "Thought:" * (HUGE // 8) + "\nAction: wait()",
    "fences": "```" * (HUGE // 3),
    "tool calls": "<tool_call>" * (HUGE // 11),
    "brackets": "[" * HUGE,
    "objects": '{"content":' * (HUGE // 11),
    "minus": "-" * 39_000 + "1",
    "parentheses": "f(" * 19_000,
    "sums": "1+" * 19_000 + "1",
    "attributes": "pyautogui" + ".a" * 19_000 + "()",
    "not": "not " * 9_000 + "1",
    "powers": "pyautogui.press('a', presses=" + "9**" * 9_000 + "9)",
    "keys": json.dumps([{"type": "tool_use", "id": "1", "name": "computer", "input":
                         {"action": "key", "text": "a " * 70_000, "repeat": 100}}]),
    "clicks": json.dumps([{"type": "computer_call", "call_id": "1",
                           "actions": [{"type": "wait"}] * 5_000}]),
    "presses": f"pyautogui.press({['a'] * 5_000}, presses=100)",
    "statements": "pyautogui.press('a')\n" * 1_900,
}  # fmt: skip


@each_parser
@pytest.mark.parametrize("reply", ENORMOUS.values(), ids=ENORMOUS)
def test_reading_takes_bounded_time(parse: Callable[[object], Parsed], reply: str) -> None:
    began = time.process_time()
    parsed = parse(reply)
    assert time.process_time() - began < 2
    check(parsed)
