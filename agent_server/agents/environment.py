"""Which actions and tools an environment has: for models that choose from a list."""

from __future__ import annotations

from envs.dialects.openai_tools import KINDS
from envs.tasks import Env, Task

ABSENT: dict[Env, frozenset[str]] = {
    "browser": frozenset({"window", "launch"}),
    "desktop": frozenset({"history", "tab", "dialog"}),
}
WITHOUT_HANDS = frozenset({"tool", "wait", "note", "done", "infeasible"})
"""What is left where a task allows tools only."""


def absent_kinds(task: Task) -> frozenset[str]:
    """Kinds of actions that would be refused."""
    if task.tools == "api":
        return frozenset(KINDS) - WITHOUT_HANDS
    return ABSENT[task.env] | ({"tool"} if task.tools == "gui" else frozenset())


def tool_lines(task: Task) -> list[str]:
    """One line a tool: name, arguments, what it does. Those of other gyms are left out."""
    from envs.browser import session as _browser  # noqa: F401
    from envs.gyms.registry import site_tools
    from envs.tools import desktop_tools as _desktop  # noqa: F401
    from envs.tools.registry import list_tools

    own = f"{task.gym}."
    tools = list_tools(task.env) + [one for one in site_tools() if one["name"].startswith(own)]
    return [
        f"{one['name']}({', '.join(_arguments(one))}): {one['description'].splitlines()[0]}"
        for one in tools
    ]


def _arguments(tool: dict[str, object]) -> list[str]:
    schema = tool.get("parameters")
    assert isinstance(schema, dict)
    required = schema.get("required", ())
    return [name if name in required else f"{name}?" for name in schema.get("properties", {})]
