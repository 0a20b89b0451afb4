"""Names, kinds and functions of the office tools; standard library only.

A tool is `def f(doc, *, typed arguments) -> JSON value`, registered under "calc.set_cell" and the
like. `doc` is a UNO model of the tool's kind: the document named by the call's `document` argument
(path, file name or title), or else the one that had the focus last. A mistake of the caller is an
`OfficeError`: it says what was wrong and what there is instead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["calc", "writer", "impress", "office"]
"""Kind "office" takes the Office itself: tools that open, list and close documents."""

Reason = Literal["not_found", "bad_value", "tool_failed", "not_allowed"]


class OfficeError(Exception):
    """Why a call was refused or failed; the policy reads both parts."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason


@dataclass(frozen=True)
class OfficeTool:
    name: str
    kind: Kind
    function: Callable[..., Any]
    timeout_s: float


TOOLS: dict[str, OfficeTool] = {}

Function = Callable[..., Any]


def office_tool(name: str, kind: Kind, timeout_s: float = 8.0) -> Callable[[Function], Function]:
    """Registers a function; `timeout_s` bounds the call, after which the bridge is restarted."""

    def register(function: Function) -> Function:
        TOOLS[name] = OfficeTool(name, kind, function, timeout_s)
        return function

    return register
