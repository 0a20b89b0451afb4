"""OSWorld's calls on windows: sizes, activate, close, open a file and wait for its window.

Guarantees: a call says what came of it: a window that is not there, does not come to the front or
does not close is a failure with the reason; every wait is bounded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from pydantic import Field

from envs.desktop import windows
from envs.desktop.desktop import Desktop
from envs.desktop.windows import WindowInfo
from envs.host.osworld_commands import Body
from envs.host.osworld_files import PathBody, resolve_path
from envs.host.osworld_refusal import Refused
from envs.osworld.inside.steps import programs

CHANGE_S = 5.0
EVERY_S = 0.03


class WindowBody(Body):
    """Which window is meant, by name or class."""

    window_name: str = Field(min_length=1)
    strict: bool = False
    by_class: bool = False


async def window_size(desktop: Desktop, form: dict[str, str]) -> dict[str, Any]:
    """Width and height of a window."""
    name = form.get("app_class_name", "")
    window = await _find(desktop, WindowBody(window_name=name or " ", by_class=True))
    return {"width": window.width, "height": window.height}


async def activate(desktop: Desktop, call: WindowBody) -> str:
    """Focuses a window."""
    window = (await _find(desktop, call)).id
    await desktop.x.run(lambda: windows.focus(desktop.x11, window))
    if not await _until(desktop, lambda shown: any(w.id == window and w.active for w in shown)):
        raise Refused(500, f"{call.window_name[:200]!r} did not come to the front")
    return "Window activated successfully"


async def close(desktop: Desktop, call: WindowBody) -> str:
    """Closes a window."""
    window = (await _find(desktop, call)).id
    await desktop.x.run(lambda: windows.close(desktop.x11, window))
    if not await _until(desktop, lambda shown: all(w.id != window for w in shown)):
        raise Refused(500, f"{call.window_name[:200]!r} is still open; it may ask what to save")
    return "Window closed successfully"


async def open_file(desktop: Desktop, call: PathBody) -> str:
    """With the program for its kind, until its window is there and quiet."""
    file = resolve_path(desktop, call.path)
    if not file.exists():
        raise Refused(404, f"there is no file {file}")
    try:
        await programs.open_file(desktop, {"path": str(file)})
    except TimeoutError as error:
        raise Refused(504, f"no window of {file.name} appeared in time") from error
    return "File opened successfully"


async def _find(desktop: Desktop, call: WindowBody) -> WindowInfo:
    """The topmost; by title or by "instance.Class". Raises Refused."""

    def list_labels() -> list[tuple[str, WindowInfo]]:
        if call.by_class:
            return windows.by_class(desktop.x11)
        return [(window.title, window) for window in windows.list_windows(desktop.x11)]

    labels = await desktop.x.run(list_labels)
    name = call.window_name
    for label, window in reversed(labels):
        if label == name or (not call.strict and name.lower() in label.lower()):
            return window
    there = ", ".join(label for label, _ in labels) or "none"
    raise Refused(404, f"there is no window {name[:200]!r}; there are: {there}"[:1000])


async def _until(desktop: Desktop, so: Callable[[list[WindowInfo]], bool]) -> bool:
    deadline = asyncio.get_running_loop().time() + CHANGE_S
    while asyncio.get_running_loop().time() < deadline:
        if so(await desktop.windows()):
            return True
        await asyncio.sleep(EVERY_S)
    return False
