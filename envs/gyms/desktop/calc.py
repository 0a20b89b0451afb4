"""Tasks in Calc about contents: formulas, sorting, cleaning, looking up."""

from __future__ import annotations

import random
from typing import Any

from envs.gyms.desktop.sheets import SAVE, Rows, document, fill, formula, goto, opened, saved
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
    typed,
)
from envs.gyms.desktop.words import CITIES, ITEMS, PEOPLE


def amounts(rng: random.Random, low: int = 5, high: int = 8) -> Rows:
    """Items with distinct amounts below a header."""
    items = rng.sample(ITEMS, rng.randint(low, high))
    numbers = rng.sample(range(3, 96), len(items))
    return [["Item", "Amount"], *map(list, zip(items, numbers, strict=True))]


def sales(rng: random.Random) -> tuple[Rows, list[str]]:
    """Rows of person, city and amount below a header, and the cities, each at least twice."""
    cities = rng.sample(CITIES, 3)
    people = rng.sample(PEOPLE, rng.randint(7, 9))
    where = [*cities, *cities, *rng.choices(cities, k=len(people) - 6)]
    rng.shuffle(where)
    numbers = rng.sample(range(10, 200), len(people))
    rows = [list(row) for row in zip(people, where, numbers, strict=True)]
    return [["Name", "City", "Amount"], *rows], cities


@template("libreoffice_calc")
def calc_total(rng: random.Random) -> Draft:
    """The sum of a column, as a formula below it."""
    rows = amounts(rng, 4, 7)
    path = document("expenses")
    cell, text = f"B{len(rows) + 1}", f"=SUM(B2:B{len(rows)})"
    total = sum(row[1] for row in rows[1:])
    return Draft(
        instruction=f"Put the sum of the Amount column into {cell} as a formula and save the file.",
        config=opened(path, {"Sheet1": rows}),
        evaluator=saved(path, {"Sheet1": [*rows, [None, formula(total)]]}),
        api=[tool("calc.set_cell", cell=cell, value=text), tool("calc.save"), done()],
        gui=[goto(cell), typed(text, submit=True), *SAVE, done()],
    )


@template("libreoffice_calc")
def calc_wrong_total(rng: random.Random) -> Draft:
    """A sum that misses its last rows is put right."""
    rows = amounts(rng, 6, 9)
    path = document("stock")
    last = len(rows)
    cell, wrong = f"B{last + 1}", last - rng.randint(1, 3)
    total = sum(row[1] for row in rows[1:])
    before: Rows = [*rows, ["Total", f"=SUM(B2:B{wrong})"]]
    right = f"=SUM(B2:B{last})"
    return Draft(
        instruction=f"The total in {cell} of stock.xlsx leaves out some of the items. Correct its "
        "formula so that it adds up all of them, and save the file.",
        config=opened(path, {"Stock": before}),
        evaluator=saved(path, {"Stock": [*rows, ["Total", formula(total)]]}),
        api=[
            tool("calc.read_range", show="formulas"),
            tool("calc.set_cell", cell=cell, value=right),
            tool("calc.save"),
            done(),
        ],
        gui=[goto(cell), typed(right, submit=True), *SAVE, done()],
    )


@template("libreoffice_calc", max_steps=20)
def calc_group_average(rng: random.Random) -> Draft:
    """The average of each group, by formulas beside the groups' names."""
    rows, cities = sales(rng)
    path = document("sales")
    last = len(rows)
    labels = ["City", *cities]
    means: list[Any] = ["Average", *(formula(_average(rows, city)) for city in cities)]
    named = [[None, label] for label in labels] + [[]] * (last - len(labels))
    before = [[*row, *more] for row, more in zip(rows, named, strict=True)]
    before[0].append("Average")
    after = [[*row, *more] for row, more in zip(rows, named, strict=True)]
    for row, mean in zip(after, means, strict=False):
        row.append(mean)
    text = f"=AVERAGEIF(B$2:B${last};E2;C$2:C${last})"
    cells = f"F2:F{len(cities) + 1}"
    return Draft(
        instruction=f"In sales.xlsx, fill {cells} with the average Amount of the city named "
        "beside it in column E. Use formulas, then save the file.",
        config=opened(path, {"Sales": before}),
        evaluator=saved(path, {"Sales": after}),
        api=[tool("calc.fill_formula", range=cells, formula=text), tool("calc.save"), done()],
        gui=[*fill(cells, text.replace(";", ",")), *SAVE, done()],
    )


def _average(rows: Rows, city: str) -> float:
    numbers = [row[2] for row in rows if row[1] == city]
    return float(sum(numbers) / len(numbers))


@template("libreoffice_calc")
def calc_running_balance(rng: random.Random) -> Draft:
    """A column that adds up the one beside it, row by row."""
    items = rng.sample(ITEMS, rng.randint(5, 8))
    rows: Rows = [["Booking", "Amount", "Balance"]]
    rows += [[item, rng.choice((-1, 1)) * rng.randint(5, 80)] for item in items]
    path = document("account")
    last = len(rows)
    after: Rows = [rows[0]]
    balance = 0
    for row in rows[1:]:
        balance += row[1]
        after.append([*row, formula(balance)])
    text = "=SUM(B$2:B2)"
    return Draft(
        instruction="In account.xlsx, fill the Balance column for every booking with a formula "
        "that gives the sum of all amounts from the first booking down to that row. Save the file.",
        config=opened(path, {"Account": rows}),
        evaluator=saved(path, {"Account": after}),
        api=[
            tool("calc.fill_formula", range=f"C2:C{last}", formula=text),
            tool("calc.save"),
            done(),
        ],
        gui=[*fill(f"C2:C{last}", text), *SAVE, done()],
    )


@template("libreoffice_calc")
def calc_lookup(rng: random.Random) -> Draft:
    """Prices looked up on another sheet."""
    prices = amounts(rng, 6, 9)
    prices[0] = ["Item", "Price"]
    table = dict(prices[1:])
    ordered = rng.choices(list(table), k=rng.randint(4, 7))
    rows: Rows = [["Item", "Quantity", "Price"], *([item, rng.randint(1, 9)] for item in ordered)]
    after: Rows = [rows[0], *([*row, formula(table[row[0]])] for row in rows[1:])]
    path = document("orders")
    cells = f"C2:C{len(rows)}"
    return Draft(
        instruction="In orders.xlsx, fill the Price column of the sheet Orders with formulas that "
        "look each item up on the sheet Prices. Save the file.",
        config=opened(path, {"Orders": rows, "Prices": prices}),
        evaluator=saved(path, {"Orders": after, "Prices": prices}),
        api=[
            tool("calc.fill_formula", range=cells,
                 formula=f"=VLOOKUP(A2;$Prices.A$2:B${len(prices)};2;0)"),
            tool("calc.save"),
            done(),
        ],
        gui=[
            *fill(cells, f"=VLOOKUP(A2,$Prices.A$2:B${len(prices)},2,0)"),
            *SAVE,
            done(),
        ],
    )  # fmt: skip


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
            click("Close", "button"),
            *SAVE,
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
            click("Copy", "button"),
            goto("B2"),
            click("Paste", "button"),
            goto(f"B2:B{last}"),
            click("Data", "menu"),
            click("Text to Columns...", "menu"),
            click("Space", "check"),
            click("OK", "button"),
            *SAVE,
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
