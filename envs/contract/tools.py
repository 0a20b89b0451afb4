"""Tools by name. A tool is a typed function; its JSON schema comes from its signature, its
description from its docstring. Arguments are validated, never evaluated.

A tool returns a plain value, or an `ActionResult`; what the caller did wrong is raised as
`ToolError` and read by the policy.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from envs.contract.actions import ActionError, ActionResult
from envs.contract.outcomes import EpisodeFault
from envs.contract.task import Env
from envs.contract.validation import describe_first

log = logging.getLogger(__name__)

ToolFunction = Callable[..., Awaitable[Any]]
DEFAULT_TIMEOUT_S = 9.0
"""An error reaches the policy within 10 seconds."""


class ToolError(Exception):
    """What a tool could not do, in words for the policy."""

    def __init__(self, error: ActionError, message: str) -> None:
        super().__init__(message)
        self.error = error


@dataclass(frozen=True, kw_only=True)
class ToolSpec:
    """`described_by`: the function whose signature and docstring describe the tool, its first
    parameter left out; `extra`: further arguments as (type, default)."""

    name: str
    function: ToolFunction
    described_by: Callable[..., Any]
    timeout_s: float
    gated: bool
    extra: dict[str, Any]

    @property
    def description(self) -> str:
        """What the tool does, from its docstring."""
        return inspect.cleandoc(self.described_by.__doc__ or "")

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """Made when first needed: there are hundreds of tools, and a task calls a few."""
        hints = get_type_hints(self.described_by, include_extras=True)
        parameters = list(inspect.signature(self.described_by).parameters.values())[1:]
        fields: dict[str, Any] = {
            parameter.name: (
                hints[parameter.name],
                ... if parameter.default is parameter.empty else parameter.default,
            )
            for parameter in parameters
        }
        name = self.name.replace(".", "_")
        return create_model(name, __config__=ConfigDict(extra="forbid"), **fields, **self.extra)

    def schema(self) -> dict[str, Any]:
        """As chat APIs want a function: name, description, parameters."""
        return {
            "name": self.name,
            "description": self.description,
            "parameters": self.arguments.model_json_schema(),
        }


class Toolset:
    """The tools of one environment, in the order of their definition. A module makes one and lists
    its functions with `tool`; an environment joins those of its modules."""

    def __init__(self, env: Env, *parts: Toolset) -> None:
        self.env: Env = env
        self._specs: dict[str, ToolSpec] = {}
        for part in parts:
            self._specs.update(part._specs)

    def __contains__(self, name: str) -> bool:
        return name in self._specs

    def tool(
        self, name: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, gated: bool = False
    ) -> Callable[[ToolFunction], ToolFunction]:
        """Decorator that adds `async def f(session, *, typed arguments)` under a name. A `gated`
        tool can do what the desktop's user can (shell, processes): it runs only where the host
        allows it."""

        def add(function: ToolFunction) -> ToolFunction:
            self.add(name, function, function, timeout_s=timeout_s, gated=gated)
            return function

        return add

    def add(
        self,
        name: str,
        function: ToolFunction,
        described_by: Callable[..., Any],
        *,
        timeout_s: float = DEFAULT_TIMEOUT_S,
        gated: bool = False,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        """Adds `function`, described by another; see `ToolSpec`."""
        self._specs[name] = ToolSpec(
            name=name,
            function=function,
            described_by=described_by,
            timeout_s=timeout_s,
            gated=gated,
            extra=dict(extra or {}),
        )

    def schemas(self, gated: bool = True) -> list[dict[str, Any]]:
        """Of all tools; `gated` False leaves out those that a host must allow first."""
        return [spec.schema() for spec in self._specs.values() if gated or not spec.gated]

    async def call(
        self, name: str, arguments: dict[str, Any], session: Any, allow_gated: bool = False
    ) -> ActionResult:
        """Wrong arguments are a result the policy reads, naming the argument. Raises KeyError for
        a name that is not in the set."""
        spec = self._specs[name]
        if spec.gated and not allow_gated:
            message = f"{name} is not allowed on this host (start it with --allow-shell)"
            return ActionResult.failure(ActionError.NOT_ALLOWED, message)
        try:
            checked = spec.arguments.model_validate(arguments)
            values = {key: getattr(checked, key) for key in type(checked).model_fields}
            async with asyncio.timeout(spec.timeout_s):
                value = await spec.function(session, **values)
            return value if isinstance(value, ActionResult) else ActionResult.success(value)
        except ValidationError as error:
            message = f"{name}: {describe_first(error, 'arguments')}"[:200]
            return ActionResult.failure(ActionError.TOOL_ARGUMENTS, message)
        except ToolError as error:
            return ActionResult.failure(error.error, str(error)[:500])
        except TimeoutError:
            message = f"{name} did not end within {spec.timeout_s:g} s"
            return ActionResult.failure(ActionError.TOOL_FAILED, message)
        except Exception as error:
            if self.env == "browser" or isinstance(error, EpisodeFault):
                raise
            # Programs fail in ways that nobody foresaw: the tool failed, not the episode.
            log.exception("the tool %s failed", name)
            message = f"{name}: {type(error).__name__}: {error}"[:300]
            return ActionResult.failure(ActionError.TOOL_FAILED, message)
