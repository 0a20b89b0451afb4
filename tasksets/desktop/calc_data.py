"""Tasks in Calc about data: sorting, filtering, cleaning, exporting, a question."""

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
from tasksets.desktop.checks import all_of, answer_is, check_file, only_changed
from tasksets.desktop.template import CALC, DOCUMENTS, DesktopTemplate, Draft
from tasksets.desktop.vocabulary import CITIES, PEOPLE


def calc_sort(rng: random.Random) -> Draft:
    """Rows in the order of a number."""
    rows, _ = sample_sales(rng)
    descending = rng.random() < 0.5
    after = [rows[0], *sorted(rows[1:], key=lambda row: row[2], reverse=descending)]
    path = workbook_path("results")
    order = "largest to the smallest" if descending else "smallest to the largest"
    return Draft(
        instruction=f"Sort the rows of results.xlsx by Amount from the {order}, keep the header "
        "row on top, and save the file.",
        config=open_workbook(path, {"Results": rows}),
        evaluator=workbook_check(path, {"Results": after}),
        api=[
            tool("calc.sort", by=["Amount"], descending=["Amount"] if descending else []),
            tool("calc.save"),
            finish(),
        ],
        gui=[
            select_cells("C2"),
            click("Sort Descending" if descending else "Sort Ascending", "button"),
            *SAVE,
            finish(),
        ],
    )


def calc_filter_to_sheet(rng: random.Random) -> Draft:
    """The rows of one group on a sheet of their own."""
    rows, cities = sample_sales(rng)
    city = cities[0]
    chosen = [rows[0], *(row for row in rows[1:] if row[1] == city)]
    path = workbook_path("customers")
    evaluator = workbook_check(path, {"All": rows, city: chosen})
    evaluator["milestones"] = {
        "sheet_added": check_file("workbook_shows", path, {city: {"state": "visible"}})
    }
    return Draft(
        instruction=f"In customers.xlsx, add a sheet named {city} after the sheet All. Copy the "
        f"header row and all rows whose City is {city} to it, in the same order, starting in A1. "
        "Leave the sheet All as it is and save the file.",
        config=open_workbook(path, {"All": rows}),
        evaluator=evaluator,
        api=[
            tool("calc.read_range"),
            tool("calc.add_sheet", name=city),
            tool("calc.write_range", cell=f"{city}.A1", rows=chosen),
            tool("calc.save"),
            finish(),
        ],
    )


def calc_replace(rng: random.Random) -> Draft:
    """One word replaced by another, only where it is the whole cell."""
    rows, cities = sample_sales(rng)
    old = cities[0]
    new = rng.choice([city for city in CITIES if city not in cities])
    longer_cell = [f"{old} Street", "Depot", 40]
    rows.insert(rng.randint(1, len(rows)), longer_cell)
    after = [[new if value == old else value for value in row] for row in rows]
    path = workbook_path("offices")
    return Draft(
        instruction=f"The office in {old} moved: in offices.xlsx, replace {old} by {new} in every "
        f"cell that says just {old}. A cell with more text than that stays as it is. Save the "
        "file.",
        config=open_workbook(path, {"Offices": rows}),
        evaluator=workbook_check(path, {"Offices": after}),
        api=[
            tool("calc.find_replace", find=old, replace=new, whole_cell=True, match_case=True),
            tool("calc.save"),
            finish(),
        ],
        gui=[
            select_cells("A1"),
            key("ctrl", "h"),
            type_into("Search For", old),
            type_into("Replace With", new),
            click("Entire cells", "check"),
            click("Replace All", "button"),
            wait(1000),
            {"type": "window", "op": "close", "window": "Search Results"},
            {"type": "window", "op": "close", "window": "Find and Replace"},
            *SAVE_AFTER_DIALOG,
            finish(),
        ],
    )


def calc_transpose(rng: random.Random) -> Draft:
    """A transposed copy of a table, below the original."""
    rows = sample_amounts(rng, 3, 5)
    first = len(rows) + rng.randint(2, 4)
    transposed = [list(column) for column in zip(*rows, strict=True)]
    after: Rows = [*rows, *([[None]] * (first - 1 - len(rows))), *transposed]
    path = workbook_path("turned")
    span = f"A1:B{len(rows)}"
    return Draft(
        instruction=f"In turned.xlsx, put a transposed copy of {span} (rows become columns) at "
        f"A{first}, keep the original, and save the file.",
        config=open_workbook(path, {"Sheet1": rows}),
        evaluator=workbook_check(path, {"Sheet1": after}),
        api=[
            tool("calc.transpose_range", range=span, to=f"A{first}"),
            tool("calc.save"),
            finish(),
        ],
        gui=[
            select_cells(span),
            click("Copy", "button"),
            select_cells(f"A{first}"),
            key("ctrl", "shift", "v"),
            click("Transpose All", "button"),
            *SAVE,
            finish(),
        ],
    )


