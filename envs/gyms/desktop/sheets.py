"""What tasks in Calc are made of: a workbook that is open, its strict evaluator, ways to a cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envs.gyms.desktop.template import DOCUMENTS, Json, both, check, click, key, nothing_else

Rows = list[list[Any]]
Sheets = dict[str, Rows]
SAVE: tuple[Json, ...] = (click("Save", "button"), {"type": "wait", "ms": 1000})
"""A person's way to save, and the moment that writing takes. The button is found only when no
dialog is in front."""


def document(name: str) -> str:
    return f"{DOCUMENTS}/{name}.xlsx"


def opened(path: str, sheets: Sheets) -> list[Json]:
    """Setup: the workbook, open in Calc."""
    return [
        {"type": "workbook", "parameters": {"path": path, "sheets": sheets}},
        {"type": "open", "parameters": {"path": path}},
    ]


def saved(path: str, sheets: Sheets, looks: Mapping[str, Any] | None = None) -> Json:
    """Evaluator: the workbook has just these cells, looks so and otherwise plain (see
    `envs.verify.metrics.sheet_looks`), and no other file changed."""
    return both(
        check("workbook_is", path, sheets),
        check("workbook_looks", path, dict(looks or {})),
        nothing_else(changed=[path]),
    )


def formula(value: float | str) -> Json:
    """A cell that must be a formula with this value."""
    return {"value": value, "formula": True}


def goto(cells: str) -> Json:
    """Selects cells through the Name Box, such as B2, B2:C9 or 4:4."""
    return {"type": "type", "target": {"named": "Formula Tool Bar", "role": "box"}, "text": cells,
            "clear": True, "submit": True}  # fmt: skip


def fill(cells: str, text: str) -> Sequence[Json]:
    """Enters a formula or text into all of a range: Alt+Enter moves references along."""
    return (goto(cells), {"type": "type", "text": text}, key("alt", "enter"))
