"""Solutions of tasks on VLC's preferences, which it reads only when it starts."""

from __future__ import annotations

from collections.abc import Sequence

from tasksets.desktop.actions import finish, tool
from tasksets.desktop.template import HOME, Json

DARK = ";".join(["10;10;10"] * 4)
"""Red, green and blue of the volume slider at each of its four marks."""


def _change_preference(name: str, value: str) -> list[Json]:
    return [
        tool("vlc.set_settings", settings={name: value}),
        {"type": "launch", "app": "vlc"},
        finish(),
    ]


VLC: dict[str, Sequence[Json]] = {
    "8ba5ae7a-5ae5-4eab-9fcc-5dd4fe3abf89": _change_preference(
        "input-record-path", f"{HOME}/Desktop"
    ),
    "9195653c-f4aa-453d-aa95-787f6ccfaae9": _change_preference("qt-max-volume", "200"),
    "d06f0d4d-2cd5-4ede-8de9-598629438c6e": _change_preference("qt-slider-colours", DARK),
    "a5bbbcd5-b398-4c91-83d4-55e1e31bbb81": _change_preference("qt-minimal-view", "1"),
    "5ac2891a-eacd-4954-b339-98abba077adb": _change_preference("play-and-exit", "0"),
    "f3977615-2b45-4ac5-8bba-80c17dbe2a37": _change_preference(
        "one-instance-when-started-from-file", "0"
    ),
    "215dfd39-f493-4bc3-a027-8a97d72c61bf": _change_preference("qt-bgcone", "0"),
}
