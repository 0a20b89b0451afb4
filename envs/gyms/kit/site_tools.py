"""API tools of the gyms' apps: typed functions on an app's state, by the app's own rules.

    @site_tool("billing.find_invoices")
    def find_invoices(here: Tools, text: str) -> list[dict[str, Any]]:
        '''Invoices whose number or customer contains the text.'''

Guarantees: what a tool refuses changes nothing and is told; schema and description come from the
signature and the docstring; they run in the gym server, which owns the state.
"""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, get_type_hints

from pydantic import BaseModel, ConfigDict, ValidationError, create_model

from envs.contract.validation import describe_first
from envs.gyms.kit.locale import Locale
from envs.gyms.kit.world import W
from envs.gyms.server.gym import NotFound, Refused, State

LogEvent = Callable[[str], None]


def ignore_event(event: str) -> None:
    """For calls outside of a session."""


@dataclass(frozen=True, slots=True)
class ToolContext(Generic[W]):
    """What a tool gets: its app's part of the state, in a world. `log_event` records what the tool
    shows, as a page's does."""

    world: W
    state: State
    log_event: LogEvent = ignore_event

    @property
    def locale(self) -> Locale:
        """How the world writes dates and money."""
        return self.world.locale


@dataclass(frozen=True)
class SiteTool:
    """A tool under its public name, "<app>.<verb>"."""

    name: str
    function: Callable[..., Any]

    @property
    def app(self) -> str:
        """The name of its app."""
        return self.name.partition(".")[0]

    @cached_property
    def arguments(self) -> type[BaseModel]:
        """A model of its parameters, made from the signature."""
        hints = get_type_hints(self.function)
        fields: dict[str, Any] = {
            parameter.name: (
                hints[parameter.name],
                ... if parameter.default is parameter.empty else parameter.default,
            )
            for parameter in list(inspect.signature(self.function).parameters.values())[1:]
        }
        name = self.name.replace(".", "_")
        return create_model(name, __config__=ConfigDict(extra="forbid"), **fields)

    def schema(self) -> dict[str, Any]:
        """Name, description and JSON schema of the parameters, as a policy is told them."""
        return {
            "name": self.name,
            "description": inspect.cleandoc(self.function.__doc__ or ""),
            "parameters": self.arguments.model_json_schema(),
        }

    def call(
        self,
        world: Any,
        state: State,
        arguments: dict[str, Any],
        log_event: LogEvent = ignore_event,
    ) -> Any:
        """The tool's value; `state` is the app's part and changes only if all went well. Raises
        Refused, whose words are the agent's to read, and whose event is logged."""
        try:
            checked = self.arguments.model_validate(arguments)
        except ValidationError as error:
            raise Refused(f"{self.name}: {describe_first(error, 'arguments')}"[:200]) from error
        values = {key: getattr(checked, key) for key in type(checked).model_fields}
        changed_state, events = copy.deepcopy(state), list[str]()
        try:
            value = self.function(ToolContext(world, changed_state, events.append), **values)
            state.clear()
            state.update(changed_state)
        except Refused as refusal:
            if refusal.event is not None:
                events.append(refusal.event)
            raise
        except NotFound as missing:
            raise Refused(str(missing)) from missing
        finally:
            for event in events:  # the log may be part of the state that was put in place
                log_event(event)
        return value


def site_tool(name: str) -> Callable[[Callable[..., Any]], SiteTool]:
    """Makes a tool of a function; an App lists its tools."""
    return lambda function: SiteTool(name, function)
