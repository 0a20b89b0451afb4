"""Setup steps that start and arrange programs: they need a whole desktop."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shlex
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from envs.desktop import windows
from envs.desktop.processes import Completed
from envs.verify.machine import located
from envs.verify.placeholders import filled
from envs.verify.setup import step
from envs.verify.steps.chromium import (
    CLOSE_S,
    LOOK_AGAIN_S,
    close_chromium,
    running_process,
)

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

EXECUTE_S = 120.0
WINDOW_S = 30.0
VERIFY_S = 5.0
ASK_S = 5.0
"""How long a browser that shall end may take to close; one with a dialog open does not."""
SETTLE_S, QUIET_S = 5.0, 0.25
MAX_SLEEP_S = 60.0
_OPENERS = {
    ".txt": "mousepad", ".md": "mousepad", ".csv": "localc", ".html": "chromium",
    ".png": "gimp", ".jpg": "gimp", ".jpeg": "gimp", ".mp4": "vlc", ".mp3": "vlc", ".wav": "vlc",
}  # fmt: skip
_OFFICE = frozenset({".xlsx", ".xls", ".ods", ".docx", ".doc", ".odt", ".pptx", ".ppt", ".odp"})


_ENDING = frozenset({"killall", "pkill"})
_BROWSER = frozenset({"chrome", "google-chrome"})
"""Names of the browser's process on OSWorld's machines; here it is chromium."""
_TITLES = {"Google Chrome": "Chromium"}
"""What windows are called on OSWorld's machines, and here."""
_PYTHON = re.compile(r"\bpython3\b")
"""Debian's has no pyautogui; `python` is the one that has."""
_NOT_NEEDED = frozenset({"socat"})
"""Task files forward Chromium's DevTools port with it; here Chromium listens there itself."""


def _command(desktop: Desktop, given: Mapping[str, Any]) -> list[str]:
    """A list for a shell is, as everywhere, its line and the line's arguments."""
    command = given["command"]
    words = [filled(word, desktop) for word in ([command] if isinstance(command, str) else command)]
    if any("pyautogui" in word for word in words):
        words = [_PYTHON.sub("python", word) for word in words]
    if given.get("shell"):
        return ["/bin/bash", "-c", *words]
    return shlex.split(words[0]) if isinstance(command, str) else words


@step("launch")
async def launch(desktop: Desktop, given: Mapping[str, Any]) -> None:
    """Starts a program and waits until a window of it is there and quiet; one that ends others is
    waited for itself."""
    words = _command(desktop, given)
    name = PurePosixPath(words[0]).name
    if name in _NOT_NEEDED:
        return
    if name in _ENDING:
        await _end(desktop, words)
        return
    before = {window.id for window in await desktop.windows()}
    await desktop.processes.start(words)
    await _until_window(desktop, lambda found: found.id not in before)


async def _end(desktop: Desktop, words: list[str]) -> None:
    """A browser that is meant is closed first, as a person would: told to end, it forgets what it
    was to write within the next seconds. Raises TimeoutError."""
    browser = running_process(desktop) if _BROWSER & set(words) else None
    if browser is not None:
        with contextlib.suppress(TimeoutError):
            await close_chromium(desktop, ASK_S)
    here = ["chromium" if word in _BROWSER else word for word in words]
    await desktop.processes.run(here, EXECUTE_S)
    async with asyncio.timeout(CLOSE_S):
        while browser is not None and browser.exists():
            await asyncio.sleep(LOOK_AGAIN_S)


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
    """A command to its end; with `until`, again until its code or output is as said. `stdout` and
    `stderr` name what is kept of its last output for the evaluator. Raises TimeoutError."""
    until = given.get("until") or {}
    words = _command(desktop, given)
    async with asyncio.timeout(EXECUTE_S):
        while not _is(done := await desktop.processes.run(words, EXECUTE_S), until):
            await asyncio.sleep(0.2)
    if done.timed_out:
        raise TimeoutError(f"{words[0]} did not end within {EXECUTE_S:g} s")
    for stream, said in (("stdout", done.stdout), ("stderr", done.stderr)):
        if given.get(stream):
            desktop.outputs[given[stream]] = said


def _is(done: Completed, until: Mapping[str, Any]) -> bool:
    return (
        until.get("returncode") in (None, done.returncode)
        and (until.get("stdout") or "") in done.stdout
        and (until.get("stderr") or "") in done.stderr
    )


@step("execute_with_verification")
async def execute_with_verification(desktop: Desktop, given: Mapping[str, Any]) -> None:
    """A command to its end, then a wait until a window is there and another command succeeds.
    Raises TimeoutError."""
    wanted = given.get("verification") or {}
    await execute(desktop, given)
    async with asyncio.timeout(float(given.get("max_wait_time", 10))):
        while not await verified(
            desktop, wanted.get("window_exists"), wanted.get("command_success")
        ):
            await asyncio.sleep(float(given.get("check_interval", 1)))


async def verified(desktop: Desktop, window: str | None, command: str | None) -> bool:
    """Whether a window has this in its title, and this shell command succeeds."""
    if window is not None:
        titles = [shown.title.lower() for shown in await desktop.windows()]
        if not any(window.lower() in title for title in titles):
            return False
    if command is not None:
        shell = ["/bin/sh", "-c", filled(command, desktop)]
        return (await desktop.processes.run(shell, VERIFY_S)).returncode == 0
    return True


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
    name = _TITLES.get(given["window_name"], given["window_name"])
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
