"""The tasks that have an oracle: those that a script solves from the tree for every seed tried."""

from __future__ import annotations

from envs.gyms.apps.miniwob.scripts import (
    buttons,
    calendar,
    choices,
    lookups,
    messages,
    numbers,
    orders,
    text_entry,
)
from envs.gyms.apps.miniwob.scripts.live_page import Script, ScriptOracle
from envs.gyms.server.gym import Oracle

_MODULES = (buttons, calendar, choices, numbers, text_entry, lookups, messages, orders)
SCRIPTS: dict[str, Script] = {
    template: script for module in _MODULES for template, script in module.SCRIPTS.items()
}


def oracle_of(template: str) -> Oracle:
    """Raises KeyError for a task without an oracle."""
    if template not in SCRIPTS:
        raise KeyError(f"there is no oracle for {template}; there are for: {', '.join(SCRIPTS)}")
    return ScriptOracle(SCRIPTS[template])
