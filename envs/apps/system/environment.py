"""The screen's picture, keyboard, time zone, language and variables of the desktop's session.

Guarantees: what is set here holds for the screen at once and for programs that start later, and is
taken back when the desktop is reset (`envs.desktop.undo`).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import xcffib.xproto as xproto
from PIL import Image

from envs.apps.files import paths
from envs.apps.files.file_tools import on_files, replace
from envs.apps.system.commands import run_command
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop import undo
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


ZONES = Path("/usr/share/zoneinfo")
VARIABLES = ".config/environment.d/60-user.conf"
LAYOUTS = Path("/usr/share/X11/xkb/symbols")
MAX_VALUE = 4096
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_LAYOUT = re.compile(r"[a-z]{2,10}")


@TOOLS.tool("settings.wallpaper")
async def wallpaper(
    desktop: Desktop,
    path: str | None = None,
    mode: Literal["fill", "center", "tile", "scale", "max"] = "fill",
) -> dict[str, Any]:
    """Shows a picture as the desktop's background; without a path, says which one it is."""
    note = paths.resolve(desktop, ".fehbg")
    if path is None:
        shown = await on_files(lambda: note.read_text() if note.exists() else "")
        match = re.search(r"'(/[^']+)'", shown)
        return {"path": match[1] if match else ""}
    where = paths.regular(desktop, path)
    try:
        with Image.open(where) as picture:
            picture.verify()
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ToolError(ActionError.BAD_VALUE, f"{path[:200]} is not a picture") from error
    undo.register_undo("wallpaper", lambda: desktop.x.run(lambda: _set_plain_background(desktop)))
    await run_command(desktop, "feh", f"--bg-{mode}", str(where))
    uri = f"'file://{quote(str(where))}'"
    schema = "org.gnome.desktop.background"
    await run_command(desktop, "gsettings", "set", schema, "picture-uri", uri)
    return {"path": str(where)}


@TOOLS.tool("settings.keyboard")
async def keyboard(desktop: Desktop, layouts: list[str] | None = None) -> list[str]:
    """Keyboard layouts such as us, de, fr, the first one in use; sets them if given."""
    if layouts is not None:
        for layout in layouts:
            if _LAYOUT.fullmatch(layout) is None or not (LAYOUTS / layout).is_file():
                raise ToolError(ActionError.NOT_FOUND, f"there is no layout {layout[:20]!r}")
        if not 1 <= len(layouts) <= 4:
            raise ToolError(ActionError.BAD_VALUE, "one to four layouts")
        undo.register_undo("keyboard", lambda: _set_layouts(desktop, ["us"]))
        await _set_layouts(desktop, layouts)
    listing = await run_command(desktop, "setxkbmap", "-query")
    match = re.search(r"^layout:\s*(\S+)", listing, re.MULTILINE)
    return match[1].split(",") if match else []


@TOOLS.tool("settings.timezone")
async def timezone(desktop: Desktop, zone: str | None = None) -> str:
    """The time zone, such as Europe/Berlin or UTC; sets it for programs that start later."""
    if zone is not None:
        file = (ZONES / zone).resolve()
        if ".." in zone or not file.is_relative_to(ZONES) or not file.is_file():
            raise ToolError(ActionError.NOT_FOUND, f"there is no time zone {zone[:60]!r}")
        await _set_variables(desktop, {"TZ": zone})
    return desktop.processes.environment.get("TZ", "UTC")


@TOOLS.tool("settings.locale")
async def locale(desktop: Desktop, language: str | None = None) -> str:
    """The language and region, such as de_DE.UTF-8; sets it for programs that start later."""
    if language is not None:
        there = (await run_command(desktop, "locale", "-a")).split()
        if language.lower().replace("utf-8", "utf8") not in [known.lower() for known in there]:
            message = f"{language[:40]!r} is not installed; there are: {', '.join(there)}"
            raise ToolError(ActionError.NOT_FOUND, message[:400])
        await _set_variables(desktop, {"LANG": language})
    return desktop.processes.environment["LANG"]


@TOOLS.tool("settings.variable", gated=True)
async def set_variable(desktop: Desktop, variable: str, value: str) -> dict[str, str]:
    """Sets an environment variable for programs that start later, terminals too."""
    if _VARIABLE.fullmatch(variable) is None or "\n" in value or "\0" in value:
        raise ToolError(ActionError.BAD_VALUE, "a name of letters, digits and _, a value in a line")
    if len(value) > MAX_VALUE:
        raise ToolError(ActionError.BAD_VALUE, f"at most {MAX_VALUE} characters")
    if variable in desktop.environment:
        raise ToolError(ActionError.NOT_ALLOWED, f"the desktop itself needs {variable} as it is")
    await _set_variables(desktop, {variable: value})
    return {variable: value}


@TOOLS.tool("screen.size")
async def screen_size(desktop: Desktop) -> dict[str, int]:
    """Width and height of the screen in pixels. They are fixed."""
    return {"width": desktop.width, "height": desktop.height}


async def _set_variables(desktop: Desktop, values: dict[str, str]) -> None:
    """For programs that start later, and in the file where a session keeps them."""
    where = paths.resolve(desktop, VARIABLES)
    environment = desktop.processes.environment

    async def restore() -> None:
        environment.clear()
        environment.update(desktop.environment)

    undo.register_undo("environment", restore)
    environment.update(values)

    def work() -> None:
        lines = where.read_text().splitlines() if where.exists() else []
        kept = [line for line in lines if line.partition("=")[0] not in values]
        where.parent.mkdir(parents=True, exist_ok=True)
        kept += [f"{name}={value}" for name, value in values.items()]
        replace(where, ("\n".join(kept) + "\n").encode())

    await on_files(work)


async def _set_layouts(desktop: Desktop, layouts: list[str]) -> None:
    await desktop.x.run(desktop.input.release_all)
    await run_command(desktop, "setxkbmap", "-layout", ",".join(layouts))
    await desktop.x.run(desktop.input.read_layout)


def _set_plain_background(desktop: Desktop) -> None:
    """As the desktop starts: black, and no picture kept in the X server."""
    core = desktop.x11.connection.core
    for picture in desktop.x11.values(desktop.x11.root, "ESETROOT_PMAP_ID"):
        core.KillClient(picture)
    for name in ("ESETROOT_PMAP_ID", "_XROOTPMAP_ID"):
        core.DeleteProperty(desktop.x11.root, desktop.x11.atom(name))
    core.ChangeWindowAttributes(
        desktop.x11.root, xproto.CW.BackPixel, [desktop.x11.screen.black_pixel]
    )
    core.ClearArea(False, desktop.x11.root, 0, 0, 0, 0)
    desktop.x11.sync()
