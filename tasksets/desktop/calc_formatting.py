"""Tasks in Calc about formatting: number formats, colours, widths, hidden rows."""

from __future__ import annotations

import random

from tasksets.desktop.actions import click, finish, key, tool, type_into, wait
from tasksets.desktop.calc_workbook import (
    SAVE,
    SAVE_AFTER_DIALOG,
    Rows,
    open_workbook,
    sample_amounts,
    sample_sales,
    select_cells,
    workbook_check,
    workbook_path,
)
from tasksets.desktop.checks import check_file
from tasksets.desktop.template import CALC, DesktopTemplate, Draft
from tasksets.desktop.vocabulary import ITEMS

COLOURS = {"yellow": "FFFF00", "red": "FF0000", "blue": "0000FF"}


def calc_number_format(rng: random.Random) -> Draft:
    """Numbers shown as money, as percentages, or with decimals."""
    description, code, name, button = rng.choice(
        (
            (
                "in dollars, with two decimals and thousands separators",
                "$#,##0.00",
                "currency",
                "Currency",
            ),
            ("as percentages with two decimals", "0.00%", "percent", "Percent"),
            ("with two decimals and thousands separators", "#,##0.00", "#,##0.00", "Number"),
        )
    )
    items = rng.sample(ITEMS, rng.randint(4, 7))
    scale = 1 if name == "percent" else 2000
    rows: Rows = [["Item", "Value", "Code"]]
    rows += [[item, round(rng.random() * scale, 3), rng.randint(100, 999)] for item in items]
    path = workbook_path("values")
    cells = f"B2:B{len(rows)}"
    return Draft(
        instruction=f"In values.xlsx, show the numbers in {cells} {description}. Change only how "
        "they are shown, not their values, and save the file.",
        config=open_workbook(path, {"Values": rows}),
        evaluator=workbook_check(
            path, {"Values": rows}, formatting={"Values": {"format": {cells: code}}}
        ),
        api=[
            tool("calc.set_number_format", range=cells, format=name),
            tool("calc.save"),
            finish(),
        ],
        gui=[select_cells(cells), click(button, "button"), *SAVE, finish()],
    )


