"""The office tools as tools of a desktop: schemas from the functions that run in the bridge."""

from __future__ import annotations

from typing import Any, Protocol

from envs.apps.office.bridge.catalog import TOOLS as OFFICE_TOOLS
from envs.apps.office.registry import OfficeTool
from envs.contract.tools import ToolFunction, Toolset


class Office(Protocol):
    async def call(
        self, name: str, arguments: dict[str, Any], *, kind: str, timeout_s: float
    ) -> Any: ...


class HasOffice(Protocol):
    """What these tools need of a desktop."""

    @property
    def office(self) -> Office: ...


def _make_call(tool: OfficeTool) -> ToolFunction:
    async def call(desktop: HasOffice, **arguments: Any) -> Any:
        if arguments.get("document", "") is None:
            del arguments["document"]
        return await desktop.office.call(
            tool.name, arguments, kind=tool.kind, timeout_s=tool.timeout_s
        )

    return call


def _make_toolset() -> Toolset:
    toolset = Toolset("desktop")
    for name, tool in OFFICE_TOOLS.items():
        # Tools on a document get one more argument, which names it.
        extra = None if tool.kind == "office" else {"document": (str | None, None)}
        toolset.add(
            name, _make_call(tool), tool.function, timeout_s=tool.timeout_s + 1, extra=extra
        )
    return toolset


TOOLS = _make_toolset()
