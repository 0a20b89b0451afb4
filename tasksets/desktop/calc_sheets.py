"""Tasks in Calc about sheets, and about charts, pivot tables and drop-down lists on them."""

from __future__ import annotations

import random

from tasksets.desktop.actions import click, finish, tool, type_into, type_text, wait
from tasksets.desktop.calc_workbook import (
    SAVE,
    SAVE_AFTER_DIALOG,
    Rows,
    formula_cell,
    open_workbook,
    sample_amounts,
    sample_sales,
    select_cells,
    workbook_check,
    workbook_path,
)
from tasksets.desktop.template import CALC, DesktopTemplate, Draft

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def calc_freeze_header(rng: random.Random) -> Draft:
    """The header row, or it and the first column, stay in view."""
    rows, _ = sample_sales(rng)
    cell = rng.choice(("A2", "B2"))
    frozen_part = "the header row" if cell == "A2" else "the header row and the first column"
    path = workbook_path("log")
    return Draft(
        instruction=f"In log.xlsx, freeze {frozen_part} so that scrolling keeps it in view, and "
        "save the file.",
        config=open_workbook(path, {"Log": rows}),
        evaluator=workbook_check(path, {"Log": rows}, formatting={"Log": {"freeze": cell}}),
        api=[tool("calc.freeze_panes", cell=cell), tool("calc.save"), finish()],
        gui=[
            select_cells(cell),
            click("View", "menu"),
            click("Freeze Rows and Columns", "menu"),
            *SAVE,
            finish(),
        ],
    )


def calc_rename_sheet(rng: random.Random) -> Draft:
    """A sheet is renamed; a formula on another sheet follows."""
    rows = sample_amounts(rng)
    month = rng.choice(MONTHS)
    total = sum(row[1] for row in rows[1:])
    path = workbook_path("report")
    summary: Rows = [["Total", f"=SUM(Sheet1!B2:B{len(rows)})"]]
    after = {month: rows, "Summary": [["Total", formula_cell(total)]]}
    return Draft(
        instruction=f"In report.xlsx, rename the sheet Sheet1 to {month} and save the file.",
        config=open_workbook(path, {"Sheet1": rows, "Summary": summary}),
        evaluator=workbook_check(path, after),
        api=[
            tool("calc.rename_sheet", name="Sheet1", new_name=month),
            tool("calc.save"),
            finish(),
        ],
        gui=[
            click("Sheet", "menu"),
            click("Rename Sheet...", "menu"),
            type_into("Rename Sheet", month, clear=True),
            click("OK", "button"),
            *SAVE_AFTER_DIALOG,
            finish(),
        ],
    )


def calc_copy_sheet(rng: random.Random) -> Draft:
    """A copy of a sheet under a new name, at the end."""
    rows = sample_amounts(rng)
    first, second = rng.sample(MONTHS, 2)
    other = sample_amounts(rng, 3, 4)
    path = workbook_path("months")
    return Draft(
        instruction=f"In months.xlsx, make a copy of the sheet {first}, name it {second}, put it "
        "after all other sheets, and save the file.",
        config=open_workbook(path, {first: rows, "Notes": other}),
        evaluator=workbook_check(path, {first: rows, "Notes": other, second: rows}),
        api=[
            tool("calc.copy_sheet", name=first, new_name=second),
            tool("calc.save"),
            finish(),
        ],
        gui=[
            click("Sheet", "menu"),
            click("Move or Copy Sheet...", "menu"),
            click("Copy", "radio"),
            click("- move to end position -", "cell"),
            type_into("New name", second, clear=True),
            click("Copy", "button"),
            *SAVE_AFTER_DIALOG,
            finish(),
        ],
    )


def calc_order_sheets(rng: random.Random) -> Draft:
    """Sheets of months in the order of the year."""
    order = sorted(rng.sample(range(len(MONTHS)), 4))
    names = [MONTHS[index] for index in order]
    shuffled = list(names)
    while shuffled == names:
        rng.shuffle(shuffled)
    sheets = {name: sample_amounts(rng, 3, 4) for name in shuffled}
    path = workbook_path("year")
    return Draft(
        instruction="The sheets of year.xlsx are named after months. Put them into the order of "
        "the year, January first, and save the file.",
        config=open_workbook(path, sheets),
        evaluator=workbook_check(path, {name: sheets[name] for name in names}),
        api=[tool("calc.order_sheets", names=names), tool("calc.save"), finish()],
    )


