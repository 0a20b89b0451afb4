"""What an office tool is, and how a module lists its own; standard library only.

A tool is `def f(doc, *, typed arguments) -> JSON value` with a name such as "calc.set_cell". `doc`
is a UNO model of the tool's kind: the document that the call's `document` argument means (path,
file name or title), or else the one that had the focus last. A mistake of the caller is raised as
`OfficeError`, which says what is wrong and what there is instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["calc", "writer", "impress", "office"]
"""Kind "office" takes the `Office` itself: tools that open, list and close documents."""

Reason = Literal["not_found", "bad_value", "tool_failed", "not_allowed"]

Function = Callable[..., Any]

DEFAULT_TIMEOUT_S = 8.0


class OfficeError(Exception):
    """Why a call was refused or failed; the policy reads both parts."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason


@dataclass(frozen=True, kw_only=True)
class OfficeTool:
    """A call that takes longer than `timeout_s` is given up, and the bridge process with it."""

    name: str
    kind: Kind
    function: Function
    timeout_s: float


class ToolGroup:
    """The tools of one module, in the order of their definition."""

    def __init__(self, kind: Kind) -> None:
        self._kind: Kind = kind
        self._tools: list[OfficeTool] = []

    def tool(
        self, name: str, *, kind: Kind | None = None, timeout_s: float = DEFAULT_TIMEOUT_S
    ) -> Callable[[Function], Function]:
        """Decorator that adds a function; `kind`: another one than the group's."""

        def add(function: Function) -> Function:
            self._tools.append(
                OfficeTool(
                    name=name, kind=kind or self._kind, function=function, timeout_s=timeout_s
                )
            )
            return function

        return add

    def __iter__(self) -> Iterator[OfficeTool]:
        return iter(self._tools)
