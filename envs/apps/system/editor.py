"""The text editor (Mousepad): open at a line, read, go to a line, replace, save.

Guarantees: text is read from and put into the running editor itself, so that what its window shows,
what is undone with Ctrl+Z and what is saved are one; a save has reached the file when it answers.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

from envs.apps.files import paths
from envs.apps.files.file_tools import on_files
from envs.apps.system import focus as showing
from envs.apps.system.focus import Area
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop import windows
from envs.desktop.a11y import EDITABLE, PROPERTIES, TEXT, AccessError
from envs.desktop.desktop import Desktop
from envs.desktop.input import keysym_named

TOOLS = Toolset("desktop")


OPEN_S = 8.0
SAVE_S = 4.0
SAVE_PRESSES = 4
DIALOG_QUIET_S = 0.15
"""A file chooser draws in several goes before it takes keys."""
SHOWN_CHARS = 20_000


@TOOLS.tool("editor.open", timeout_s=OPEN_S + 4)
async def open_file(desktop: Desktop, path: str, line: int = 1) -> dict[str, Any]:
    """Opens a text file in the editor, with the cursor in a line. A file that does not exist yet
    is made when it is saved."""
    where = paths.resolve(desktop, path)
    if where.exists():
        paths.regular(desktop, path)
    elif not where.parent.is_dir():
        paths.raise_missing(where.parent, str(where.parent))
    await desktop.processes.start(["mousepad", f"--line={max(line, 1)}", str(where)])
    shown = await showing.until_window(
        desktop, lambda window: window.active and _is_of(window.title, where), OPEN_S
    )
    if shown is None:
        raise ToolError(ActionError.TOOL_FAILED, f"the editor did not show {path[:200]}")
    return {"window": shown.title, "line": await _line(desktop, await _area(desktop))}


@TOOLS.tool("editor.text")
async def text(desktop: Desktop) -> dict[str, Any]:
    """Text in the editor now, saved or not: at most 20,000 characters, with the line of the
    cursor. A title with a * is not saved."""
    area = await _area(desktop)
    shown = area.text[:SHOWN_CHARS]
    answer = {"title": area.title, "text": shown, "line": await _line(desktop, area)}
    return answer | ({"cut": True} if len(shown) < len(area.text) else {})


@TOOLS.tool("editor.goto")
async def goto(desktop: Desktop, line: int) -> dict[str, int]:
    """Puts the cursor at the beginning of a line."""
    area = await _area(desktop)
    lines = area.text.split("\n")
    if not 1 <= line <= len(lines):
        raise ToolError(ActionError.BAD_VALUE, f"there is no line {line}; there are {len(lines)}")
    offset = sum(len(before) + 1 for before in lines[: line - 1])
    await _ask(desktop, area, TEXT, "SetCaretOffset", "i", offset)
    return {"line": await _line(desktop, area)}


@TOOLS.tool("editor.replace")
async def replace(desktop: Desktop, old: str, new: str, every: bool = True) -> dict[str, int]:
    """Replaces a text in the editor, everywhere or the first time only; how often. Not saved."""
    area = await _area(desktop)
    count = area.text.count(old) if old else 0
    if not count:
        raise ToolError(ActionError.NOT_FOUND, f"the text does not contain {old[:100]!r}")
    await _put(desktop, area, area.text.replace(old, new, -1 if every else 1))
    return {"replaced": count if every else 1}


@TOOLS.tool("editor.set_text")
async def set_text(desktop: Desktop, text: str) -> dict[str, int]:
    """Makes this the whole text in the editor. Not saved."""
    await _put(desktop, await _area(desktop), text)
    return {"characters": len(text)}


@TOOLS.tool("editor.save")
async def save(desktop: Desktop, path: str | None = None) -> dict[str, str]:
    """Saves what the editor shows, to its own file, or to a new one with `path`."""
    area = await _area(desktop)
    window = await showing.window(desktop, area.title)
    await desktop.x.run(lambda: windows.focus(desktop.x11, window.id))
    await desktop.settle(1.0)
    if path is None:
        if "/" not in area.title:
            raise ToolError(ActionError.BAD_VALUE, "the text has no file yet; give a path")
        await _press(desktop, "ctrl", "s")
    else:
        where = paths.resolve(desktop, path)
        if where.exists():
            raise ToolError(ActionError.BAD_VALUE, f"{path[:200]} exists already")
        if not where.parent.is_dir():
            paths.raise_missing(where.parent, str(where.parent))
        await _save_as(desktop, where)
    saved = await showing.until_window(
        desktop,
        lambda now: (
            now.id == window.id
            and not now.title.startswith("*")
            and (path is None or _is_of(now.title, where))
        ),
        SAVE_S,
    )
    if saved is None:
        raise ToolError(ActionError.TOOL_FAILED, "the editor did not save; look at its window")
    if path is not None:
        await on_files(where.stat)
    return {"window": saved.title}


async def _save_as(desktop: Desktop, where: Path) -> None:
    await _press(desktop, "ctrl", "shift", "s")
    dialog = await showing.until_window(
        desktop, lambda window: window.title == "Save As" and window.active, SAVE_S
    )
    if dialog is None:
        raise ToolError(ActionError.TOOL_FAILED, "the editor showed no Save As window")
    await desktop.settle(SAVE_S, DIALOG_QUIET_S)
    await _press(desktop, "ctrl", "a")
    await desktop.settle(1.0)
    runs = desktop.input.type_text(str(where))
    while await desktop.x.run(lambda: next(runs, "end") != "end"):
        await desktop.settle(1.0)
    # Enter might choose what the file chooser proposes; it drops a press while it reads a folder.
    for _ in range(SAVE_PRESSES):
        await desktop.settle(1.0, DIALOG_QUIET_S)
        await showing.press_button(desktop, "Save As", "Save")
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SAVE_S / SAVE_PRESSES):
                while any(window.title == "Save As" for window in await desktop.windows()):
                    await asyncio.sleep(0.02)
                return


async def _press(desktop: Desktop, *keys: str) -> None:
    chord = [keysym_named(key) for key in keys]
    await desktop.x.run(lambda: desktop.input.press_chord(chord))


async def _area(desktop: Desktop) -> Area:
    return await showing.text_area(desktop, "mousepad", "text")


async def _line(desktop: Desktop, area: Area) -> int:
    caret = (await _ask(desktop, area, PROPERTIES, "Get", "ss", TEXT, "CaretOffset")).value
    return area.text[:caret].count("\n") + 1


async def _put(desktop: Desktop, area: Area, new: str) -> None:
    await _ask(desktop, area, EDITABLE, "SetTextContents", "s", new)
    if str(await _ask(desktop, area, TEXT, "GetText", "ii", 0, -1)) != new:
        raise ToolError(ActionError.TOOL_FAILED, "the editor did not take the text")


async def _ask(desktop: Desktop, area: Area, *call: Any) -> Any:
    try:
        return await desktop.a11y.call(area.address, *call)
    except AccessError as error:
        raise ToolError(ActionError.TOOL_FAILED, f"the editor does not answer: {error}") from error


def _is_of(title: str, where: Path) -> bool:
    """Titles are like "*~/Documents/a.txt - Mousepad"."""
    return title.lstrip("*").removesuffix(" - Mousepad").rsplit("/", 1)[-1] == where.name
