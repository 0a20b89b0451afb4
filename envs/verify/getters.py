"""Getters: what an evaluator may look at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.desktop.home import content_hashes
from envs.verify.machine import Machine, located, regular
from envs.verify.registry import Ending, getter

COMMAND_S = 30.0


@getter("vm_file")
async def vm_file(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Any:
    """Path of a file of the machine; with `multi`, a list of them. OSWorld's `dest` is not needed:
    files are judged where they are."""
    paths = given["path"] if given.get("multi") else [given["path"]]
    found = [regular(located(machine, path)) for path in paths]
    return found if given.get("multi") else found[0]


@getter("rule")
async def rule(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Any:
    """What the task file itself says."""
    return given["rules"]


@getter("vm_command_line")
async def vm_command_line(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> str:
    """Standard output of a command."""
    command = given["command"]
    argv = ["/bin/bash", "-c", command] if isinstance(command, str) else list(command)
    return (await machine.processes.run(argv, COMMAND_S)).stdout


@getter("vm_command_error")
async def vm_command_error(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> str:
    """Error output of a command."""
    command = given["command"]
    argv = ["/bin/bash", "-c", command] if isinstance(command, str) else list(command)
    return (await machine.processes.run(argv, COMMAND_S)).stderr


@getter("list_directory")
async def list_directory(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> dict[str, list[str]]:
    """Names in a folder: {"files": [...], "folders": [...]}."""
    folder = located(machine, given["path"])
    if not folder.is_dir():
        raise FileNotFoundError(given["path"])
    entries = sorted(folder.iterdir())
    return {
        "files": [entry.name for entry in entries if not entry.is_dir()],
        "folders": [entry.name for entry in entries if entry.is_dir()],
    }


@getter("answer")
async def answer(machine: Machine, ending: Ending, given: Mapping[str, Any]) -> str:
    """What the agent said when it was done."""
    return (ending.answer or "").strip()


@getter("home_changes")
async def home_changes(
    machine: Machine, ending: Ending, given: Mapping[str, Any]
) -> dict[str, list[str]]:
    """Files of the home folder that were added, changed or removed since the task began. Settings
    (names that begin with a dot) and office lock files are left out."""
    before, after = machine.baseline, content_hashes(machine.home)
    return {
        "added": sorted(after.keys() - before.keys()),
        "changed": sorted(p for p in after.keys() & before.keys() if after[p] != before[p]),
        "removed": sorted(before.keys() - after.keys()),
    }
