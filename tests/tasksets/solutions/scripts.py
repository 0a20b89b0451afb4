"""What every scripted solution must be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from envs.apps.catalog import DESKTOP_TOOLS
from envs.contract.actions import action_adapter
from tasksets.desktop.template import Json


def check_scripts(scripts: Mapping[str, Sequence[Json]], *tool_groups: str) -> None:
    """Actions are valid, tools exist and are of these groups, and each script ends once."""
    for name, script in scripts.items():
        for action in script:
            if "named" not in action.get("target", {}):
                action_adapter.validate_python(action)
            if action["type"] == "tool":
                assert action["name"] in DESKTOP_TOOLS, action["name"]
                assert action["name"].partition(".")[0] in tool_groups, name
        ends = [action["type"] in ("done", "infeasible") for action in script]
        assert ends == [False] * (len(script) - 1) + [True], name
