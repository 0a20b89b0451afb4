"""Tasks in Calc about sheets and how they look: formats, panes, charts, rules, pivot tables."""

from __future__ import annotations

import random

from envs.gyms.desktop.sheets import (
    SAVE,
    Rows,
    amounts,
    document,
    formula,
    goto,
    opened,
    sales,
    saved,
)
from envs.gyms.desktop.template import Draft, check, click, done, key, template, tool, typed
from envs.gyms.desktop.words import ITEMS

MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
COLOURS = {"yellow": "FFFF00", "red": "FF0000", "blue": "0000FF"}


@template("libreoffice_calc")
def calc_number_format(rng: random.Random) -> Draft:
    """Numbers shown as money, as percentages, or with decimals."""
    word, code, name, button = rng.choice(
        (
            ("in dollars, with two decimals and thousands separators", "$#,##0.00", "currency",
             "Currency"),
            ("as percentages with two decimals", "0.00%", "percent", "Percent"),
            ("with two decimals and thousands separators", "#,##0.00", "#,##0.00", "Number"),
        )
    )  # fmt: skip
    items = rng.sample(ITEMS, rng.randint(4, 7))
    scale = 1 if name == "percent" else 2000
    rows: Rows = [["Item", "Value", "Code"]]
    rows += [[item, round(rng.random() * scale, 3), rng.randint(100, 999)] for item in items]
    path = document("values")
    cells = f"B2:B{len(rows)}"
    return Draft(
        instruction=f"In values.xlsx, show the numbers in {cells} {word}. Change only how they are "
        "shown, not their values, and save the file.",
        config=opened(path, {"Values": rows}),
        evaluator=saved(path, {"Values": rows}, {"Values": {"format": {cells: code}}}),
        api=[
            tool("calc.set_number_format", range=cells, format=name),
            tool("calc.save"),
            done(),
        ],
        gui=[goto(cells), click(button, "button"), *SAVE, done()],
    )


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
            *SAVE,
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
            *SAVE,
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


@template("libreoffice_calc")
def calc_highlight(rng: random.Random) -> Draft:
    """Cells that change colour with their value."""
    rows = amounts(rng)
    limit = sorted(row[1] for row in rows[1:])[len(rows) // 2]
    colour = rng.choice(tuple(COLOURS))
    above = rng.random() < 0.5
    operator, written = (">", "greaterThan") if above else ("<", "lessThan")
    cells = f"B2:B{len(rows)}"
    path = document("limits")
    rule = [cells, written, [str(limit)], COLOURS[colour]]
    return Draft(
        instruction=f"In limits.xlsx, add a conditional format to {cells} that gives cells "
        f"{'greater' if above else 'less'} than {limit} a {colour} background "
        f"(#{COLOURS[colour]}). Save the file.",
        config=opened(path, {"Limits": rows}),
        evaluator=saved(path, {"Limits": rows}, {"Limits": {"conditions": [rule]}}),
        api=[
            tool("calc.conditional_format", range=cells, operator=operator, value=limit,
                 background=f"#{COLOURS[colour]}"),
            tool("calc.save"),
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


@template("libreoffice_calc", max_steps=30)
def calc_hide_rows(rng: random.Random) -> Draft:
    """Rows of a kind hidden, not deleted."""
    rows = amounts(rng, 5, 8)
    rows[0] = ["Item", "Amount", "State"]
    states = ["closed", "closed", "open", *rng.choices(("open", "late"), k=len(rows) - 4)]
    rng.shuffle(states)
    rows = [rows[0], *([*row, state] for row, state in zip(rows[1:], states, strict=True))]
    hidden = [number for number, row in enumerate(rows, 1) if row[2] == "closed"]
    path = document("cases")
    evaluator = saved(path, {"Cases": rows}, {"Cases": {"hidden_rows": hidden}})
    hide = [
        action
        for number in hidden
        for action in (
            goto(f"{number}:{number}"),
            click("Format", "menu"),
            click("Rows", "menu"),
            click("Hide", "menu"),
        )
    ]
    return Draft(
        instruction="In cases.xlsx, hide the rows whose State is closed. Do not delete or filter "
        "them. Save the file.",
        config=opened(path, {"Cases": rows}),
        evaluator=evaluator,
        api=[tool("calc.hide_rows_with", value="closed"), tool("calc.save"), done()],
        gui=[*hide, *SAVE, done()],
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


@template("libreoffice_calc")
def calc_title_row(rng: random.Random) -> Draft:
    """A title across the table: merged, centred, bold."""
    rows, _ = sales(rng)
    title = rng.choice(("Sales by person", "Team results", "Regional sales"))
    path = document("titled")
    before: Rows = [[title], *rows]
    looks = {"merged": ["A1:C1"], "bold": {"A1": True}, "align": {"A1": "center"}}
    evaluator = saved(path, {"Team": before}, {"Team": looks})
    evaluator["milestones"] = {
        "merged": check("workbook_shows", path, {"Team": {"merged": ["A1:C1"]}}),
        "bold": check("workbook_shows", path, {"Team": {"bold": {"A1": True}}}),
    }
    return Draft(
        instruction="In titled.xlsx, merge the cells A1:C1 of the title, centre it across them and "
        "make it bold. Save the file.",
        config=opened(path, {"Team": before}),
        evaluator=evaluator,
        api=[
            tool("calc.merge_cells", range="A1:C1", center=True),
            tool("calc.format_range", range="A1", bold=True),
            tool("calc.save"),
            done(),
        ],
        gui=[
            goto("A1:C1"),
            click("Merge and Center Cells", "button"),
            key("ctrl", "b"),
            *SAVE,
            done(),
        ],
    )


@template("libreoffice_calc")
def calc_header_style(rng: random.Random) -> Draft:
    """The header row bold on a coloured background."""
    rows, _ = sales(rng)
    colour = rng.choice(tuple(COLOURS))
    path = document("styled")
    looks = {"bold": {"A1:C1": True}, "fill": {"A1:C1": COLOURS[colour]}}
    return Draft(
        instruction=f"In styled.xlsx, make the header cells A1:C1 bold and give them a {colour} "
        f"background (#{COLOURS[colour]}). Save the file.",
        config=opened(path, {"Sheet1": rows}),
        evaluator=saved(path, {"Sheet1": rows}, {"Sheet1": looks}),
        api=[
            tool("calc.format_range", range="A1:C1", bold=True, background=f"#{COLOURS[colour]}"),
            tool("calc.save"),
            done(),
        ],
    )


@template("libreoffice_calc")
def calc_column_width(rng: random.Random) -> Draft:
    """A column as wide as asked."""
    rows, _ = sales(rng)
    column = rng.choice("ABC")
    width = rng.choice((3.5, 4.0, 5.0, 6.0))
    path = document("wide")
    return Draft(
        instruction=f"In wide.xlsx, set the width of column {column} to {width:g} cm and save the "
        "file.",
        config=opened(path, {"Sheet1": rows}),
        evaluator=saved(path, {"Sheet1": rows}, {"Sheet1": {"widths": {column: width}}}),
        api=[
            tool("calc.set_column_width", columns=column, cm=width),
            tool("calc.save"),
            done(),
        ],
        gui=[
            goto(f"{column}1"),
            click("Format", "menu"),
            click("Columns", "menu"),
            click("Width...", "menu"),
            {"type": "type", "target": {"named": "Column Width", "role": "box"},
             "text": f"{width:g} cm", "clear": True},
            click("OK", "button"),
            *SAVE,
            done(),
        ],
    )  # fmt: skip
