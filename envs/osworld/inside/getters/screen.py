"""Getters of the desktop: its windows, accessibility tree, terminal and wallpaper."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from envs.desktop import windows
from envs.desktop.tree_xml import terminal_text, tree_xml
from envs.desktop.wallpaper import path_of, wallpaper_uri
from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters
from envs.osworld.inside.getters.key_presses import press_keys
from envs.osworld.inside.machine import local_path, require_regular_file

if TYPE_CHECKING:
    from envs.desktop.desktop import Desktop

SETTLE_S = 1.0


async def accessibility_tree(desktop: Desktop, ending: Ending, parameters: Parameters) -> str:
    """The accessibility tree as OSWorld's XML. Raises AccessError."""
    return await tree_xml(desktop.a11y)


async def vm_terminal_output(desktop: Desktop, ending: Ending, parameters: Parameters) -> str:
    """All text of the active window's terminal, once it has settled. Raises FileNotFoundError when
    the window has no terminal."""
    await desktop.settle(SETTLE_S)
    text = await terminal_text(desktop.a11y)
    if text is None:
        raise FileNotFoundError("no terminal is in front")
    return text


async def vm_screen_size(
    desktop: Desktop, ending: Ending, parameters: Parameters
) -> dict[str, int]:
    """Size of the screen in pixels: {"width": ..., "height": ...}."""
    return {"width": desktop.width, "height": desktop.height}


async def vm_window_size(
    desktop: Desktop, ending: Ending, parameters: Parameters
) -> dict[str, int]:
    """Pixels of the largest window whose class has `app_class_name` in it, without its frame.
    Raises FileNotFoundError when there is none."""
    name = parameters["app_class_name"].lower()
    labelled = await desktop.x.run(lambda: windows.by_class(desktop.x11))
    matching = [
        window for label, window in labelled if name in label.lower() and not window.minimized
    ]
    if not matching:
        raise FileNotFoundError(f"there is no window of {name}")
    largest = max(matching, key=lambda window: window.width * window.height)
    return {"width": largest.width, "height": largest.height}


async def vm_wallpaper(desktop: Desktop, ending: Ending, parameters: Parameters) -> Path:
    """The file of the wallpaper. Raises FileNotFoundError when none is set, or it is no file."""
    path = path_of(await wallpaper_uri(desktop.processes))
    if not path:
        raise FileNotFoundError("no wallpaper is set")
    return require_regular_file(local_path(desktop, path))


async def replay(desktop: Desktop, ending: Ending, parameters: Parameters) -> None:
    """Presses the keys of `trajectory`; has no value. Raises ValueError."""
    await press_keys(desktop, parameters["trajectory"])
