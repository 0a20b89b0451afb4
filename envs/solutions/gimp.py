"""GIMP's preferences and docks."""

from __future__ import annotations

from collections.abc import Sequence

from envs.gyms.desktop.template import Json, click, done, key, tool, typed, wait

PREFERENCES: list[Json] = [key("slash"), typed("preferences"), wait(1500), key("Enter")]
"""By GIMP's search for commands, which lists what it found after a moment."""

GIMP: dict[str, Sequence[Json]] = {
    "d52d6308-ec58-42b7-a2c9-de80e4837b2b": [key("Tab"), done()],
    "7b7617bd-57cc-468e-9c91-40c4ec2bcb3d": [
        *PREFERENCES,
        click("System Resources", "cell"),
        key("alt", "u"),
        typed("100"),
        key("Tab"),
        click("OK", "button"),
        done(),
    ],
    "7767eef2-56a3-4cea-8c9f-48c070c7d65b": [
        tool("gimp.set_setting", setting="theme", value="Light"),
        done(),
    ],
}
