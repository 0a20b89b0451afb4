"""Tasks in Calc."""

from __future__ import annotations

import random

from envs.gyms.desktop.template import (
    DOCUMENTS,
    Draft,
    both,
    check,
    done,
    key,
    nothing_else,
    template,
    tool,
    typed,
)
from envs.gyms.desktop.words import ITEMS

OPEN = "open"


@template("libreoffice_calc")
def calc_total(rng: random.Random) -> Draft:
    """The sum of a column, as a formula below it."""
    items = rng.sample(ITEMS, rng.randint(4, 7))
    rows: list[list[str | float]] = [["Item", "Amount"]]
    rows += [[item, rng.randint(3, 90)] for item in items]
    path = f"{DOCUMENTS}/expenses.xlsx"
    cell = f"B{len(rows) + 1}"
    formula = f"=SUM(B2:B{len(rows)})"
    total = sum(row[1] for row in rows[1:] if isinstance(row[1], int))
    return Draft(
        instruction=f"Put the sum of the Amount column into {cell} as a formula and save the file.",
        config=[
            {"type": "workbook", "parameters": {"path": path, "sheets": {"Sheet1": rows}}},
            {"type": OPEN, "parameters": {"path": path}},
        ],
        evaluator=both(
            check("workbook_is", path,
                  {"Sheet1": [*rows, [None, {"value": total, "formula": True}]]}),
            nothing_else(changed=[path]),
        ),
        api=[tool("calc.set_cell", cell=cell, value=formula), tool("calc.save"), done()],
        gui=[
            {"type": "type", "target": {"named": "Formula Tool Bar", "role": "box"}, "text": cell,
             "clear": True, "submit": True},
            typed(formula, submit=True),
            key("ctrl", "s"),
            key("enter"),
            done(),
        ],
    )  # fmt: skip
