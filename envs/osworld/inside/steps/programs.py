"""Setup steps that start and arrange programs. They need a whole desktop."""

from __future__ import annotations

import asyncio
import contextlib
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from envs.desktop import windows
from envs.desktop.processes import Completed
from envs.osworld.format.getters import Parameters
from envs.osworld.format.placeholders import fill_placeholders
from envs.osworld.inside.machine import local_path
from envs.osworld.inside.steps.chromium import (
    CLOSE_S,
    LOOK_AGAIN_S,
    close_chromium,
    running_process,
)
from envs.osworld.inside.steps.lenient import NoWindow

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

EXECUTE_S = 120.0
WINDOW_S = 30.0
FIND_S = 5.0
"""For a window to be activated or closed: what was started before has shown its own by then."""
VERIFY_S = 5.0
ASK_S = 5.0
"""How long a browser that shall end may take to close; one with a dialog open does not."""
SETTLE_S, QUIET_S = 5.0, 0.25
MAX_SLEEP_S = 60.0
_OPENERS = {
    ".txt": "mousepad",
    ".md": "mousepad",
    ".csv": "localc",
    ".html": "chromium",
    ".png": "gimp",
    ".jpg": "gimp",
    ".jpeg": "gimp",
    ".mp4": "vlc",
    ".mp3": "vlc",
    ".wav": "vlc",
}
_OFFICE = frozenset({".xlsx", ".xls", ".ods", ".docx", ".doc", ".odt", ".pptx", ".ppt", ".odp"})


_ENDING = frozenset({"killall", "pkill"})
_BROWSER = frozenset({"chrome", "google-chrome"})
"""Names of the browser's process on OSWorld's machines; here it is chromium."""
_TITLES = {
    "Google Chrome": ("Chromium",),
    "GNU Image Manipulation Program": ("GNU Image Manipulation Program", "GIMP"),
    "Terminal": ("Terminal", "lxterminal"),
}
"""What windows are called on OSWorld's machines, and here: GIMP's with a file open, for one."""
_GEDIT = re.compile(r"(.+) \((.+)\) - gedit")
"""Its title: file (folder) - gedit. Here mousepad opens such files, as folder/file - Mousepad."""
_PYTHON = re.compile(r"\bpython3\b")
"""Debian's has no pyautogui; `python` is the one that has."""
_NOT_NEEDED = frozenset({"socat"})
"""Task files forward Chromium's DevTools port with it; here Chromium listens there itself."""


def _command(desktop: Desktop, parameters: Parameters) -> list[str]:
    """The words of a command; with `shell` a list is the line and its arguments."""
    command = parameters["command"]
    words = [
        fill_placeholders(word, desktop)
        for word in ([command] if isinstance(command, str) else command)
    ]
    words = with_our_python(words)
    if parameters.get("shell"):
        return ["/bin/bash", "-c", *words]
    return shlex.split(words[0]) if isinstance(command, str) else words


def with_our_python(words: list[str]) -> list[str]:
    """The words of a command, in which a script that uses pyautogui runs in the Python that has
    it."""
    if not any("pyautogui" in word for word in words):
        return words
    return [_PYTHON.sub("python", word) for word in words]


async def launch(desktop: Desktop, parameters: Parameters) -> None:
    """Starts a program and waits until it shows a window and the screen is quiet. A program that
    ends others is waited for."""
    words = _command(desktop, parameters)
    name = PurePosixPath(words[0]).name
    if name in _NOT_NEEDED:
        return
    if name in _ENDING:
        await _end(desktop, words)
        return
    before = {window.id for window in await desktop.windows()}
    process = await desktop.processes.start(words)
    try:
        await _wait_for_window(desktop, lambda window: window.id not in before)
    except TimeoutError as error:
        if process.returncode:
            raise ChildProcessError(f"{name} ended with code {process.returncode}") from error
        raise NoWindow(f"{name} showed no new window within {WINDOW_S:g} s") from error


async def _end(desktop: Desktop, words: list[str]) -> None:
    """Runs killall or pkill. A browser is closed first, as a person would: a killed one loses the
    settings that it has not written yet. Raises TimeoutError."""
    browser = running_process(desktop) if _BROWSER & set(words) else None
    if browser is not None:
        with contextlib.suppress(TimeoutError):
            await close_chromium(desktop, ASK_S)
    command = ["chromium" if word in _BROWSER else word for word in words]
    await desktop.processes.run(command, EXECUTE_S)
    async with asyncio.timeout(CLOSE_S):
        while browser is not None and browser.exists():
            await asyncio.sleep(LOOK_AGAIN_S)


async def open_file(desktop: Desktop, parameters: Parameters) -> None:
    """Opens a file with the program for its type and waits for a window that names it. Raises
    TimeoutError."""
    path = local_path(desktop, parameters["path"])
    if not path.exists():
        raise FileNotFoundError(parameters["path"])
    suffix = path.suffix.lower()
    program = "soffice" if suffix in _OFFICE else _OPENERS.get(suffix, "xdg-open")
    if path.is_dir():
        program = "pcmanfm"
    before = {window.id: window.title for window in await desktop.windows()}
    await desktop.processes.start([program, str(path)])
    name = PurePosixPath(path).name

    def shows(window: windows.WindowInfo) -> bool:
        new = before.get(window.id) != window.title
        return new and (name in window.title or suffix not in _OFFICE)

    try:
        await _wait_for_window(desktop, shows)
    except TimeoutError as error:
        titles = await _titles(desktop)
        raise TimeoutError(
            f"no window of {name} came within {WINDOW_S:g} s; open are: {titles}"
        ) from error


