"""Tasks in Calc about how cells look: formats, colours, widths, hidden rows."""

from __future__ import annotations

import random

from envs.gyms.desktop.sheets import (
    SAVE,
    SAVE_AFTER_DIALOG,
    Rows,
    amounts,
    document,
    goto,
    opened,
    sales,
    saved,
)
from envs.gyms.desktop.template import Draft, check, click, done, key, template, tool
from envs.gyms.desktop.words import ITEMS

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
            {"type": "wait", "ms": 700},
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
            *SAVE_AFTER_DIALOG,
            done(),
        ],
    )  # fmt: skip
