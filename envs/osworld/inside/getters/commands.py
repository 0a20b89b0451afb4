"""Getters of what commands print."""

from __future__ import annotations

from envs.desktop.processes import Completed
from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.inside.machine import Machine

COMMAND_S = 30.0


async def vm_command_line(machine: Machine, ending: Ending, parameters: Parameters) -> str:
    """Standard output of a command. A text is a line for a shell; in a list with `shell` the first
    word is the line and the others are its arguments."""
    return (await _run(machine, parameters)).stdout


async def vm_command_error(machine: Machine, ending: Ending, parameters: Parameters) -> str:
    """Error output of a command, given as to vm_command_line."""
    return (await _run(machine, parameters)).stderr


async def _run(machine: Machine, parameters: Parameters) -> Completed:
    command = parameters["command"]
    words = [command] if isinstance(command, str) else list(command)
    shell = isinstance(command, str) or parameters.get("shell")
    return await machine.processes.run(["/bin/bash", "-c", *words] if shell else words, COMMAND_S)
