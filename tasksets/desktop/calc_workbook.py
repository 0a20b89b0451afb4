"""What tasks in Calc share: sample tables, an open workbook, its evaluator, the oracle's keys."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from tasksets.desktop.actions import click, key, type_into, wait
from tasksets.desktop.checks import all_of, check_file, only_changed
from tasksets.desktop.setup_steps import create_workbook, open_path
from tasksets.desktop.template import DOCUMENTS, Json
from tasksets.desktop.vocabulary import CITIES, ITEMS, PEOPLE

Rows = list[list[Any]]
Sheets = dict[str, Rows]
SAVE: tuple[Json, ...] = (click("Save", "button"), wait(1000))
"""Saves as a person does, and waits for the file. The button is in the tree only when no dialog is
in front."""
SAVE_AFTER_DIALOG: tuple[Json, ...] = (wait(1000), key("ctrl", "s"), wait(1500))
"""By keys: LibreOffice may misplace its tool bar's buttons in the tree after a dialog was open."""


def workbook_path(name: str) -> str:
    """Path of a workbook in Documents."""
    return f"{DOCUMENTS}/{name}.xlsx"


def open_workbook(path: str, sheets: Sheets) -> list[Json]:
    """Setup: the workbook, open in Calc."""
    return [create_workbook(path, sheets), open_path(path)]


def workbook_check(
    path: str,
    sheets: Sheets,
    formatting: Mapping[str, Any] | None = None,
    references: Mapping[str, Mapping[str, Sequence[str]]] | None = None,
) -> Json:
    """Evaluator: the workbook has exactly these cells and no other file changed.

    formatting: by sheet, see `envs.osworld.outside.metrics.sheet_formatting`; others are plain.
    references: by sheet and cell what a formula must refer to, see
    `envs.osworld.outside.metrics.formulas`.
    """
    return all_of(
        check_file("workbook_is", path, sheets),
        check_file("workbook_looks", path, dict(formatting or {})),
        *([check_file("formulas_use", path, dict(references))] if references else []),
        only_changed(changed=[path]),
    )


def formula_cell(value: float | str) -> Json:
    """A cell that must be a formula with this value."""
    return {"value": value, "formula": True}


def select_cells(cells: str) -> Json:
    """Selects cells through the Name Box, such as B2, B2:C9 or 4:4."""
    return type_into("Formula Tool Bar", cells, clear=True, submit=True)


def fill_cells(cells: str, text: str) -> Sequence[Json]:
    """Enters a formula or text into all of a range: Alt+Enter adapts relative references."""
    return (select_cells(cells), {"type": "type", "text": text}, key("alt", "enter"))


def sample_amounts(rng: random.Random, low: int = 5, high: int = 8) -> Rows:
    """Between `low` and `high` items with distinct amounts, below a header."""
    items = rng.sample(ITEMS, rng.randint(low, high))
    numbers = rng.sample(range(3, 96), len(items))
    return [["Item", "Amount"], *map(list, zip(items, numbers, strict=True))]


def sample_sales(rng: random.Random) -> tuple[Rows, list[str]]:
    """Rows of person, city and amount below a header, and the cities, each at least twice."""
    cities = rng.sample(CITIES, 3)
    people = rng.sample(PEOPLE, rng.randint(7, 9))
    city_of_row = [*cities, *cities, *rng.choices(cities, k=len(people) - 6)]
    rng.shuffle(city_of_row)
    numbers = rng.sample(range(10, 200), len(people))
    rows = [list(row) for row in zip(people, city_of_row, numbers, strict=True)]
    return [["Name", "City", "Amount"], *rows], cities
