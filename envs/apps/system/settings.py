"""System settings: what the programs of the desktop read, and its panel.

Guarantees: only settings of the allow-list change, none that would blind or lock the desktop; what
lies outside the home folder is taken back when the desktop is reset (`envs.desktop.undo`).
"""

from __future__ import annotations

import configparser
import io
import re
import shutil
import signal
from pathlib import Path

import psutil

from envs.apps.files import paths
from envs.apps.files.file_tools import on_files, replace
from envs.apps.system.commands import run_command
from envs.contract.actions import ActionError
from envs.contract.tools import ToolError, Toolset
from envs.desktop import undo
from envs.desktop.desktop import Desktop

TOOLS = Toolset("desktop")


WRONG = ActionError.BAD_VALUE
SCHEMAS = (
    "org.gnome.desktop.a11y",
    "org.gnome.desktop.background",
    "org.gnome.desktop.calendar",
    "org.gnome.desktop.datetime",
    "org.gnome.desktop.default-applications",
    "org.gnome.desktop.input-sources",
    "org.gnome.desktop.interface",
    "org.gnome.desktop.media-handling",
    "org.gnome.desktop.notifications",
    "org.gnome.desktop.peripherals",
    "org.gnome.desktop.privacy",
    "org.gnome.desktop.screensaver",
    "org.gnome.desktop.session",
    "org.gnome.desktop.sound",
    "org.gnome.desktop.wm",
    "org.gnome.system.locale",
    "org.gnome.system.location",
    "org.gtk.Settings",
    "org.xfce.mousepad",
)
FIXED = frozenset({"toolkit-accessibility"})
"""Without it nobody sees the programs' trees."""
APPLICATIONS = (Path("/usr/share/applications"), Path(".local/share/applications"))
FONT, FONT_SIZE = "DejaVu Sans", 9
"""As the desktop starts with (`envs.desktop.profiles.pristine`)."""
PANEL = ".config/tint2/tint2rc"
_LAUNCHER = "launcher_item_app = "
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_MIME = re.compile(r"[\w.+-]+/[\w.+*-]+")


@TOOLS.tool("settings.list")
async def list_settings(desktop: Desktop, group: str | None = None) -> list[str]:
    """Names of the groups of settings that can be changed, or the keys and values of one."""
    if group is None:
        schemas = (await run_command(desktop, "gsettings", "list-schemas")).split()
        return sorted(name for name in schemas if _is_allowed(name))
    _check_allowed(group)
    return (await run_command(desktop, "gsettings", "list-recursively", group)).splitlines()


@TOOLS.tool("settings.get")
async def get(desktop: Desktop, group: str, key: str) -> str:
    """A setting, such as org.gnome.desktop.interface text-scaling-factor, as GVariant text."""
    _check_allowed(group)
    value = await run_command(
        desktop, "gsettings", "get", group, _key(key), failure=ActionError.BAD_VALUE
    )
    return value.strip()


@TOOLS.tool("settings.set")
async def change(desktop: Desktop, group: str, key: str, value: str) -> str:
    """Sets a setting; texts need no quotes, lists look like ['a', 'b']. The value it has then."""
    _check_allowed(group)
    if key in FIXED:
        raise ToolError(ActionError.NOT_ALLOWED, f"{key} keeps the desktop usable and stays on")
    await run_command(
        desktop, "gsettings", "set", group, _key(key), value, failure=ActionError.BAD_VALUE
    )
    value = await run_command(desktop, "gsettings", "get", group, key)
    return value.strip()


@TOOLS.tool("settings.reset")
async def reset(desktop: Desktop, group: str, key: str) -> str:
    """Gives a setting its default value."""
    _check_allowed(group)
    if key in FIXED:
        raise ToolError(ActionError.NOT_ALLOWED, f"{key} keeps the desktop usable and stays on")
    await run_command(
        desktop, "gsettings", "reset", group, _key(key), failure=ActionError.BAD_VALUE
    )
    value = await run_command(desktop, "gsettings", "get", group, key)
    return value.strip()


@TOOLS.tool("settings.text_scaling")
async def text_scaling(desktop: Desktop, factor: float) -> dict[str, float]:
    """Makes the text of programs larger or smaller: 1 is normal. Programs read it when they
    start."""
    if not 0.5 <= factor <= 3:
        raise ToolError(ActionError.BAD_VALUE, "a factor from 0.5 to 3")
    await change(desktop, "org.gnome.desktop.interface", "text-scaling-factor", str(factor))
    # Without a settings daemon GTK on X reads its fonts from this file, not from gsettings.
    where = paths.resolve(desktop, ".config/gtk-3.0/settings.ini")
    font = f"{FONT} {round(FONT_SIZE * factor, 1):g}"
    await on_files(lambda: _set_ini(where, "Settings", "gtk-font-name", font))
    return {"factor": factor}


