"""Which tasks have an oracle: those that a script solves from the tree for every seed tried."""

from __future__ import annotations

from envs.gyms.gym import Oracle
from envs.gyms.miniwob.clicking import CLICKING
from envs.gyms.miniwob.reading import Script, ScriptOracle
from envs.gyms.miniwob.writing import WRITING

SCRIPTS: dict[str, Script] = {**CLICKING, **WRITING}


def oracle_of(template: str) -> Oracle:
    """Raises KeyError for a task without one."""
    if template not in SCRIPTS:
        raise KeyError(f"there is no oracle for {template}; there are for: {', '.join(SCRIPTS)}")
    return ScriptOracle(SCRIPTS[template])
