"""An oracle that follows a list of actions (see `actions`) and finds elements by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from envs.contract.actions import Wait, action_adapter
from envs.contract.observations import Observation, parse_tree
from envs.contract.validation import describe_first
from envs.gyms.server.gym import OracleLost, OracleMove

MAX_WAITS = 12
"""How many times it waits for an element that is not there yet."""
WAIT_MS = 250


class ActionListOracle:
    """`script`: actions as JSON; a target {"named", "role"?, "index"?} is an element's name."""

    def __init__(self, script: Sequence[dict[str, Any]]) -> None:
        """Raises ValueError, naming the step, where the script holds what is no action."""
        try:
            self._script = _script.validate_python(list(script))
        except (TypeError, ValidationError) as error:
            raise ValueError("the oracle must be a list of actions") from error
        for number, step in enumerate(self._script, 1):
            _check_step(number, step)
        self._next = 0
        self._waits = 0

    def move(self, observation: Observation) -> OracleMove:
        """The next action, or a wait while its target is missing. Raises OracleLost."""
        if self._next >= len(self._script):
            raise OracleLost("the script has ended")
        action = dict(self._script[self._next])
        thought = action.pop("thought", "next")
        target = action.get("target")
        if isinstance(target, dict) and "named" in target:
            ref = find_ref(observation, target)
            if ref is None:
                self._waits += 1
                if self._waits > MAX_WAITS:
                    raise OracleLost(f"there is no {target} on the screen")
                return OracleMove("wait for it", Wait(ms=WAIT_MS))
            tree = observation.tree
            action["target"] = {"ref": ref, "tree": tree.id if tree else None}
        self._next += 1
        self._waits = 0
        return OracleMove(thought, action_adapter.validate_python(action))


class _Named(BaseModel):
    """A target by an element's name."""

    model_config = ConfigDict(strict=True)

    named: str
    role: str | None = None
    index: int = 0


_script: TypeAdapter[list[dict[str, Any]]] = TypeAdapter(list[dict[str, Any]])


def _check_step(number: int, step: dict[str, Any]) -> None:
    """Raises ValueError."""
    action = {name: value for name, value in step.items() if name != "thought"}
    try:
        if isinstance(action.get("target"), dict) and "named" in action["target"]:
            _Named.model_validate(action["target"])
            action["target"] = {"ref": 1, "tree": 1}
        action_adapter.validate_python(action)
    except ValidationError as error:
        reason = describe_first(error)
        raise ValueError(f"step {number} of the oracle is not an action: {reason}") from error
    if not isinstance(step.get("thought", ""), str):
        raise ValueError(f"step {number} of the oracle: its thought must be text")


def find_ref(observation: Observation, target: dict[str, Any]) -> int | None:
    """The ref of the element with the target's name, or else one whose name begins with it.

    `index` chooses among several, the last one if there are fewer; the first without it.
    """
    lines = parse_tree(observation.tree.text) if observation.tree else []
    role, name = target.get("role"), target["named"]
    candidates = [
        line for line in lines if line.ref is not None and (role is None or line.role == role)
    ]
    exact = [line.ref for line in candidates if line.name == name]
    refs = exact or [line.ref for line in candidates if line.name.startswith(name)]
    return refs[min(target.get("index", 0), len(refs) - 1)] if refs else None
