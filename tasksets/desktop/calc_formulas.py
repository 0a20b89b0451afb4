"""Tasks in Calc about formulas: sums, averages, balances, look-ups."""

from __future__ import annotations

import random
from typing import Any

from tasksets.desktop.actions import finish, tool, type_text
from tasksets.desktop.calc_workbook import (
    SAVE,
    Rows,
    fill_cells,
    formula_cell,
    open_workbook,
    sample_amounts,
    sample_sales,
    select_cells,
    workbook_check,
    workbook_path,
)
from tasksets.desktop.template import CALC, DesktopTemplate, Draft
from tasksets.desktop.vocabulary import ITEMS


def calc_total(rng: random.Random) -> Draft:
    """The sum of a column, as a formula below it."""
    rows = sample_amounts(rng, 4, 7)
    path = workbook_path("expenses")
    cell, text = f"B{len(rows) + 1}", f"=SUM(B2:B{len(rows)})"
    total = sum(row[1] for row in rows[1:])
    return Draft(
        instruction=f"Put the sum of the Amount column into {cell} as a formula and save the file.",
        config=open_workbook(path, {"Sheet1": rows}),
        evaluator=workbook_check(
            path,
            {"Sheet1": [*rows, [None, formula_cell(total)]]},
            references={"Sheet1": {cell: [f"B2:B{len(rows)}"]}},
        ),
        api=[tool("calc.set_cell", cell=cell, value=text), tool("calc.save"), finish()],
        gui=[select_cells(cell), type_text(text, submit=True), *SAVE, finish()],
    )


def calc_wrong_total(rng: random.Random) -> Draft:
    """A sum that misses its last rows is corrected."""
    rows = sample_amounts(rng, 6, 9)
    path = workbook_path("stock")
    last = len(rows)
    cell, wrong_last = f"B{last + 1}", last - rng.randint(1, 3)
    total = sum(row[1] for row in rows[1:])
    before: Rows = [*rows, ["Total", f"=SUM(B2:B{wrong_last})"]]
    correct = f"=SUM(B2:B{last})"
    return Draft(
        instruction=f"The total in {cell} of stock.xlsx leaves out some of the items. Correct its "
        "formula so that it adds up all of them, and save the file.",
        config=open_workbook(path, {"Stock": before}),
        evaluator=workbook_check(
            path,
            {"Stock": [*rows, ["Total", formula_cell(total)]]},
            references={"Stock": {cell: [f"B2:B{last}"]}},
        ),
        api=[
            tool("calc.read_range", show="formulas"),
            tool("calc.set_cell", cell=cell, value=correct),
            tool("calc.save"),
            finish(),
        ],
        gui=[select_cells(cell), type_text(correct, submit=True), *SAVE, finish()],
    )


def calc_group_average(rng: random.Random) -> Draft:
    """The average of each group, by formulas beside the groups' names."""
    rows, cities = sample_sales(rng)
    path = workbook_path("sales")
    last = len(rows)
    labels = ["City", *cities]
    means: list[Any] = ["Average", *(formula_cell(_city_average(rows, city)) for city in cities)]
    label_cells = [[None, label] for label in labels] + [[]] * (last - len(labels))
    before = [[*row, *more] for row, more in zip(rows, label_cells, strict=True)]
    before[0].append("Average")
    after = [[*row, *more] for row, more in zip(rows, label_cells, strict=True)]
    for row, mean in zip(after, means, strict=False):
        row.append(mean)
    text = f"=AVERAGEIF(B$2:B${last};E2;C$2:C${last})"
    cells = f"F2:F{len(cities) + 1}"
    return Draft(
        instruction=f"In sales.xlsx, fill {cells} with the average Amount of the city named beside "
        "it in column E. Use formulas, then save the file.",
        config=open_workbook(path, {"Sales": before}),
        evaluator=workbook_check(
            path,
            {"Sales": after},
            references={"Sales": {f"F{2 + i}": [f"C2:C{last}"] for i in range(len(cities))}},
        ),
        api=[tool("calc.fill_formula", range=cells, formula=text), tool("calc.save"), finish()],
        gui=[*fill_cells(cells, text.replace(";", ",")), *SAVE, finish()],
    )


