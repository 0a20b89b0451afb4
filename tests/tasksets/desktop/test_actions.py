from __future__ import annotations

import pytest

from envs.contract.actions import action_adapter
from tasksets.desktop.actions import (
    click,
    close_window,
    finish,
    key,
    tool,
    type_into,
    type_text,
    wait,
)
from tasksets.desktop.template import Json


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (
            tool("calc.rename_sheet", name="A"),
            {"type": "tool", "name": "calc.rename_sheet", "arguments": {"name": "A"}},
        ),
        (click("View"), {"type": "click", "target": {"named": "View"}}),
        (click("View", "menu"), {"type": "click", "target": {"named": "View", "role": "menu"}}),
        (key("ctrl", "s"), {"type": "key", "keys": ["ctrl", "s"]}),
        (key("down", repeat=3), {"type": "key", "keys": ["down"], "repeat": 3}),
        (type_text("a"), {"type": "type", "text": "a", "submit": False}),
        (
            type_into("Find", "a", clear=True),
            {
                "type": "type",
                "target": {"named": "Find", "role": "box"},
                "text": "a",
                "clear": True,
            },
        ),
        (wait(700), {"type": "wait", "ms": 700}),
        (finish(), {"type": "done"}),
        (finish("7"), {"type": "done", "answer": "7"}),
    ],
)
def test_actions_as_json(action: Json, expected: Json) -> None:
    assert action == expected
    if "named" in action.get("target", {}):
        action = action | {"target": {"ref": 1, "tree": 1}}
    assert action_adapter.validate_python(action).type == expected["type"]


def test_a_window_is_closed_by_its_title() -> None:
    assert action_adapter.validate_python(close_window("Search Results")).type == "window"
