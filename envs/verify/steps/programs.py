"""Setup steps that start and arrange programs: they need a whole desktop."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from envs.desktop import windows
from envs.desktop.processes import Completed
from envs.verify.machine import located
from envs.verify.setup import step

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

EXECUTE_S = 60.0
WINDOW_S = 30.0
SETTLE_S, QUIET_S = 5.0, 0.25
MAX_SLEEP_S = 60.0
_OPENERS = {
    ".txt": "mousepad", ".md": "mousepad", ".csv": "localc", ".html": "chromium",
    ".png": "gimp", ".jpg": "gimp", ".jpeg": "gimp", ".mp4": "vlc", ".mp3": "vlc", ".wav": "vlc",
}  # fmt: skip
_OFFICE = frozenset({".xlsx", ".xls", ".ods", ".docx", ".doc", ".odt", ".pptx", ".ppt", ".odp"})


def _command(given: Mapping[str, Any]) -> list[str]:
    command = given["command"]
    if given.get("shell"):
        return ["/bin/bash", "-c", command if isinstance(command, str) else shlex.join(command)]
    return shlex.split(command) if isinstance(command, str) else list(command)


@step("launch")
async def launch(desktop: Desktop, given: Mapping[str, Any]) -> None:
    """Starts a program and waits until a window of it is there and quiet."""
    before = {window.id for window in await desktop.windows()}
    await desktop.processes.start(_command(given))
    await _until_window(desktop, lambda found: found.id not in before)


@step("open")
async def open_file(desktop: Desktop, given: Mapping[str, Any]) -> None:
    """Opens a file with the program for its kind; the window must name it. Bounded."""
    path = located(desktop, given["path"])
    if not path.exists():
        raise FileNotFoundError(given["path"])
    suffix = path.suffix.lower()
    program = "soffice" if suffix in _OFFICE else _OPENERS.get(suffix, "xdg-open")
    if path.is_dir():
        program = "pcmanfm"
    before = {window.id: window.title for window in await desktop.windows()}
    await desktop.processes.start([program, str(path)])
    name = PurePosixPath(path).name

    def shows(found: windows.WindowInfo) -> bool:
        new = before.get(found.id) != found.title
        return new and (name in found.title or suffix not in _OFFICE)

    await _until_window(desktop, shows)


async def _until_window(desktop: Desktop, wanted: Any) -> None:
    async with asyncio.timeout(WINDOW_S):
        while not any(wanted(found) for found in await desktop.windows()):
            await asyncio.sleep(0.03)
    await desktop.settle(SETTLE_S, QUIET_S)


@step("execute")
@step("command")
async def execute(desktop: Desktop, given: Mapping[str, Any]) -> None:
    """A command to its end; with `until`, again until its code or output is as said."""
    until = given.get("until") or {}
    async with asyncio.timeout(EXECUTE_S):
        while True:
            done = await desktop.processes.run(_command(given), EXECUTE_S)
            if _is(done, until):
                return
            await asyncio.sleep(0.2)


def _is(done: Completed, until: Mapping[str, Any]) -> bool:
    return (
        ("returncode" not in until or done.returncode == until["returncode"])
        and ("stdout" not in until or until["stdout"] in done.stdout)
        and ("stderr" not in until or until["stderr"] in done.stderr)
    )


@step("sleep")
async def sleep(desktop: Desktop, given: Mapping[str, Any]) -> None:
    await asyncio.sleep(min(float(given["seconds"]), MAX_SLEEP_S))


@step("activate_window")
async def activate_window(desktop: Desktop, given: Mapping[str, Any]) -> None:
    window = await _window(desktop, given)
    await desktop.x.run(lambda: windows.focus(desktop.x11, window.id))
    await desktop.settle(SETTLE_S)


@step("close_window")
async def close_window(desktop: Desktop, given: Mapping[str, Any]) -> None:
    window = await _window(desktop, given)
    await desktop.x.run(lambda: windows.close(desktop.x11, window.id))
    await desktop.settle(SETTLE_S)


async def _window(desktop: Desktop, given: Mapping[str, Any]) -> windows.WindowInfo:
    """By title, or by class; waits for it. Raises TimeoutError."""
    name = given["window_name"]
    async with asyncio.timeout(WINDOW_S):
        while True:
            shown = await desktop.windows()
            if given.get("by_class"):
                found = [one for one in shown if one.application == name]
            elif given.get("strict"):
                found = [one for one in shown if one.title == name]
            else:
                found = windows.find_window(shown, name)
            if found:
                return found[-1]
            await asyncio.sleep(0.05)
