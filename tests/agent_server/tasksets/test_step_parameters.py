"""Parameters of setup steps: wrong ones are refused, unknown ones allowed."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from agent_server.tasksets.step_parameters import PARAMETERS


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("execute", {"command": []}),
        ("execute", {"command": ["ls", 3]}),
        ("download", {"files": [{"url": "ftp://a/b", "path": "/c"}]}),
        ("download", {"files": [{"url": "https://a/b"}]}),
        ("sleep", {"seconds": -1}),
        ("activate_window", {"window_name": ""}),
        ("open", {}),
    ],
)
def test_wrong_parameters_are_refused(kind: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        PARAMETERS[kind].model_validate(parameters)


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("launch", {"command": "gimp", "shell": "true", "colour": 1}),
        ("sleep", {"seconds": "0.5"}),
        ("command", {"command": ["ls"], "until": {"returncode": 0}}),
    ],
)
def test_numbers_as_text_and_unknown_names_are_allowed(
    kind: str, parameters: dict[str, Any]
) -> None:
    PARAMETERS[kind].model_validate(parameters)
