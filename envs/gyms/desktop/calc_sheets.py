"""Tasks in Calc about sheets and what lies on them: names, order, charts, pivots, choices."""

from __future__ import annotations

import random

from envs.gyms.desktop.sheets import (
    SAVE,
    SAVE_AFTER_DIALOG,
    Rows,
    amounts,
    document,
    formula,
    goto,
    opened,
    sales,
    saved,
)
from envs.gyms.desktop.template import Draft, click, done, template, tool, typed

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


@template("libreoffice_calc")
def calc_freeze_header(rng: random.Random) -> Draft:
    """The header row, or it and the first column, stay in view."""
    rows, _ = sales(rng)
    cell = rng.choice(("A2", "B2"))
    what = "the header row" if cell == "A2" else "the header row and the first column"
    path = document("log")
    return Draft(
        instruction=f"In log.xlsx, freeze {what} so that scrolling keeps it in view, and save the "
        "file.",
        config=opened(path, {"Log": rows}),
        evaluator=saved(path, {"Log": rows}, {"Log": {"freeze": cell}}),
        api=[tool("calc.freeze_panes", cell=cell), tool("calc.save"), done()],
        gui=[
            goto(cell),
            click("View", "menu"),
            click("Freeze Rows and Columns", "menu"),
            *SAVE,
            done(),
        ],
    )


@template("libreoffice_calc")
def calc_rename_sheet(rng: random.Random) -> Draft:
    """A sheet gets the name that fits it; a formula elsewhere follows."""
    rows = amounts(rng)
    month = rng.choice(MONTHS)
    total = sum(row[1] for row in rows[1:])
    path = document("report")
    summary: Rows = [["Total", f"=SUM(Sheet1!B2:B{len(rows)})"]]
    after = {month: rows, "Summary": [["Total", formula(total)]]}
    return Draft(
        instruction=f"In report.xlsx, rename the sheet Sheet1 to {month} and save the file.",
        config=opened(path, {"Sheet1": rows, "Summary": summary}),
        evaluator=saved(path, after),
        api=[
            tool("calc.rename_sheet") | {"arguments": {"name": "Sheet1", "new_name": month}},
            tool("calc.save"),
            done(),
        ],
        gui=[
            click("Sheet", "menu"),
            click("Rename Sheet...", "menu"),
            {"type": "type", "target": {"named": "Rename Sheet", "role": "box"}, "text": month,
             "clear": True},
            click("OK", "button"),
            *SAVE_AFTER_DIALOG,
            done(),
        ],
    )  # fmt: skip


@template("libreoffice_calc")
def calc_copy_sheet(rng: random.Random) -> Draft:
    """A copy of a sheet under a new name, at the end."""
    rows = amounts(rng)
    first, second = rng.sample(MONTHS, 2)
    other = amounts(rng, 3, 4)
    path = document("months")
    return Draft(
        instruction=f"In months.xlsx, make a copy of the sheet {first}, name it {second}, put it "
        "after all other sheets, and save the file.",
        config=opened(path, {first: rows, "Notes": other}),
        evaluator=saved(path, {first: rows, "Notes": other, second: rows}),
        api=[
            tool("calc.copy_sheet") | {"arguments": {"name": first, "new_name": second}},
            tool("calc.save"),
            done(),
        ],
        gui=[
            click("Sheet", "menu"),
            click("Move or Copy Sheet...", "menu"),
            click("Copy", "radio"),
            click("- move to end position -", "cell"),
            {"type": "type", "target": {"named": "New name", "role": "box"}, "text": second,
             "clear": True},
            click("Copy", "button"),
            *SAVE_AFTER_DIALOG,
            done(),
        ],
    )  # fmt: skip


@template("libreoffice_calc")
def calc_order_sheets(rng: random.Random) -> Draft:
    """Sheets of months in the order of the year."""
    order = sorted(rng.sample(range(len(MONTHS)), 4))
    names = [MONTHS[index] for index in order]
    mixed = list(names)
    while mixed == names:
        rng.shuffle(mixed)
    sheets = {name: amounts(rng, 3, 4) for name in mixed}
    path = document("year")
    return Draft(
        instruction="The sheets of year.xlsx are named after months. Put them into the order of "
        "the year, January first, and save the file.",
        config=opened(path, sheets),
        evaluator=saved(path, {name: sheets[name] for name in names}),
        api=[tool("calc.order_sheets", names=names), tool("calc.save"), done()],
    )