@TOOLS.tool("settings.applications")
async def applications(desktop: Desktop) -> dict[str, str]:
    """Installed applications: their ids, for default_app and launchers, and their names."""

    def work() -> dict[str, str]:
        applications: dict[str, str] = {}
        for folder in APPLICATIONS:
            for file in sorted((desktop.home / folder).glob("*.desktop")):
                content = file.read_text("utf-8", "replace")
                name = re.search(r"^Name=(.*)$", content, re.MULTILINE)
                if name is not None and "\nNoDisplay=true" not in content:
                    applications[file.stem] = name[1].strip()
        return applications

    return await on_files(work)


@TOOLS.tool("settings.default_app")
async def default_app(
    desktop: Desktop, kind: str, application: str | None = None
) -> dict[str, str]:
    """Which application opens a kind of file (a MIME type such as text/plain, or
    x-scheme-handler/http for web addresses); with `application`, an id, it is set first."""
    if _MIME.fullmatch(kind) is None:
        raise ToolError(ActionError.BAD_VALUE, f"{kind[:60]!r} is not a type like text/plain")
    if application is not None:
        file = await _desktop_file(desktop, application)
        await run_command(desktop, "xdg-mime", "default", file.name, kind)
    application = (await run_command(desktop, "xdg-mime", "query", "default", kind)).strip()
    return {"kind": kind, "application": application.removesuffix(".desktop")}


@TOOLS.tool("settings.launchers")
async def launchers(
    desktop: Desktop, add: str | None = None, remove: str | None = None
) -> list[str]:
    """The applications that start from the panel, by id, after one was added or removed."""
    added = await _desktop_file(desktop, add) if add is not None else None
    where = paths.resolve(desktop, PANEL)

    def work() -> tuple[list[str], bool]:
        lines = where.read_text().splitlines()
        there = [Path(line[len(_LAUNCHER) :]).stem for line in lines if line.startswith(_LAUNCHER)]
        if remove is not None and remove not in there:
            message = f"the panel has no {remove[:60]!r}; it has: {', '.join(there)}"
            raise ToolError(ActionError.NOT_FOUND, message)
        kept = [
            line
            for line in lines
            if not (line.startswith(_LAUNCHER) and Path(line[len(_LAUNCHER) :]).stem == remove)
        ]
        if added is not None and added.stem not in there:
            kept.append(f"{_LAUNCHER}{added}")
        if kept != lines:
            replace(where, ("\n".join(kept) + "\n").encode())
        shown = [Path(line[len(_LAUNCHER) :]).stem for line in kept if line.startswith(_LAUNCHER)]
        return shown, kept != lines

    shown, changed = await on_files(work)
    if changed:
        reload_panel()
        undo.register_undo("panel", _reload_panel)
    return shown


@TOOLS.tool("settings.autostart")
async def autostart(desktop: Desktop, application: str | None = None, on: bool = True) -> list[str]:
    """The applications that a login starts, by id, after one was switched on or off."""
    folder = paths.resolve(desktop, ".config/autostart")
    file = await _desktop_file(desktop, application) if application is not None else None

    def work() -> list[str]:
        folder.mkdir(parents=True, exist_ok=True)
        if file is not None and on:
            shutil.copyfile(file, folder / file.name)
        elif file is not None:
            (folder / file.name).unlink(missing_ok=True)
        return sorted(item.stem for item in folder.glob("*.desktop"))

    return await on_files(work)


def reload_panel() -> None:
    """The panel reads its settings again; it stays the same process."""
    for child in psutil.Process().children():
        if child.name() == "tint2":
            child.send_signal(signal.SIGUSR1)


async def _reload_panel() -> None:
    reload_panel()


async def _desktop_file(desktop: Desktop, application: str) -> Path:
    if _NAME.fullmatch(application) is not None:
        for folder in APPLICATIONS:
            file = desktop.home / folder / f"{application.removesuffix('.desktop')}.desktop"
            if file.is_file():
                return file
    known = ", ".join(await applications(desktop))
    message = f"there is no application {application[:60]!r}; there are: {known}"
    raise ToolError(ActionError.NOT_FOUND, message[:480])


def _is_allowed(schema: str) -> bool:
    return any(schema == name or schema.startswith(f"{name}.") for name in SCHEMAS)


def _check_allowed(schema: str) -> None:
    if not _is_allowed(schema):
        message = (
            f"{schema[:60]!r} cannot be changed; these and what is below: {', '.join(SCHEMAS)}"
        )
        raise ToolError(ActionError.NOT_ALLOWED, message[:480])


def _key(key: str) -> str:
    if _NAME.fullmatch(key) is None:
        raise ToolError(ActionError.BAD_VALUE, f"{key[:60]!r} is not the name of a setting")
    return key


def _set_ini(where: Path, section: str, key: str, value: str) -> None:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read(where)
    if not parser.has_section(section):
        parser.add_section(section)
    parser.set(section, key, value)
    out = io.StringIO()
    parser.write(out, space_around_delimiters=False)
    where.parent.mkdir(parents=True, exist_ok=True)
    replace(where, out.getvalue().encode())
