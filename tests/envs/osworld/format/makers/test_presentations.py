"""Equal contents make equal bytes."""

from __future__ import annotations

import copy
from typing import Any

from envs.osworld.format.makers.presentations import presentation_bytes

SLIDES: list[dict[str, Any]] = [
    {"title": "Plan", "subtitle": "by Ada"},
    {
        "title": {"text": "Goals", "bold": True},
        "body": [
            {"text": "First"},
            {"runs": ["Sec", {"text": "ond", "color": "FF0000", "underline": True}], "level": 1},
            {"text": "Third", "align": "right", "italic": True, "strike": True, "size": 20},
        ],
        "notes": "Slowly.",
    },
    {
        "title": "Shapes",
        "background": "DDEEFF",
        "shapes": [
            {"kind": "text", "text": "Box", "at": [2, 5, 8, 2]},
            {"kind": "rect", "text": "R", "at": [2, 8, 5, 3], "fill": "FFCC00"},
            {"kind": "ellipse", "at": [12, 8, 5, 3], "fill": "00CC00", "line": "0000FF"},
            {"table": [["a", "b"], ["1", "2"]], "at": [2, 13, 16, 3]},
        ],
    },
    {"hidden": True, "shapes": [{"kind": "text", "text": "Only", "at": [2, 5, 8, 2]}]},
]


def test_equal_contents_make_equal_bytes() -> None:
    same = {"slides": copy.deepcopy(SLIDES)}
    assert presentation_bytes({"slides": SLIDES}) == presentation_bytes(same)