@template("libreoffice_calc", max_steps=20)
def calc_chart(rng: random.Random) -> Draft:
    """A column or line chart of a table."""
    rows = amounts(rng, 4, 7)
    kind = rng.choice(("column", "line", "pie"))
    path = document("chart")
    last = len(rows)
    title = rng.choice(("Spending", "Office costs", "What we bought"))
    chart = {"kind": kind, "title": title, "values": [f"Costs!B2:B{last}"],
             "categories": f"Costs!A2:A{last}"}  # fmt: skip
    evaluator = saved(path, {"Costs": rows}, {"Costs": {"charts": [chart]}})
    return Draft(
        instruction=f'In chart.xlsx, insert a {kind} chart of the table on the sheet Costs (items '
        f'as labels, amounts as values) with the title "{title}". Save the file.',
        config=opened(path, {"Costs": rows}),
        evaluator=evaluator,
        api=[
            tool("calc.create_chart", range=f"A1:B{last}", kind=kind, title=title),
            tool("calc.save"),
            done(),
        ],
        gui=[
            goto(f"A1:B{last}"),
            click("Insert", "menu"),
            click("Chart...", "menu"),
            click(kind.capitalize(), "cell"),
            click("Next >", "button"),
            click("Next >", "button"),
            click("Next >", "button"),
            {"type": "wait", "ms": 500},
            typed(title),
            click("Finish", "button"),
            goto("E30"),
            *SAVE,
            done(),
        ],
    )  # fmt: skip


@template("libreoffice_calc", max_steps=20)
def calc_dropdown(rng: random.Random) -> Draft:
    """Cells that offer a list of choices."""
    rows = amounts(rng)
    rows[0] = ["Item", "Amount", "Status"]
    choices = rng.choice((["Open", "Paid", "Late"], ["Yes", "No"], ["Low", "Medium", "High"]))
    cells = f"C2:C{len(rows)}"
    path = document("status")
    rule = [cells, "list", None, f'"{",".join(choices)}"', None]
    return Draft(
        instruction=f"In status.xlsx, let the cells {cells} take only these values, offered as a "
        f"drop-down list in this order: {', '.join(choices)}. Leave the cells empty and save the "
        "file.",
        config=opened(path, {"Status": rows}),
        evaluator=saved(path, {"Status": rows}, {"Status": {"validations": [rule]}}),
        api=[
            tool("calc.set_validation_list", range=cells, values=choices),
            tool("calc.save"),
            done(),
        ],
    )


@template("libreoffice_calc")
def calc_pivot(rng: random.Random) -> Draft:
    """A pivot table on a sheet of its own."""
    rows, cities = sales(rng)
    path = document("pivot")
    sums = [(city, sum(row[2] for row in rows if row[1] == city)) for city in sorted(cities)]
    table = [["City", "Sum - Amount"], *map(list, sums)]
    last = len(table) + 1
    total = ["Total Result", sum(amount for _, amount in sums)]
    pivot = {"source": f"Data!A1:C{len(rows)}", "rows": ["City"], "columns": [],
             "values": [["Amount", "sum"]]}  # fmt: skip
    return Draft(
        instruction="In pivot.xlsx, make a pivot table of the data on the sheet Data: the cities "
        "as rows, the sum of Amount as values. Put it on the empty sheet Pivot from A1 on, and "
        "save the file.",
        config=opened(path, {"Data": rows, "Pivot": [[None]]}),
        evaluator=saved(path, {"Data": rows, "Pivot": [*table, total]},
                        {"Pivot": {"pivots": [pivot], "bold": {f"A{last}:B{last}": True}}}),
        api=[
            tool("calc.create_pivot", range=f"Data.A1:C{len(rows)}", rows=["City"],
                 values=["Amount"], to="Pivot.A1"),
            tool("calc.save"),
            done(),
        ],
    )  # fmt: skip