def calc_highlight(rng: random.Random) -> Draft:
    """Cells that change colour with their value."""
    rows = sample_amounts(rng)
    limit = sorted(row[1] for row in rows[1:])[len(rows) // 2]
    colour = rng.choice(tuple(COLOURS))
    above = rng.random() < 0.5
    operator, condition = (">", "greaterThan") if above else ("<", "lessThan")
    cells = f"B2:B{len(rows)}"
    path = workbook_path("limits")
    rule = [cells, condition, [str(limit)], COLOURS[colour]]
    return Draft(
        instruction=f"In limits.xlsx, add a conditional format to {cells} that gives cells "
        f"{'greater' if above else 'less'} than {limit} a {colour} background "
        f"(#{COLOURS[colour]}). Save the file.",
        config=open_workbook(path, {"Limits": rows}),
        evaluator=workbook_check(
            path, {"Limits": rows}, formatting={"Limits": {"conditions": [rule]}}
        ),
        api=[
            tool(
                "calc.conditional_format",
                range=cells,
                operator=operator,
                value=limit,
                background=f"#{COLOURS[colour]}",
            ),
            tool("calc.save"),
            finish(),
        ],
    )


def calc_hide_rows(rng: random.Random) -> Draft:
    """Rows of a kind hidden, not deleted."""
    rows = sample_amounts(rng, 5, 8)
    rows[0] = ["Item", "Amount", "State"]
    states = ["closed", "closed", "open", *rng.choices(("open", "late"), k=len(rows) - 4)]
    rng.shuffle(states)
    rows = [rows[0], *([*row, state] for row, state in zip(rows[1:], states, strict=True))]
    hidden = [number for number, row in enumerate(rows, 1) if row[2] == "closed"]
    path = workbook_path("cases")
    evaluator = workbook_check(path, {"Cases": rows}, formatting={"Cases": {"hidden_rows": hidden}})
    hide = [
        action
        for number in hidden
        for action in (
            select_cells(f"{number}:{number}"),
            click("Format", "menu"),
            click("Rows", "menu"),
            click("Hide", "menu"),
        )
    ]
    return Draft(
        instruction="In cases.xlsx, hide the rows whose State is closed. Do not delete or filter "
        "them. Save the file.",
        config=open_workbook(path, {"Cases": rows}),
        evaluator=evaluator,
        api=[tool("calc.hide_rows_with", value="closed"), tool("calc.save"), finish()],
        gui=[*hide, *SAVE, finish()],
    )


def calc_title_row(rng: random.Random) -> Draft:
    """A title across the table: merged, centred, bold."""
    rows, _ = sample_sales(rng)
    title = rng.choice(("Sales by person", "Team results", "Regional sales"))
    path = workbook_path("titled")
    before: Rows = [[title], *rows]
    formatting = {"merged": ["A1:C1"], "bold": {"A1": True}, "align": {"A1": "center"}}
    evaluator = workbook_check(path, {"Team": before}, formatting={"Team": formatting})
    evaluator["milestones"] = {
        "merged": check_file("workbook_shows", path, {"Team": {"merged": ["A1:C1"]}}),
        "bold": check_file("workbook_shows", path, {"Team": {"bold": {"A1": True}}}),
    }
    return Draft(
        instruction="In titled.xlsx, merge the cells A1:C1 of the title, centre it across them and "
        "make it bold. Save the file.",
        config=open_workbook(path, {"Team": before}),
        evaluator=evaluator,
        api=[
            tool("calc.merge_cells", range="A1:C1", center=True),
            tool("calc.format_range", range="A1", bold=True),
            tool("calc.save"),
            finish(),
        ],
        gui=[
            select_cells("A1:C1"),
            wait(700),
            click("Merge and Center Cells", "button"),
            key("ctrl", "b"),
            *SAVE,
            finish(),
        ],
    )


def calc_header_style(rng: random.Random) -> Draft:
    """The header row bold on a coloured background."""
    rows, _ = sample_sales(rng)
    colour = rng.choice(tuple(COLOURS))
    path = workbook_path("styled")
    formatting = {"bold": {"A1:C1": True}, "fill": {"A1:C1": COLOURS[colour]}}
    return Draft(
        instruction=f"In styled.xlsx, make the header cells A1:C1 bold and give them a {colour} "
        f"background (#{COLOURS[colour]}). Save the file.",
        config=open_workbook(path, {"Sheet1": rows}),
        evaluator=workbook_check(path, {"Sheet1": rows}, formatting={"Sheet1": formatting}),
        api=[
            tool("calc.format_range", range="A1:C1", bold=True, background=f"#{COLOURS[colour]}"),
            tool("calc.save"),
            finish(),
        ],
    )


def calc_column_width(rng: random.Random) -> Draft:
    """A column of an exact width."""
    rows, _ = sample_sales(rng)
    column = rng.choice("ABC")
    width = rng.choice((3.5, 4.0, 5.0, 6.0))
    path = workbook_path("wide")
    return Draft(
        instruction=f"In wide.xlsx, set the width of column {column} to {width:g} cm and save the "
        "file.",
        config=open_workbook(path, {"Sheet1": rows}),
        evaluator=workbook_check(
            path, {"Sheet1": rows}, formatting={"Sheet1": {"widths": {column: width}}}
        ),
        api=[
            tool("calc.set_column_width", columns=column, cm=width),
            tool("calc.save"),
            finish(),
        ],
        gui=[
            select_cells(f"{column}1"),
            click("Format", "menu"),
            click("Columns", "menu"),
            click("Width...", "menu"),
            type_into("Column Width", f"{width:g} cm", clear=True),
            click("OK", "button"),
            *SAVE_AFTER_DIALOG,
            finish(),
        ],
    )


TEMPLATES = (
    DesktopTemplate(name="calc_number_format", apps=(CALC,), sample_draft=calc_number_format),
    DesktopTemplate(name="calc_highlight", apps=(CALC,), sample_draft=calc_highlight),
    DesktopTemplate(name="calc_hide_rows", apps=(CALC,), sample_draft=calc_hide_rows, max_steps=30),
    DesktopTemplate(name="calc_title_row", apps=(CALC,), sample_draft=calc_title_row),
    DesktopTemplate(name="calc_header_style", apps=(CALC,), sample_draft=calc_header_style),
    DesktopTemplate(name="calc_column_width", apps=(CALC,), sample_draft=calc_column_width),
)