async def _wait_for_window(desktop: Desktop, matches: Any) -> None:
    async with asyncio.timeout(WINDOW_S):
        while (window := next(filter(matches, await desktop.windows()), None)) is None:
            await asyncio.sleep(0.03)
    # Others draw what further processes send them (pages, prompts), of which no answer tells.
    is_office = window.application.lower().startswith("libreoffice")
    settle = desktop.settle_start if is_office else desktop.settle
    await settle(SETTLE_S, QUIET_S)


async def execute(desktop: Desktop, parameters: Parameters) -> None:
    """Runs a command to its end; with `until` repeats it until its exit status or output match.
    `stdout` and `stderr` name where its last output is stored for the evaluator. Raises
    TimeoutError, FileNotFoundError, PermissionError, ValueError."""
    until = parameters.get("until") or {}
    words = _command(desktop, parameters)
    try:
        async with asyncio.timeout(EXECUTE_S):
            while not _is(completed := await desktop.processes.run(words, EXECUTE_S), until):
                await asyncio.sleep(0.2)
            if completed.timed_out:
                raise TimeoutError
    except TimeoutError as error:
        missed = f"{dict(until)} did not hold" if until else "it did not end"
        raise TimeoutError(f"{words[0]}: {missed} within {EXECUTE_S:g} s") from error
    for stream, output in (("stdout", completed.stdout), ("stderr", completed.stderr)):
        if parameters.get(stream):
            desktop.outputs[parameters[stream]] = output


def _is(done: Completed, until: Mapping[str, Any]) -> bool:
    return (
        until.get("returncode") in (None, done.returncode)
        and (until.get("stdout") or "") in done.stdout
        and (until.get("stderr") or "") in done.stderr
    )


async def execute_with_verification(desktop: Desktop, parameters: Parameters) -> None:
    """Runs a command to its end, then waits until a window exists and another command succeeds.
    Raises TimeoutError."""
    verification = parameters.get("verification") or {}
    await execute(desktop, parameters)
    limit_s = float(parameters.get("max_wait_time", 10))
    try:
        async with asyncio.timeout(limit_s):
            while not await is_verified(
                desktop, verification.get("window_exists"), verification.get("command_success")
            ):
                await asyncio.sleep(float(parameters.get("check_interval", 1)))
    except TimeoutError as error:
        raise TimeoutError(f"{verification} did not hold within {limit_s:g} s") from error


async def is_verified(desktop: Desktop, window: str | None, command: str | None) -> bool:
    """Whether a window has this text in its title, and whether this shell command succeeds."""
    if window is not None:
        titles = [window.title.lower() for window in await desktop.windows()]
        if not any(window.lower() in title for title in titles):
            return False
    if command is not None:
        shell = ["/bin/sh", "-c", fill_placeholders(command, desktop)]
        return (await desktop.processes.run(shell, VERIFY_S)).returncode == 0
    return True


async def sleep(desktop: Desktop, parameters: Parameters) -> None:
    """Waits, MAX_SLEEP_S seconds at most."""
    await asyncio.sleep(min(float(parameters["seconds"]), MAX_SLEEP_S))


async def activate_window(desktop: Desktop, parameters: Parameters) -> None:
    """Gives a window the focus. Raises NoWindow."""
    window = await _window(desktop, parameters)
    await desktop.x.run(lambda: windows.focus(desktop.x11, window.id))
    await desktop.settle(SETTLE_S)


async def close_window(desktop: Desktop, parameters: Parameters) -> None:
    """Closes a window as a person would. Raises NoWindow."""
    window = await _window(desktop, parameters)
    await desktop.x.run(lambda: windows.close(desktop.x11, window.id))
    await desktop.settle(SETTLE_S)


async def _window(desktop: Desktop, parameters: Parameters) -> windows.WindowInfo:
    """Waits for a window, by title or by "instance.Class"; the one on top of several. Raises
    NoWindow."""
    requested: str = parameters["window_name"]
    deadline = asyncio.get_running_loop().time() + FIND_S
    while True:
        if parameters.get("by_class"):
            labels = await desktop.x.run(lambda: windows.by_class(desktop.x11))
        else:
            labels = [(window.title, window) for window in await desktop.windows()]
        matching = _matching(labels, requested, bool(parameters.get("strict")))
        if matching:
            return matching[-1]
        if asyncio.get_running_loop().time() > deadline:
            raise NoWindow(f"there is no window {requested!r}; open are: {await _titles(desktop)}")
        await asyncio.sleep(0.05)


def _matching(
    labels: Sequence[tuple[str, windows.WindowInfo]], requested: str, strict: bool
) -> list[windows.WindowInfo]:
    gedit = _GEDIT.fullmatch(requested)
    if gedit is not None:
        return [window for label, window in labels if f"/{gedit[1]} - Mousepad" in label]
    for name in _TITLES.get(requested, (requested,)):
        exact = [window for label, window in labels if label == name]
        if exact or strict:
            return exact
        part = name.lower()
        matching = [
            window
            for label, window in labels
            if part in label.lower() or part == window.application.lower()
        ]
        if matching:
            return matching
    return []


async def _titles(desktop: Desktop) -> str:
    return ", ".join(window.title for window in await desktop.windows())[:300] or "none"
