"""What tasks in Calc are made of: tables, an open workbook, its evaluator, ways to a cell."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from envs.gyms.desktop.template import DOCUMENTS, Json, both, check, click, key, nothing_else
from envs.gyms.desktop.words import CITIES, ITEMS, PEOPLE

Rows = list[list[Any]]
Sheets = dict[str, Rows]
SAVE: tuple[Json, ...] = (click("Save", "button"), {"type": "wait", "ms": 1000})
"""A person's way to save, and the moment that writing takes. The button is found only when no
dialog is in front."""
SAVE_AFTER_DIALOG: tuple[Json, ...] = (
    {"type": "wait", "ms": 1000},
    key("ctrl", "s"),
    {"type": "wait", "ms": 1500},
)
"""By keys: LibreOffice may misplace its tool bar's buttons in the tree after a dialog was open."""


def document(name: str) -> str:
    return f"{DOCUMENTS}/{name}.xlsx"


def opened(path: str, sheets: Sheets) -> list[Json]:
    """Setup: the workbook, open in Calc."""
    return [
        {"type": "workbook", "parameters": {"path": path, "sheets": sheets}},
        {"type": "open", "parameters": {"path": path}},
    ]


def saved(
    path: str,
    sheets: Sheets,
    looks: Mapping[str, Any] | None = None,
    uses: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
) -> Json:
    """Evaluator: the workbook has just these cells, looks so and otherwise plain (see
    `envs.verify.metrics.sheet_looks`), its formulas refer to `uses` (see
    `envs.verify.metrics.formulas`), and no other file changed."""
    return both(
        check("workbook_is", path, sheets),
        check("workbook_looks", path, dict(looks or {})),
        *([check("formulas_use", path, dict(uses))] if uses else []),
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


def amounts(rng: random.Random, low: int = 5, high: int = 8) -> Rows:
    """Items with distinct amounts below a header."""
    items = rng.sample(ITEMS, rng.randint(low, high))
    numbers = rng.sample(range(3, 96), len(items))
    return [["Item", "Amount"], *map(list, zip(items, numbers, strict=True))]


def sales(rng: random.Random) -> tuple[Rows, list[str]]:
    """Rows of person, city and amount below a header, and the cities, each at least twice."""
    cities = rng.sample(CITIES, 3)
    people = rng.sample(PEOPLE, rng.randint(7, 9))
    where = [*cities, *cities, *rng.choices(cities, k=len(people) - 6)]
    rng.shuffle(where)
    numbers = rng.sample(range(10, 200), len(people))
    rows = [list(row) for row in zip(people, where, numbers, strict=True)]
    return [["Name", "City", "Amount"], *rows], cities
