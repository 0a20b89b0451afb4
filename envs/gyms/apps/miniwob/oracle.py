"""The tasks that have an oracle: those that a script solves from the tree for every seed tried."""

from __future__ import annotations

from envs.gyms.apps.miniwob.scripts import (
    buttons,
    calendar,
    choices,
    drawings,
    games,
    lookups,
    messages,
    numbers,
    orders,
    text_entry,
    wordings,
)
from envs.gyms.apps.miniwob.scripts.live_page import LivePageOracle, Script
from envs.gyms.server.gym import Oracle

_MODULES = (
    buttons,
    calendar,
    choices,
    drawings,
    games,
    lookups,
    messages,
    numbers,
    orders,
    text_entry,
    wordings,
)
SCRIPTS: dict[str, Script] = {
    template: script for module in _MODULES for template, script in module.SCRIPTS.items()
}


LEAST_WINS = {"tic-tac-toe": 0.6}
"""Tasks in which chance decides as well: the least share of seeds to win. With
the best moves it wins 84% on average (`games.py`)."""


def oracle_of(template: str) -> Oracle:
    """Raises KeyError for a task without an oracle."""
    if template not in SCRIPTS:
        raise KeyError(f"there is no oracle for {template}; there are for: {', '.join(SCRIPTS)}")
    return LivePageOracle(SCRIPTS[template])