def _city_average(rows: Rows, city: str) -> float:
    numbers = [row[2] for row in rows if row[1] == city]
    return float(sum(numbers) / len(numbers))


def calc_running_balance(rng: random.Random) -> Draft:
    """A column that adds up the one beside it, row by row."""
    items = rng.sample(ITEMS, rng.randint(5, 8))
    rows: Rows = [["Booking", "Amount", "Balance"]]
    rows += [[item, rng.choice((-1, 1)) * rng.randint(5, 80)] for item in items]
    path = workbook_path("account")
    last = len(rows)
    after: Rows = [rows[0]]
    balance = 0
    for row in rows[1:]:
        balance += row[1]
        after.append([*row, formula_cell(balance)])
    text = "=SUM(B$2:B2)"
    return Draft(
        instruction="In account.xlsx, fill the Balance column for every booking with a formula "
        "that gives the sum of all amounts from the first booking down to that row. Save the file.",
        config=open_workbook(path, {"Account": rows}),
        evaluator=workbook_check(
            path,
            {"Account": after},
            references={"Account": {f"C{row}": [f"B{row}"] for row in range(2, last + 1)}},
        ),
        api=[
            tool("calc.fill_formula", range=f"C2:C{last}", formula=text),
            tool("calc.save"),
            finish(),
        ],
        gui=[*fill_cells(f"C2:C{last}", text), *SAVE, finish()],
    )


def calc_lookup(rng: random.Random) -> Draft:
    """Prices looked up on another sheet."""
    prices = sample_amounts(rng, 6, 9)
    prices[0] = ["Item", "Price"]
    table = dict(prices[1:])
    ordered = rng.choices(list(table), k=rng.randint(4, 7))
    rows: Rows = [["Item", "Quantity", "Price"], *([item, rng.randint(1, 9)] for item in ordered)]
    after: Rows = [rows[0], *([*row, formula_cell(table[row[0]])] for row in rows[1:])]
    path = workbook_path("orders")
    cells = f"C2:C{len(rows)}"
    return Draft(
        instruction="In orders.xlsx, fill the Price column of the sheet Orders with formulas that "
        "look each item up on the sheet Prices. Save the file.",
        config=open_workbook(path, {"Orders": rows, "Prices": prices}),
        evaluator=workbook_check(
            path,
            {"Orders": after, "Prices": prices},
            references={
                "Orders": {
                    f"C{row}": [f"A{row}", f"Prices!B2:B{len(prices)}"]
                    for row in range(2, len(rows) + 1)
                }
            },
        ),
        api=[
            tool(
                "calc.fill_formula",
                range=cells,
                formula=f"=VLOOKUP(A2;$Prices.A$2:B${len(prices)};2;0)",
            ),
            tool("calc.save"),
            finish(),
        ],
        gui=[
            *fill_cells(cells, f"=VLOOKUP(A2,$Prices.A$2:B${len(prices)},2,0)"),
            *SAVE,
            finish(),
        ],
    )


TEMPLATES = (
    DesktopTemplate(name="calc_total", apps=(CALC,), sample_draft=calc_total),
    DesktopTemplate(name="calc_wrong_total", apps=(CALC,), sample_draft=calc_wrong_total),
    DesktopTemplate(
        name="calc_group_average", apps=(CALC,), sample_draft=calc_group_average, max_steps=20
    ),
    DesktopTemplate(name="calc_running_balance", apps=(CALC,), sample_draft=calc_running_balance),
    DesktopTemplate(name="calc_lookup", apps=(CALC,), sample_draft=calc_lookup),
)
