"""Actions and tools of an environment, for models that choose from a list."""

from __future__ import annotations

from envs.contract.task import Env, Task
from envs.dialects.openai_tools import KINDS

ABSENT: dict[Env, frozenset[str]] = {
    "browser": frozenset({"window", "launch"}),
    "desktop": frozenset({"history", "tab", "dialog"}),
}
LOOKS = frozenset({"zoom", "mark"})
"""Kinds that change only the next picture: of no use to a model that is shown none."""
WITHOUT_HANDS = frozenset({"tool", "wait", "note", "done", "infeasible"})
"""Kinds that remain where a task allows tools only."""


def absent_kinds(task: Task) -> frozenset[str]:
    """Kinds of actions that the environment would refuse."""
    if task.tools == "api":
        return frozenset(KINDS) - WITHOUT_HANDS
    return ABSENT[task.env] | ({"tool"} if task.tools == "gui" else frozenset())


def tool_lines(task: Task) -> list[str]:
    """One line a tool: name, arguments, description. Tools of other gyms are left out."""
    from envs.apps.catalog import DESKTOP_TOOLS
    from envs.browser.tools import TOOLS as BROWSER_TOOLS
    from envs.gyms.server.registry import site_tools

    gym_prefix = f"{task.gym}."
    tools = (DESKTOP_TOOLS if task.env == "desktop" else BROWSER_TOOLS).schemas() + [
        tool for tool in site_tools(task.gym) if tool["name"].startswith(gym_prefix)
    ]
    return [
        f"{tool['name']}({', '.join(_arguments(tool))}): {tool['description'].splitlines()[0]}"
        for tool in tools
    ]


def _arguments(tool: dict[str, object]) -> list[str]:
    schema = tool.get("parameters")
    assert isinstance(schema, dict)
    required = schema.get("required", ())
    return [name if name in required else f"{name}?" for name in schema.get("properties", {})]
