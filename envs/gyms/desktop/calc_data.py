"""Tasks in Calc about data: sorting, filtering, cleaning, exporting, asking."""

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
from envs.gyms.desktop.template import (
    DOCUMENTS,
    Draft,
    both,
    check,
    click,
    done,
    key,
    nothing_else,
    said,
    template,
    tool,
)
from envs.gyms.desktop.words import CITIES, PEOPLE


@template("libreoffice_calc")
def calc_sort(rng: random.Random) -> Draft:
    """Rows in the order of a number."""
    rows, _ = sales(rng)
    falling = rng.random() < 0.5
    after = [rows[0], *sorted(rows[1:], key=lambda row: row[2], reverse=falling)]
    path = document("results")
    order = "largest to the smallest" if falling else "smallest to the largest"
    return Draft(
        instruction=f"Sort the rows of results.xlsx by Amount from the {order}, keep the header "
        "row on top, and save the file.",
        config=opened(path, {"Results": rows}),
        evaluator=saved(path, {"Results": after}),
        api=[
            tool("calc.sort", by=["Amount"], descending=["Amount"] if falling else []),
            tool("calc.save"),
            done(),
        ],
        gui=[
            goto("C2"),
            click("Sort Descending" if falling else "Sort Ascending", "button"),
            *SAVE,
            done(),
        ],
    )


@template("libreoffice_calc")
def calc_filter_to_sheet(rng: random.Random) -> Draft:
    """The rows of one group on a sheet of their own."""
    rows, cities = sales(rng)
    city = cities[0]
    chosen = [rows[0], *(row for row in rows[1:] if row[1] == city)]
    path = document("customers")
    evaluator = saved(path, {"All": rows, city: chosen})
    evaluator["milestones"] = {
        "sheet_added": check("workbook_shows", path, {city: {"state": "visible"}})
    }
    return Draft(
        instruction=f"In customers.xlsx, add a sheet named {city} after the sheet All. Copy the "
        f"header row and all rows whose City is {city} to it, in the same order, starting in A1. "
        "Leave the sheet All as it is and save the file.",
        config=opened(path, {"All": rows}),
        evaluator=evaluator,
        api=[
            tool("calc.read_range"),
            tool("calc.add_sheet") | {"arguments": {"name": city}},
            tool("calc.write_range", cell=f"{city}.A1", rows=chosen),
            tool("calc.save"),
            done(),
        ],
    )


@template("libreoffice_calc", max_steps=20)
def calc_replace(rng: random.Random) -> Draft:
    """One word replaced by another, only where it is the whole cell."""
    rows, cities = sales(rng)
    old = cities[0]
    new = rng.choice([city for city in CITIES if city not in cities])
    kept = [f"{old} Street", "Depot", 40]
    rows.insert(rng.randint(1, len(rows)), kept)
    after = [[new if value == old else value for value in row] for row in rows]
    path = document("offices")
    return Draft(
        instruction=f"The office in {old} moved: in offices.xlsx, replace {old} by {new} in every "
        f"cell that says just {old}. A cell with more text than that stays as it is. Save the "
        "file.",
        config=opened(path, {"Offices": rows}),
        evaluator=saved(path, {"Offices": after}),
        api=[
            tool("calc.find_replace", find=old, replace=new, whole_cell=True, match_case=True),
            tool("calc.save"),
            done(),
        ],
        gui=[
            goto("A1"),
            key("ctrl", "h"),
            {"type": "type", "target": {"named": "Search For", "role": "box"}, "text": old},
            {"type": "type", "target": {"named": "Replace With", "role": "box"}, "text": new},
            click("Entire cells", "check"),
            click("Replace All", "button"),
            {"type": "wait", "ms": 1000},
            {"type": "window", "op": "close", "window": "Search Results"},
            {"type": "window", "op": "close", "window": "Find and Replace"},
            *SAVE_AFTER_DIALOG,
            done(),
        ],
    )  # fmt: skip


