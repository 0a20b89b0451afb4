"""Models that choose from a list are offered what the environment has."""

from __future__ import annotations

import pytest

from agent_server.agents.environment import absent_kinds, tool_lines
from envs.contract.task import Task


def task(**fields: object) -> Task:
    return Task.model_validate({"id": "t", "instruction": "x"} | fields)


@pytest.mark.parametrize(
    ("fields", "absent", "present"),
    [
        ({"env": "browser"}, {"window", "launch"}, {"click", "history", "tool"}),
        ({"env": "desktop"}, {"history", "tab", "dialog"}, {"window", "tool"}),
        ({"env": "browser", "tools": "gui"}, {"tool", "window"}, {"click"}),
        ({"env": "browser", "tools": "api"}, {"click", "type", "history"}, {"tool", "done"}),
    ],
)
def test_kinds_that_would_be_refused_are_absent(
    fields: dict[str, str], absent: set[str], present: set[str]
) -> None:
    kinds = absent_kinds(task(**fields))
    assert absent <= kinds
    assert not present & kinds


def test_tools_are_lines_with_optional_arguments_marked() -> None:
    lines = tool_lines(task(env="browser"))
    assert any(line.startswith("browser.find_text(text") for line in lines)
    assert not any(line.startswith("billing.") for line in lines), "another gym's"
    billing = tool_lines(task(env="browser", gym="billing"))
    assert any(line.startswith("billing.") for line in billing)
