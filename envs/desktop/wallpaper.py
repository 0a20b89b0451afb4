"""The wallpaper as a setting of the desktop. Nothing here paints it."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

from envs.desktop.processes import Processes

GSETTINGS_S = 5.0
_KEY = ("org.gnome.desktop.background", "picture-uri")


class WallpaperError(Exception):
    """The setting was not taken; the message says why."""


async def set_wallpaper(processes: Processes, picture: Path) -> None:
    """Raises WallpaperError."""
    done = await processes.run(["gsettings", "set", *_KEY, picture.as_uri()], GSETTINGS_S)
    if done.returncode != 0:
        raise WallpaperError(f"the wallpaper was not set: {done.stderr[:200]}")


async def wallpaper_uri(processes: Processes) -> str:
    """Address of the picture; empty when none is set."""
    done = await processes.run(["gsettings", "get", *_KEY], GSETTINGS_S)
    return done.stdout.strip().strip("'")


def path_of(uri: str) -> str:
    """The path that a file's address names; empty for any other address."""
    parts = urlsplit(uri)
    return unquote(parts.path) if parts.scheme == "file" else ""
