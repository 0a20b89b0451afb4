"""Getters of what commands print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.desktop.processes import Completed
from envs.verify.machine import Machine
from envs.verify.registry import Ending, getter

COMMAND_S = 30.0


@getter("vm_command_line")
async def vm_command_line(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> str:
    """Standard output of a command. One text is a line for a shell; of a list with `shell`, the
    first word is the line and the others are its arguments."""
    return (await _run(machine, given)).stdout


@getter("vm_command_error")
async def vm_command_error(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> str:
    """Error output of a command, given as to vm_command_line."""
    return (await _run(machine, given)).stderr


async def _run(machine: Machine, given: Mapping[str, Any]) -> Completed:
    command = given["command"]
    words = [command] if isinstance(command, str) else list(command)
    shell = isinstance(command, str) or given.get("shell")
    return await machine.processes.run(["/bin/bash", "-c", *words] if shell else words, COMMAND_S)
