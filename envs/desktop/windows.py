"""Windows as the window manager knows them (EWMH). Works in the X thread."""

from __future__ import annotations

from dataclasses import dataclass

import xcffib.xproto as xproto

from envs.desktop.x11 import X11

_STATE_ADD, _STATE_REMOVE = 1, 0
_FROM_PAGER = 2
_ICONIC = 3
_SHOWN_TYPES = ("_NET_WM_WINDOW_TYPE_NORMAL", "_NET_WM_WINDOW_TYPE_DIALOG")


@dataclass(frozen=True, slots=True)
class WindowInfo:
    """Geometry in screen pixels, without the frame. `pid` is None when the program does not say."""

    id: int
    title: str
    application: str
    pid: int | None
    x: int
    y: int
    width: int
    height: int
    active: bool
    minimized: bool


def list_windows(x11: X11) -> list[WindowInfo]:
    """Normal windows and dialogs, the one on top last."""
    active = x11.active_window()
    windows_shown = []
    for window in x11.values(x11.root, "_NET_CLIENT_LIST_STACKING"):
        kinds = x11.values(window, "_NET_WM_WINDOW_TYPE")
        if kinds and not any(x11.atom(name) in kinds for name in _SHOWN_TYPES):
            continue
        try:
            size = x11.connection.core.GetGeometry(window).reply()
            place = x11.connection.core.TranslateCoordinates(window, x11.root, 0, 0).reply()
        except (xproto.WindowError, xproto.DrawableError):
            continue
        pids = x11.values(window, "_NET_WM_PID")
        classes = x11.text(window, "WM_CLASS").split("\0")
        windows_shown.append(
            WindowInfo(
                id=window,
                title=x11.text(window, "_NET_WM_NAME") or x11.text(window, "WM_NAME"),
                application=classes[1] if len(classes) > 1 else classes[0],
                pid=pids[0] if pids else None,
                x=place.dst_x,
                y=place.dst_y,
                width=size.width,
                height=size.height,
                active=window == active,
                minimized=x11.atom("_NET_WM_STATE_HIDDEN") in x11.values(window, "_NET_WM_STATE"),
            )
        )
    return windows_shown


def by_class(x11: X11) -> list[tuple[str, WindowInfo]]:
    """Each window after its "instance.Class"; in the order of `list_windows`."""
    return [
        (x11.text(window.id, "WM_CLASS").strip("\0").replace("\0", "."), window)
        for window in list_windows(x11)
    ]


def find_window(windows: list[WindowInfo], named: str) -> list[WindowInfo]:
    """By whole title, else by part of the title or application name, upper or lower case alike."""
    exact = [window for window in windows if window.title == named]
    if exact:
        return exact
    title = named.lower()
    return [
        window
        for window in windows
        if title in window.title.lower() or title == window.application.lower()
    ]


def focus(x11: X11, window: int) -> None:
    """Raises and focuses a window."""
    x11.send_message(window, "_NET_ACTIVE_WINDOW", [_FROM_PAGER, 0, 0])


def close(x11: X11, window: int) -> None:
    """Asks as a click on the window's close button does; the program may ask back."""
    x11.send_message(window, "_NET_CLOSE_WINDOW", [0, _FROM_PAGER])


def minimize(x11: X11, window: int) -> None:
    """Minimizes a window."""
    x11.send_message(window, "WM_CHANGE_STATE", [_ICONIC])


def set_maximized(x11: X11, window: int, maximized: bool) -> None:
    """Maximizes or restores a window."""
    change = _STATE_ADD if maximized else _STATE_REMOVE
    both = [x11.atom("_NET_WM_STATE_MAXIMIZED_VERT"), x11.atom("_NET_WM_STATE_MAXIMIZED_HORZ")]
    x11.send_message(window, "_NET_WM_STATE", [change, *both, _FROM_PAGER])
