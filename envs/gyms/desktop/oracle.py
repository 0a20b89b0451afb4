"""An oracle that follows a written list of actions, finding elements by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from envs.actions import Wait, action_adapter
from envs.gyms.gym import OracleLost, OracleMove
from envs.observations import Observation, parse_tree

PATIENCE = 12
"""How often it looks again for an element that is not there yet."""
LOOK_AGAIN_MS = 250


class ScriptOracle:
    """`script`: actions as JSON; a target {"named", "role"?} is the one element of that name."""

    def __init__(self, script: Sequence[dict[str, Any]]) -> None:
        self._script = list(script)
        self._next = 0
        self._waited = 0

    def move(self, observation: Observation) -> OracleMove:
        """Raises OracleLost."""
        if self._next >= len(self._script):
            raise OracleLost("the script has ended")
        written = dict(self._script[self._next])
        thought = written.pop("thought", "next")
        target = written.get("target")
        if isinstance(target, dict) and "named" in target:
            ref = self._find(observation, target)
            if ref is None:
                self._waited += 1
                if self._waited > PATIENCE:
                    raise OracleLost(f"there is no {target} on the screen")
                return OracleMove("wait for it", Wait(ms=LOOK_AGAIN_MS))
            tree = observation.tree
            written["target"] = {"ref": ref, "tree": tree.id if tree else None}
        self._next += 1
        self._waited = 0
        return OracleMove(thought, action_adapter.validate_python(written))

    def _find(self, observation: Observation, target: dict[str, Any]) -> int | None:
        lines = parse_tree(observation.tree.text) if observation.tree else []
        for whole in (True, False):
            found = [
                line.ref
                for line in lines
                if line.ref is not None
                and (
                    line.name == target["named"] if whole else line.name.startswith(target["named"])
                )
                and target.get("role") in (None, line.role)
            ]
            if found:
                index: int = target.get("index", 0)
                return found[min(index, len(found) - 1)]
        return None