def calc_remove_duplicates(rng: random.Random) -> Draft:
    """Rows that occur more than once are kept once."""
    rows, _ = sample_sales(rng)
    repeated_rows = rng.sample(rows[1:], 2)
    mixed = [rows[0], *rows[1:]]
    for row in repeated_rows:
        mixed.insert(rng.randint(mixed.index(row) + 1, len(mixed)), list(row))
    lookalike = [repeated_rows[0][0], repeated_rows[0][1], repeated_rows[0][2] + 1]
    mixed.append(lookalike)
    path = workbook_path("members")
    return Draft(
        instruction="Some rows of members.xlsx occur more than once. Delete every repeated row, so "
        "that of rows that are equal in all three columns only the first is left, without gaps. "
        "Save the file.",
        config=open_workbook(path, {"Members": mixed}),
        evaluator=workbook_check(path, {"Members": [*rows, lookalike]}),
        api=[tool("calc.remove_duplicates"), tool("calc.save"), finish()],
        gui=[
            *(
                action
                for number, row in reversed([*enumerate(mixed, 1)])
                if row in mixed[: number - 1]
                for action in (select_cells(f"{number}:{number}"), key("ctrl", "minus"))
            ),
            *SAVE,
            finish(),
        ],
    )


def calc_split_names(rng: random.Random) -> Draft:
    """Full names split into two columns."""
    people = rng.sample(PEOPLE, rng.randint(4, 7))
    rows: Rows = [["Full name", "First name", "Last name"], *([person] for person in people)]
    after: Rows = [rows[0], *([person, *person.split()] for person in people)]
    path = workbook_path("people")
    last = len(rows)
    return Draft(
        instruction="In people.xlsx, fill the columns First name and Last name from the full names "
        "in column A, which stay as they are. Save the file.",
        config=open_workbook(path, {"People": rows}),
        evaluator=workbook_check(path, {"People": after}),
        api=[
            tool("calc.split_column", range=f"A2:A{last}", separator=" ", to="B2"),
            tool("calc.save"),
            finish(),
        ],
        gui=[
            select_cells(f"A2:A{last}"),
            key("ctrl", "c"),
            select_cells("B2"),
            key("ctrl", "v"),
            select_cells(f"B2:B{last}"),
            click("Data", "menu"),
            click("Text to Columns...", "menu"),
            click("Space", "check"),
            click("OK", "button"),
            *SAVE_AFTER_DIALOG,
            finish(),
        ],
    )


def calc_largest(rng: random.Random) -> Draft:
    """A question about the data; nothing is changed."""
    rows, _ = sample_sales(rng)
    largest = rng.random() < 0.5
    person = (max if largest else min)(rows[1:], key=lambda row: row[2])[0]
    path = workbook_path("bonus")
    word = "highest" if largest else "lowest"
    return Draft(
        instruction=f"Who has the {word} Amount in bonus.xlsx? Answer with the full name only and "
        "change nothing.",
        config=open_workbook(path, {"Bonus": rows}),
        evaluator=all_of(answer_is(person), only_changed()),
        api=[tool("calc.read_range"), finish(person)],
        gui=[
            select_cells(f"A{1 + [row[0] for row in rows[1:]].index(person) + 1}"),
            finish(person),
        ],
    )


def calc_export_csv(rng: random.Random) -> Draft:
    """One sheet of two as CSV."""
    rows, _ = sample_sales(rng)
    other = sample_amounts(rng)
    name = rng.choice(("march", "april", "june"))
    path, target = workbook_path(name), f"{DOCUMENTS}/{name}-sales.csv"
    text = "".join(",".join(map(str, row)) + "\n" for row in rows)
    sheets = {"Stock": other, "Sales": rows}
    return Draft(
        instruction=f"Export the sheet Sales of {name}.xlsx as a comma-separated text file "
        f"{name}-sales.csv in Documents. Leave {name}.xlsx unchanged.",
        config=open_workbook(path, sheets),
        evaluator=all_of(check_file("text_is", target, text), only_changed(added=[target])),
        api=[tool("calc.export_csv", path=target, sheet="Sales"), finish()],
    )


TEMPLATES = (
    DesktopTemplate(name="calc_sort", apps=(CALC,), sample_draft=calc_sort),
    DesktopTemplate(name="calc_filter_to_sheet", apps=(CALC,), sample_draft=calc_filter_to_sheet),
    DesktopTemplate(name="calc_replace", apps=(CALC,), sample_draft=calc_replace, max_steps=20),
    DesktopTemplate(name="calc_transpose", apps=(CALC,), sample_draft=calc_transpose),
    DesktopTemplate(
        name="calc_remove_duplicates", apps=(CALC,), sample_draft=calc_remove_duplicates
    ),
    DesktopTemplate(
        name="calc_split_names", apps=(CALC,), sample_draft=calc_split_names, max_steps=20
    ),
    DesktopTemplate(name="calc_largest", apps=(CALC,), sample_draft=calc_largest),
    DesktopTemplate(name="calc_export_csv", apps=(CALC,), sample_draft=calc_export_csv),
)
