"""Answers as models of each format give them, with the actions that they mean.

A transcript's turns hold `output`, `thought`, and `actions` (our actions, defaults left out) or the
kind of `error`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from envs.contract.actions import simple_action_adapter
from envs.dialects import anthropic_computer, openai_computer, openai_tools, osworld, uitars
from envs.dialects.dialect import Display, Parsed

FOLDER = Path(__file__).parent / "transcripts"
HD = Display(1920, 1080)


def _uitars(turn: dict[str, Any]) -> Parsed:
    absolute = turn.get("coordinates") == "absolute"
    return uitars.parse(turn["output"], HD, uitars.ABSOLUTE if absolute else uitars.RELATIVE)


PARSERS: dict[str, Callable[[dict[str, Any]], Parsed]] = {
    "openai_computer": lambda turn: openai_computer.parse(turn["output"], Display(1280, 800)),
    "anthropic_computer": lambda turn: anthropic_computer.parse(
        turn["output"], Display(2048, 1536, shown=(1024, 768))
    ),
    "uitars": _uitars,
    "osworld": lambda turn: osworld.parse(turn["output"], HD),
    "openai_tools": lambda turn: openai_tools.parse(
        turn["output"], Display(1280, 800, shown=(640, 400)), tree=7
    ),
}
TURNS = [
    pytest.param(name, turn, id=f"{name}-{number}")
    for name in PARSERS
    for number, turn in enumerate(json.loads((FOLDER / f"{name}.json").read_text())["turns"])
]


@pytest.mark.parametrize(("name", "turn"), TURNS)
def test_an_answer_means_these_actions(name: str, turn: dict[str, Any]) -> None:
    parsed = PARSERS[name](turn)
    assert parsed.thought == turn["thought"]
    if "error" in turn:
        assert parsed.error is not None
        assert parsed.error.error == turn["error"]
        assert parsed.actions == ()
        return
    assert parsed.error is None
    expected = tuple(simple_action_adapter.validate_python(action) for action in turn["actions"])
    assert parsed.actions == expected


@pytest.mark.parametrize("name", ["openai_computer", "anthropic_computer", "openai_tools"])
def test_the_text_of_an_answer_reads_like_the_answer(name: str) -> None:
    for turn in json.loads((FOLDER / f"{name}.json").read_text())["turns"]:
        as_text = {**turn, "output": json.dumps(turn["output"])}
        assert PARSERS[name](as_text) == PARSERS[name](turn)
