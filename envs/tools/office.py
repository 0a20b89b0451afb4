"""The office tools as tools of a desktop: schemas from the functions that run in the bridge."""

from __future__ import annotations

from typing import Any, Protocol

from envs.office import load_tools
from envs.office.registry import TOOLS
from envs.tools.registry import ToolFunction, add_tool


class Office(Protocol):
    async def call(self, name: str, arguments: dict[str, Any]) -> Any: ...


class HasOffice(Protocol):
    """What these tools need of a desktop."""

    @property
    def office(self) -> Office: ...


def _caller(name: str) -> ToolFunction:
    async def call(desktop: HasOffice, **arguments: Any) -> Any:
        if arguments.get("document", "") is None:
            del arguments["document"]
        return await desktop.office.call(name, arguments)

    return call


def register() -> None:
    """Adds every office tool; those on one document get a `document` argument."""
    load_tools()
    for name, found in TOOLS.items():
        extra: dict[str, Any] = {} if found.kind == "office" else {"document": (str | None, None)}
        add_tool(
            name, "desktop", _caller(name), found.function, timeout_s=found.timeout_s + 1, **extra
        )


register()
