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

from envs.osworld.format.getters import Parameters
from envs.osworld.format.makers.presentations import presentation_bytes
from envs.osworld.inside.machine import Machine
from envs.osworld.inside.steps.files import prepare_path


async def presentation(machine: Machine, parameters: Parameters) -> None:
    """Writes a .pptx file."""
    prepare_path(machine, parameters["path"]).write_bytes(presentation_bytes(parameters))
