"""Programs of the desktop that a tool asks, with what they said as the tool's error."""

from __future__ import annotations

from envs.contract.actions import ActionError
from envs.contract.tools import ToolError
from envs.desktop.desktop import Desktop

COMMAND_S = 8.0


async def run_command(
    desktop: Desktop, *command: str, failure: ActionError = ActionError.TOOL_FAILED
) -> str:
    """What it printed. Raises ToolError(failure)."""
    done = await desktop.processes.run(command, COMMAND_S)
    if done.returncode != 0 or done.timed_out:
        message = done.stderr.strip() or f"{command[0]} failed"
        raise ToolError(failure, message[:300])
    return done.stdout
