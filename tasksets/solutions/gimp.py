"""Solutions of tasks on GIMP's preferences and docks, and on a picture that is open; a task's
postconfig exports it."""

from __future__ import annotations

from collections.abc import Sequence

from tasksets.desktop.actions import click, finish, key, tool, type_text, wait
from tasksets.desktop.template import HOME, Json

OPEN_PREFERENCES: list[Json] = [key("slash"), type_text("preferences"), wait(1500), key("Enter")]
"""Opens the preferences by GIMP's command search, whose list of hits takes a moment."""


def _call(name: str, /, **arguments: object) -> list[Json]:
    return [tool(name, **arguments), finish()]


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
    "72f83cdc-bf76-4531-9a1b-eb893a13f8aa": _call("gimp.flip", direction="horizontal"),
    "06ca5602-62ca-47f6-ad4f-da151cde54cc": _call("gimp.convert", mode="indexed"),
    "77b8ab4d-994f-43ac-8930-8ca087d7c4b4": _call(
        "gimp.export", path=f"{HOME}/Desktop/export.jpg", quality=95
    ),
    "7a4deb26-d57d-4ea9-9a73-630f66a7b568": _call("gimp.brightness_contrast", brightness=-30),
    "f723c744-e62c-4ae6-98d1-750d3cd7d79d": _call("gimp.brightness_contrast", contrast=25),
    "554785e9-4523-4e7a-b8e1-8016f565f56a": _call("gimp.hue_saturation", saturation=40),
    "2a729ded-3296-423d-aec4-7dd55ed5fbb3": _call(
        "gimp.transparent_background", background="white"
    ),
}
