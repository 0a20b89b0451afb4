"""VLC's preferences. VLC reads them when it starts, so it is started again."""

from __future__ import annotations

from collections.abc import Sequence

from envs.gyms.desktop.template import HOME, Json, done, tool

DARK = ";".join(["10;10;10"] * 4)
"""The colours of the volume slider at its four marks, red, green and blue each."""


def preference(name: str, value: str) -> list[Json]:
    return [
        tool("vlc.set_settings", settings={name: value}),
        {"type": "launch", "app": "vlc"},
        done(),
    ]


VLC: dict[str, Sequence[Json]] = {
    "8ba5ae7a-5ae5-4eab-9fcc-5dd4fe3abf89": preference("input-record-path", f"{HOME}/Desktop"),
    "9195653c-f4aa-453d-aa95-787f6ccfaae9": preference("qt-max-volume", "200"),
    "d06f0d4d-2cd5-4ede-8de9-598629438c6e": preference("qt-slider-colours", DARK),
    "a5bbbcd5-b398-4c91-83d4-55e1e31bbb81": preference("qt-minimal-view", "1"),
    "5ac2891a-eacd-4954-b339-98abba077adb": preference("play-and-exit", "0"),
    "f3977615-2b45-4ac5-8bba-80c17dbe2a37": preference("one-instance-when-started-from-file", "0"),
    "215dfd39-f493-4bc3-a027-8a97d72c61bf": preference("qt-bgcone", "0"),
}
