"""The X clipboard. X has no place for it: a program (xclip) keeps it until another takes over."""

from __future__ import annotations

from envs.contract.actions import ActionError
from envs.contract.tools import ToolError
from envs.desktop.processes import Processes

TIMEOUT_S = 3.0


async def read(processes: Processes) -> str:
    """Text of the clipboard, empty when it holds none. Raises ToolError when its owner hangs."""
    command = ["xclip", "-selection", "clipboard", "-out", "-target", "UTF8_STRING"]
    done = await processes.run(command, TIMEOUT_S)
    if done.timed_out:
        raise ToolError(ActionError.TOOL_FAILED, "the program that holds the clipboard is hanging")
    return done.stdout if done.returncode == 0 else ""


async def write(processes: Processes, text: str) -> None:
    """Raises ToolError."""
    command = ["xclip", "-selection", "clipboard", "-in"]
    done = await processes.run(command, TIMEOUT_S, stdin=text.encode())
    if done.returncode != 0:
        raise ToolError(ActionError.TOOL_FAILED, f"the clipboard took nothing: {done.stderr[:100]}")
