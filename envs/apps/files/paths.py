"""Which files the tools may touch: the user's home folder and /tmp.

Guarantees: a path that is outside of these, also by `..` or through a symbolic link, is refused
with the reason; so are the files that keep the desktop itself running. Relative paths start at the
home folder, `~` is the home folder, file:// URLs are paths.
"""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn
from urllib.parse import unquote, urlsplit

from envs.contract.actions import ActionError
from envs.contract.tools import ToolError
from envs.desktop.desktop import Desktop
from envs.desktop.home import MARK

TEMPORARY = Path("/tmp")
MAX_PATH = 4096


def resolve(desktop: Desktop, path: str) -> Path:
    """The real place of `path`, links followed; it need not exist. Raises ToolError."""
    return _check_root(desktop, path, _written_out(desktop, path).resolve())


def entry(desktop: Desktop, path: str, may_be_root: bool = False) -> Path:
    """As `resolve`, but a link at the end stays itself: for what moves or deletes the entry."""
    full = _written_out(desktop, path)
    if full.name in ("", ".."):
        full = full.resolve()
    resolved = full.parent.resolve() / full.name
    _check_root(desktop, path, resolved)
    if resolved in _roots(desktop) and not may_be_root:
        raise ToolError(ActionError.NOT_ALLOWED, f"{path[:200]} itself can't be changed")
    return resolved


def existing(desktop: Desktop, path: str) -> Path:
    """`resolve`, and something is there. Raises ToolError(NOT_FOUND), naming what is near."""
    resolved = resolve(desktop, path)
    if not resolved.exists():
        raise_missing(resolved, path)
    return resolved


def regular(desktop: Desktop, path: str) -> Path:
    """`existing`, and it is a regular file: not a folder, and no pipe that would block."""
    resolved = existing(desktop, path)
    if resolved.is_dir():
        raise ToolError(ActionError.BAD_VALUE, f"{path[:200]} is a folder")
    if not resolved.is_file():
        raise ToolError(ActionError.BAD_VALUE, f"{path[:200]} is not a regular file")
    return resolved


def folder(desktop: Desktop, path: str) -> Path:
    """`existing`, and it is a folder."""
    resolved = existing(desktop, path)
    if not resolved.is_dir():
        raise ToolError(ActionError.BAD_VALUE, f"{path[:200]} is not a folder")
    return resolved


def raise_missing(resolved: Path, path: str) -> NoReturn:
    """Raises ToolError(NOT_FOUND) with what the nearest folder holds instead."""
    near = resolved.parent
    while not near.is_dir():
        near = near.parent
    try:
        names = sorted(item.name for item in near.iterdir() if not item.name.startswith("."))
    except OSError:
        names = []
    there = printable(", ".join(names[:20])) or "nothing"
    raise ToolError(ActionError.NOT_FOUND, f"there is no {path[:200]}; {near} has: {there}"[:480])


def printable(name: object) -> str:
    """A name as text: bytes in it that are no UTF-8 could not be sent."""
    return str(name).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _written_out(desktop: Desktop, path: str) -> Path:
    if path.startswith("file://"):
        path = unquote(urlsplit(path).path)
    if not path or "\0" in path or len(path) > MAX_PATH:
        raise ToolError(ActionError.BAD_VALUE, "a path is needed, of at most 4096 characters")
    if path == "~" or path.startswith("~/"):
        path = str(desktop.home) + path[1:]
    return desktop.home / path


def _check_root(desktop: Desktop, path: str, real: Path) -> Path:
    if any(real.is_relative_to(root) for root in _roots(desktop)):
        if _is_own(desktop, real):
            raise ToolError(ActionError.NOT_ALLOWED, f"{path[:200]} belongs to the desktop itself")
        return real
    leads = f" (it leads to {real})" if str(real) != path else ""
    raise ToolError(
        ActionError.NOT_ALLOWED,
        f"{path[:200]}{leads} is outside of {desktop.home} and {TEMPORARY}"[:480],
    )


def _roots(desktop: Desktop) -> tuple[Path, Path]:
    return desktop.home.resolve(), TEMPORARY.resolve()


def _is_own(desktop: Desktop, real: Path) -> bool:
    return real.is_relative_to(desktop.runtime.resolve()) or real == desktop.home / MARK
