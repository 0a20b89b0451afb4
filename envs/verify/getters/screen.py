"""Getters of what the desktop shows: its windows, its tree, its terminal, its wallpaper."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envs.desktop import windows
from envs.desktop.tree_xml import terminal_text, tree_xml
from envs.desktop.wallpaper import path_of, wallpaper_uri
from envs.verify.getters.keys import replayed
from envs.verify.machine import located, regular
from envs.verify.registry import Ending, getter

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

SETTLE_S = 1.0


@getter("accessibility_tree")
async def accessibility_tree(desktop: Desktop, ending: Ending, given: Mapping[str, Any]) -> str:
    """As OSWorld's XML. Raises AccessError."""
    return await tree_xml(desktop.a11y)


@getter("vm_terminal_output")
async def vm_terminal_output(desktop: Desktop, ending: Ending, given: Mapping[str, Any]) -> str:
    """All text of the active window's terminal, once what was typed last has its answer. Raises
    FileNotFoundError when it has none."""
    await desktop.settle(SETTLE_S)
    text = await terminal_text(desktop.a11y)
    if text is None:
        raise FileNotFoundError("no terminal is in front")
    return text


@getter("vm_screen_size")
async def vm_screen_size(
    desktop: Desktop, ending: Ending, given: Mapping[str, Any]
) -> dict[str, int]:
    """Pixels: {"width": ..., "height": ...}."""
    return {"width": desktop.width, "height": desktop.height}


@getter("vm_window_size")
async def vm_window_size(
    desktop: Desktop, ending: Ending, given: Mapping[str, Any]
) -> dict[str, int]:
    """Pixels of the largest window whose class has `app_class_name` in it, without its frame.
    Raises FileNotFoundError when there is none."""
    name = given["app_class_name"].lower()
    shown = await desktop.x.run(lambda: windows.by_class(desktop.x11))
    found = [window for label, window in shown if name in label.lower() and not window.minimized]
    if not found:
        raise FileNotFoundError(f"there is no window of {name}")
    largest = max(found, key=lambda window: window.width * window.height)
    return {"width": largest.width, "height": largest.height}


@getter("vm_wallpaper")
async def vm_wallpaper(desktop: Desktop, ending: Ending, given: Mapping[str, Any]) -> Path:
    """The picture that is set. Raises FileNotFoundError when none is, or it is no file."""
    path = path_of(await wallpaper_uri(desktop.processes))
    if not path:
        raise FileNotFoundError("no wallpaper is set")
    return regular(located(desktop, path))


@getter("replay")
async def replay(desktop: Desktop, ending: Ending, given: Mapping[str, Any]) -> None:
    """Presses the keys of `trajectory`; gives nothing. Raises ValueError."""
    await replayed(desktop, given["trajectory"])
