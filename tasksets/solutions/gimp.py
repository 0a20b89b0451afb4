"""Solutions of tasks on GIMP's preferences and docks."""

from __future__ import annotations

from collections.abc import Sequence

from tasksets.desktop.actions import click, finish, key, tool, type_text, wait
from tasksets.desktop.template import Json

OPEN_PREFERENCES: list[Json] = [key("slash"), type_text("preferences"), wait(1500), key("Enter")]
"""Opens the preferences by GIMP's command search, whose list of hits takes a moment."""

GIMP: dict[str, Sequence[Json]] = {
    "d52d6308-ec58-42b7-a2c9-de80e4837b2b": [key("Tab"), finish()],
    "7b7617bd-57cc-468e-9c91-40c4ec2bcb3d": [
        *OPEN_PREFERENCES,
        click("System Resources", "cell"),
        key("alt", "u"),
        type_text("100"),
        key("Tab"),
        click("OK", "button"),
        finish(),
    ],
    "7767eef2-56a3-4cea-8c9f-48c070c7d65b": [
        tool("gimp.set_setting", setting="theme", value="Light"),
        finish(),
    ],
}
