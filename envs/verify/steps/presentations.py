"""Setup step that makes a presentation. Equal steps make equal bytes.

    {"type": "presentation", "parameters": {"path": ".../talk.pptx", "slides": [{"title": "Plan",
     "body": ["First", "Second"], "notes": "Slowly."}]}}

A slide may have title and body (a list of paragraphs), subtitle, shapes, notes, background
("FFEE00"), hidden. A shape is {"kind": "text", "rect", "ellipse", ... (names of preset shapes),
"text" or "paragraphs", "at": [x, y, width, height] (cm), "fill", "line"} or {"table": rows, "at"}.
A paragraph is a text or {"text" or "runs", "align", "level"} with the marks of its runs: bold,
italic, underline, strike, color, size (points), font.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envs.verify.machine import Machine
from envs.verify.makers.presentations import presentation_bytes
from envs.verify.setup import step
from envs.verify.steps.files import place


@step("presentation")
async def presentation(machine: Machine, given: Mapping[str, Any]) -> None:
    place(machine, given["path"]).write_bytes(presentation_bytes(given))
