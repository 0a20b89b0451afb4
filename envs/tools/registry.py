"""Tools by name. A tool is a typed async function; its JSON schema comes from its signature, its
description from its docstring. Arguments are validated, never evaluated.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from envs.actions import ActionError, ActionResult

ToolFunction = Callable[..., Awaitable[ActionResult]]


@dataclass(frozen=True, slots=True)
class ToolSpec:
    name: str
    description: str
    arguments: type[BaseModel]
    function: ToolFunction

    def schema(self) -> dict[str, Any]:
        """As chat APIs want a function: name, description, parameters."""
        return {
            "name": self.name,
            "description": self.description,
            "parameters": self.arguments.model_json_schema(),
        }


_TOOLS: dict[str, ToolSpec] = {}


def tool(name: str) -> Callable[[ToolFunction], ToolFunction]:
    """Registers `async def f(session, *, typed arguments) -> ActionResult` under a name."""

    def register(function: ToolFunction) -> ToolFunction:
        hints = get_type_hints(function)
        parameters = list(inspect.signature(function).parameters.values())[1:]
        fields: dict[str, Any] = {
            parameter.name: (
                hints[parameter.name],
                ... if parameter.default is parameter.empty else parameter.default,
            )
            for parameter in parameters
        }
        arguments = create_model(
            name.replace(".", "_"), __config__=ConfigDict(extra="forbid"), **fields
        )
        description = inspect.cleandoc(function.__doc__ or "")
        _TOOLS[name] = ToolSpec(name, description, arguments, function)
        return function

    return register


def is_tool(name: str) -> bool:
    return name in _TOOLS


def list_tools() -> list[dict[str, Any]]:
    return [spec.schema() for spec in _TOOLS.values()]


async def call_tool(name: str, arguments: dict[str, Any], session: Any) -> ActionResult:
    """Wrong arguments are a result the policy reads, naming the argument."""
    spec = _TOOLS[name]
    try:
        checked = spec.arguments.model_validate(arguments)
        values = {key: getattr(checked, key) for key in type(checked).model_fields}
        return await spec.function(session, **values)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "arguments"
        message = f"{name}: {where}: {first['msg']}"[:200]
        return ActionResult.failure(ActionError.TOOL_ARGUMENTS, message)