@template("libreoffice_calc")
def calc_transpose(rng: random.Random) -> Draft:
    """Rows and columns exchanged, beside the original."""
    rows = amounts(rng, 3, 5)
    first = len(rows) + rng.randint(2, 4)
    turned = [list(column) for column in zip(*rows, strict=True)]
    after: Rows = [*rows, *([[None]] * (first - 1 - len(rows))), *turned]
    path = document("turned")
    span = f"A1:B{len(rows)}"
    return Draft(
        instruction=f"In turned.xlsx, put a transposed copy of {span} (rows become columns) at "
        f"A{first}, keep the original, and save the file.",
        config=opened(path, {"Sheet1": rows}),
        evaluator=saved(path, {"Sheet1": after}),
        api=[
            tool("calc.transpose_range", range=span, to=f"A{first}"),
            tool("calc.save"),
            done(),
        ],
        gui=[
            goto(span),
            click("Copy", "button"),
            goto(f"A{first}"),
            key("ctrl", "shift", "v"),
            click("Transpose All", "button"),
            *SAVE,
            done(),
        ],
    )


@template("libreoffice_calc")
def calc_remove_duplicates(rng: random.Random) -> Draft:
    """Rows that occur more than once are kept once."""
    rows, _ = sales(rng)
    again = rng.sample(rows[1:], 2)
    mixed = [rows[0], *rows[1:]]
    for row in again:
        mixed.insert(rng.randint(mixed.index(row) + 1, len(mixed)), list(row))
    lookalike = [again[0][0], again[0][1], again[0][2] + 1]
    mixed.append(lookalike)
    path = document("members")
    return Draft(
        instruction="Some rows of members.xlsx occur more than once. Delete every repeated row, so "
        "that of rows that are equal in all three columns only the first is left, without gaps. "
        "Save the file.",
        config=opened(path, {"Members": mixed}),
        evaluator=saved(path, {"Members": [*rows, lookalike]}),
        api=[tool("calc.remove_duplicates"), tool("calc.save"), done()],
    )


@template("libreoffice_calc", max_steps=20)
def calc_split_names(rng: random.Random) -> Draft:
    """Full names taken apart into two columns."""
    people = rng.sample(PEOPLE, rng.randint(4, 7))
    rows: Rows = [["Full name", "First name", "Last name"], *([person] for person in people)]
    after: Rows = [rows[0], *([person, *person.split()] for person in people)]
    path = document("people")
    last = len(rows)
    return Draft(
        instruction="In people.xlsx, fill the columns First name and Last name from the full names "
        "in column A, which stay as they are. Save the file.",
        config=opened(path, {"People": rows}),
        evaluator=saved(path, {"People": after}),
        api=[
            tool("calc.split_column", range=f"A2:A{last}", separator=" ", to="B2"),
            tool("calc.save"),
            done(),
        ],
        gui=[
            goto(f"A2:A{last}"),
            key("ctrl", "c"),
            goto("B2"),
            key("ctrl", "v"),
            goto(f"B2:B{last}"),
            click("Data", "menu"),
            click("Text to Columns...", "menu"),
            click("Space", "check"),
            click("OK", "button"),
            *SAVE_AFTER_DIALOG,
            done(),
        ],
    )


@template("libreoffice_calc")
def calc_largest(rng: random.Random) -> Draft:
    """A question about the data; nothing is changed."""
    rows, _ = sales(rng)
    largest = rng.random() < 0.5
    person = (max if largest else min)(rows[1:], key=lambda row: row[2])[0]
    path = document("bonus")
    word = "highest" if largest else "lowest"
    return Draft(
        instruction=f"Who has the {word} Amount in bonus.xlsx? Answer with the full name only and "
        "change nothing.",
        config=opened(path, {"Bonus": rows}),
        evaluator=both(said(person), nothing_else()),
        api=[tool("calc.read_range"), done(person)],
        gui=[goto(f"A{1 + [row[0] for row in rows[1:]].index(person) + 1}"), done(person)],
    )


@template("libreoffice_calc")
def calc_export_csv(rng: random.Random) -> Draft:
    """One sheet of two as CSV."""
    rows, _ = sales(rng)
    other = amounts(rng)
    name = rng.choice(("march", "april", "june"))
    path, target = document(name), f"{DOCUMENTS}/{name}-sales.csv"
    text = "".join(",".join(map(str, row)) + "\n" for row in rows)
    sheets = {"Stock": other, "Sales": rows}
    return Draft(
        instruction=f"Export the sheet Sales of {name}.xlsx as a comma-separated text file "
        f"{name}-sales.csv in Documents. Leave {name}.xlsx unchanged.",
        config=opened(path, sheets),
        evaluator=both(check("text_is", target, text), nothing_else(added=[target])),
        api=[tool("calc.export_csv", path=target, sheet="Sales"), done()],
    )