def calc_chart(rng: random.Random) -> Draft:
    """A column or line chart of a table."""
    rows = sample_amounts(rng, 4, 7)
    kind = rng.choice(("column", "line", "pie"))
    path = workbook_path("chart")
    last = len(rows)
    title = rng.choice(("Spending", "Office costs", "What we bought"))
    chart = {
        "kind": kind,
        "title": title,
        "values": [f"Costs!B2:B{last}"],
        "categories": f"Costs!A2:A{last}",
    }
    evaluator = workbook_check(path, {"Costs": rows}, formatting={"Costs": {"charts": [chart]}})
    return Draft(
        instruction=f"In chart.xlsx, insert a {kind} chart of the table on the sheet Costs (items "
        f'as labels, amounts as values) with the title "{title}". Save the file.',
        config=open_workbook(path, {"Costs": rows}),
        evaluator=evaluator,
        api=[
            tool("calc.create_chart", range=f"A1:B{last}", kind=kind, title=title),
            tool("calc.save"),
            finish(),
        ],
        gui=[
            select_cells(f"A1:B{last}"),
            click("Insert", "menu"),
            click("Chart...", "menu"),
            click(kind.capitalize(), "cell"),
            click("Next >", "button"),
            click("Next >", "button"),
            click("Next >", "button"),
            wait(500),
            type_text(title),
            click("Finish", "button"),
            select_cells("E30"),
            *SAVE,
            finish(),
        ],
    )


def calc_dropdown(rng: random.Random) -> Draft:
    """Cells that offer a list of choices."""
    rows = sample_amounts(rng)
    rows[0] = ["Item", "Amount", "Status"]
    choices = rng.choice((["Open", "Paid", "Late"], ["Yes", "No"], ["Low", "Medium", "High"]))
    cells = f"C2:C{len(rows)}"
    path = workbook_path("status")
    rule = [cells, "list", None, f'"{",".join(choices)}"', None]
    return Draft(
        instruction=f"In status.xlsx, let the cells {cells} take only these values, offered as a "
        f"drop-down list in this order: {', '.join(choices)}. Leave the cells empty and save the "
        "file.",
        config=open_workbook(path, {"Status": rows}),
        evaluator=workbook_check(
            path, {"Status": rows}, formatting={"Status": {"validations": [rule]}}
        ),
        api=[
            tool("calc.set_validation_list", range=cells, values=choices),
            tool("calc.save"),
            finish(),
        ],
    )


def calc_pivot(rng: random.Random) -> Draft:
    """A pivot table on a sheet of its own."""
    rows, cities = sample_sales(rng)
    path = workbook_path("pivot")
    sums = [(city, sum(row[2] for row in rows if row[1] == city)) for city in sorted(cities)]
    table = [["City", "Sum - Amount"], *map(list, sums)]
    last = len(table) + 1
    total = ["Total Result", sum(amount for _, amount in sums)]
    pivot = {
        "source": f"Data!A1:C{len(rows)}",
        "rows": ["City"],
        "columns": [],
        "values": [["Amount", "sum"]],
    }
    return Draft(
        instruction="In pivot.xlsx, make a pivot table of the data on the sheet Data: the cities "
        "as rows, the sum of Amount as values. Put it on the empty sheet Pivot from A1 on, and "
        "save the file.",
        config=open_workbook(path, {"Data": rows, "Pivot": [[None]]}),
        evaluator=workbook_check(
            path,
            {"Data": rows, "Pivot": [*table, total]},
            formatting={"Pivot": {"pivots": [pivot], "bold": {f"A{last}:B{last}": True}}},
        ),
        api=[
            tool(
                "calc.create_pivot",
                range=f"Data.A1:C{len(rows)}",
                rows=["City"],
                values=["Amount"],
                to="Pivot.A1",
            ),
            tool("calc.save"),
            finish(),
        ],
    )


TEMPLATES = (
    DesktopTemplate(name="calc_freeze_header", apps=(CALC,), sample_draft=calc_freeze_header),
    DesktopTemplate(name="calc_rename_sheet", apps=(CALC,), sample_draft=calc_rename_sheet),
    DesktopTemplate(name="calc_copy_sheet", apps=(CALC,), sample_draft=calc_copy_sheet),
    DesktopTemplate(name="calc_order_sheets", apps=(CALC,), sample_draft=calc_order_sheets),
    DesktopTemplate(name="calc_chart", apps=(CALC,), sample_draft=calc_chart, max_steps=20),
    DesktopTemplate(name="calc_dropdown", apps=(CALC,), sample_draft=calc_dropdown, max_steps=20),
    DesktopTemplate(name="calc_pivot", apps=(CALC,), sample_draft=calc_pivot),
)
