"""Setup step that makes a text document. Equal steps make equal bytes.

    {"type": "document", "parameters": {"path": ".../letter.docx", "body": ["Dear Ada,", ...]}}

A block of `body` is a text, {"text" or "runs", ...} or {"table": rows}. A paragraph may say style,
align, spacing (lines), before, after (points), indent (cm), list ("bullet" or "number"), break
(begins a page). A run is a text or {"text", ...} with bold, italic, underline, strike, color and
highlight ("FF0000"), size (points), font, script ("super" or "sub"), link (an address); a paragraph
may say the same of its whole text. A table's cell is a paragraph. `header`, `footer`: paragraphs,
where {page} and {pages} are numbers. `page`: width, height, top, bottom, left, right (cm), columns.
`comments`: [text, index of its block].
"""

from __future__ import annotations

from envs.osworld.format.getters import Parameters
from envs.osworld.format.makers.documents import document_bytes
from envs.osworld.inside.machine import Machine
from envs.osworld.inside.steps.files import prepare_path


async def document(machine: Machine, parameters: Parameters) -> None:
    """Writes a .docx file."""
    prepare_path(machine, parameters["path"]).write_bytes(document_bytes(parameters))
