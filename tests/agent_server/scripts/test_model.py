"""Scripts that could not be replayed cannot be written."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from agent_server.scripts.make import make_script
from agent_server.scripts.model import Script
from tests.agent_server.scripts.recorded import TASK, record

WHOLE = make_script("phone", TASK, record()).model_dump(mode="json")
BUTTON = [{"role": "button", "name": "Go"}]


def steps(action: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"steps": [{"action": action, **more}]}


CLICK = {"type": "click"}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"parameters": []}, r"there is no parameter \{phone\}"),
        (steps({"type": "explode"}), "steps.0: bad action"),
        (steps({"type": "set_value", "value": "x"}), "target"),
        (steps({"type": "wait", "ms": 1}, target=BUTTON), "acts on no element"),
        (steps(CLICK, target=BUTTON, onto=BUTTON), "onto"),
        (steps({"type": "click", "target": {"x": 1, "y": 1}}), "elements stand"),
        (steps(CLICK, target=[{"role": "a", "nth": 3, "of": 2}]), "nth"),
        ({"end": {"kind": "read"}}, "say either"),
        ({"name": "../x"}, "pattern"),
        ({"more": 1}, "Extra"),
    ],
)  # fmt: skip
def test_faults_are_named(change: dict[str, Any], why: str) -> None:
    with pytest.raises(ValidationError, match=why):
        Script.model_validate(WHOLE | change)


def test_a_script_is_its_json() -> None:
    assert Script.model_validate_json(Script.model_validate(WHOLE).model_dump_json()).steps
