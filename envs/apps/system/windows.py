"""Windows, clipboard, pictures of the screen, text of the terminal, opening files and addresses.

Guarantees: a change of a window has happened when its tool answers, or the answer says that it has
not; files are only read and written where `envs.apps.files.paths` allows it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from envs.apps.files import paths
from envs.apps.files.file_tools import on_files, replace
from envs.apps.system import focus as showing
from envs.contract.actions import ActionError
from envs.contract.observations import ScreenshotRequest
from envs.contract.tools import ToolError, Toolset
from envs.desktop import clipboard, windows
from envs.desktop.desktop import Desktop
from envs.desktop.screen import encode
from envs.desktop.windows import WindowInfo

TOOLS = Toolset("desktop")


CHANGE_S = 3.0
OPEN_S = 8.0
ROUNDED_PX = 32
"""Terminals have whole characters, frames take their part."""
MAX_LINES = 500
MAX_CLIPBOARD = 100_000
SCHEMES = ("http", "https", "mailto")
_MOVE_RESIZE = 1 << 8 | 1 << 9 | 1 << 10 | 1 << 11 | 2 << 12
"""_NET_MOVERESIZE_WINDOW: x, y, width and height are given, by a pager."""


@TOOLS.tool("windows.list")
async def list_windows(desktop: Desktop) -> list[dict[str, Any]]:
    """Windows from back to front: title, application, place and size in pixels, whether active or
    minimized."""
    return [asdict(window) for window in await desktop.windows()]


@TOOLS.tool("windows.focus")
async def focus(desktop: Desktop, window: str) -> dict[str, Any]:
    """Brings a window to the front, by its title, a part of it, or its application."""
    target = await showing.window(desktop, window)
    await desktop.x.run(lambda: windows.focus(desktop.x11, target.id))
    return await _after(desktop, target, lambda now: now.active and not now.minimized)


@TOOLS.tool("windows.close")
async def close(desktop: Desktop, window: str) -> dict[str, Any]:
    """Closes a window as its close button does. `closed` is false when the program asks back."""
    target = await showing.window(desktop, window)
    await desktop.x.run(lambda: windows.close(desktop.x11, target.id))
    deadline = asyncio.get_running_loop().time() + CHANGE_S
    while asyncio.get_running_loop().time() < deadline:
        shown = await desktop.windows()
        if all(item.id != target.id for item in shown):
            return {"closed": True}
        if any(item.active and item.id != target.id and item.pid == target.pid for item in shown):
            break
        await asyncio.sleep(showing.EVERY_S)
    active = next((item.title for item in await desktop.windows() if item.active), "")
    return {"closed": False, "active": active}


@TOOLS.tool("windows.maximize")
async def maximize(desktop: Desktop, window: str) -> dict[str, Any]:
    """Makes a window fill the screen."""
    target = await showing.window(desktop, window)
    await desktop.x.run(lambda: windows.set_maximized(desktop.x11, target.id, True))
    await desktop.x.run(lambda: windows.focus(desktop.x11, target.id))
    return await _after(desktop, target, lambda now: now.width == desktop.width)


@TOOLS.tool("windows.restore")
async def restore(desktop: Desktop, window: str) -> dict[str, Any]:
    """Shows a minimized window again, and gives a maximized one its own size."""
    target = await showing.window(desktop, window)
    await desktop.x.run(lambda: windows.set_maximized(desktop.x11, target.id, False))
    await desktop.x.run(lambda: windows.focus(desktop.x11, target.id))
    return await _after(desktop, target, lambda now: now.active and not now.minimized)


@TOOLS.tool("windows.minimize")
async def minimize(desktop: Desktop, window: str) -> dict[str, Any]:
    """Hides a window; the panel still shows it."""
    target = await showing.window(desktop, window)
    await desktop.x.run(lambda: windows.minimize(desktop.x11, target.id))
    return await _after(desktop, target, lambda now: now.minimized)


@TOOLS.tool("windows.place")
async def place(
    desktop: Desktop, window: str, x: int, y: int, width: int, height: int
) -> dict[str, Any]:
    """Moves and resizes a window, in pixels. The program may round its size."""
    target = await showing.window(desktop, window)
    if not (0 < width <= desktop.width and 0 < height <= desktop.height):
        size = f"{desktop.width} x {desktop.height}"
        raise ToolError(ActionError.BAD_VALUE, f"the size must be within the screen of {size}")
    if not (-width < x < desktop.width and -height < y < desktop.height):
        raise ToolError(ActionError.BAD_VALUE, f"({x}, {y}) would leave nothing of it to see")
    data = [_MOVE_RESIZE, x & 0xFFFFFFFF, y & 0xFFFFFFFF, width, height]
    await desktop.x.run(lambda: windows.set_maximized(desktop.x11, target.id, False))
    # A program that was maximized asks for its own size first.
    await desktop.settle(CHANGE_S, 0.15)
    await desktop.x.run(lambda: desktop.x11.send_message(target.id, "_NET_MOVERESIZE_WINDOW", data))
    return await _after(
        desktop,
        target,
        lambda now: max(abs(now.width - width), abs(now.height - height)) <= ROUNDED_PX,
    )


@TOOLS.tool("screen.save")
async def save_screen(desktop: Desktop, path: str, window: str | None = None) -> dict[str, Any]:
    """Saves a picture of the screen, or of one window, as a .png or .jpg file."""
    where = paths.resolve(desktop, path)
    formats = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}
    format = formats.get(where.suffix.lower())
    if format is None:
        raise ToolError(ActionError.BAD_VALUE, f"the name must end in {', '.join(formats)}")
    box = (0, 0, desktop.width, desktop.height)
    if window is not None:
        target = await showing.window(desktop, window)
        await focus(desktop, window)
        left, top = max(target.x, 0), max(target.y, 0)
        box = (
            left,
            top,
            min(target.x + target.width, desktop.width),
            min(target.y + target.height, desktop.height),
        )
    picture = (await desktop.x.run(desktop.screen.picture)).crop(box)
    request = ScreenshotRequest.model_validate({"format": format, "quality": 90})

    def work() -> None:
        where.parent.mkdir(parents=True, exist_ok=True)
        replace(where, encode(picture, request))

    await on_files(work)
    return {"path": str(where), "width": picture.width, "height": picture.height}


@TOOLS.tool("terminal.read")
async def read_terminal(desktop: Desktop, lines: int = 60) -> dict[str, str]:
    """The last lines of text that the terminal shows."""
    area = await showing.text_area(desktop, "lxterminal", "terminal")
    kept = area.text.rstrip().splitlines()[-max(1, min(lines, MAX_LINES)) :]
    return {"title": area.title, "text": "\n".join(line.rstrip() for line in kept)}


@TOOLS.tool("clipboard.read")
async def read_clipboard(desktop: Desktop) -> str:
    """Text of the clipboard; empty when it holds none."""
    return (await clipboard.read(desktop.processes))[:MAX_CLIPBOARD]


@TOOLS.tool("clipboard.write")
async def write_clipboard(desktop: Desktop, text: str) -> dict[str, int]:
    """Puts text into the clipboard."""
    if len(text) > MAX_CLIPBOARD:
        raise ToolError(ActionError.BAD_VALUE, f"at most {MAX_CLIPBOARD} characters")
    await clipboard.write(desktop.processes, text)
    return {"characters": len(text)}


@TOOLS.tool("desktop.open", timeout_s=OPEN_S + 4)
async def open_with_default(desktop: Desktop, what: str) -> dict[str, str]:
    """Opens a file, folder or web address with its default application, and waits for the
    window."""
    if ("://" in what and not what.startswith("file://")) or what.startswith("mailto:"):
        if urlsplit(what).scheme not in SCHEMES:
            raise ToolError(ActionError.NOT_ALLOWED, f"only {', '.join(SCHEMES)} and files")
        goal = what
    else:
        goal = str(paths.existing(desktop, what))
    before = {window.id: window.title for window in await desktop.windows()}
    process = await desktop.processes.start(["xdg-open", goal])

    def is_new(window: WindowInfo) -> bool:
        return window.active and before.get(window.id) != window.title

    opened = await showing.until_window(desktop, is_new, OPEN_S)
    if opened is not None:
        return {"window": opened.title, "application": opened.application}
    if process.returncode:
        raise ToolError(ActionError.NOT_FOUND, f"no application opens {what[:200]}")
    active = next((item for item in await desktop.windows() if item.active), None)
    if active is None:
        raise ToolError(ActionError.TOOL_FAILED, f"no window appeared for {what[:200]}")
    return {"window": active.title, "application": active.application}


async def _after(
    desktop: Desktop, window: WindowInfo, done: Callable[[WindowInfo], bool]
) -> dict[str, Any]:
    """The window once it is as wanted. Raises ToolError when it does not become so."""
    changed = await showing.until_window(
        desktop, lambda now: now.id == window.id and done(now), CHANGE_S
    )
    if changed is None:
        raise ToolError(ActionError.TOOL_FAILED, f"{window.title[:100]} did not follow")
    return asdict(changed)
