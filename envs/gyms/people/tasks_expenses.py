"""Tasks on expense reports: write one, send one back that lacks a receipt.

Of two reports to tell apart, exactly one lacks a receipt that it needs.
"""

from __future__ import annotations

import random

from envs.gyms.gym import State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, saw
from envs.gyms.people import rules
from envs.gyms.people.data import (
    CATEGORIES,
    PURPOSES,
    RECEIPT_FROM,
    SUBMITTED,
    line_item,
    report_item,
)
from envs.gyms.people.drawing import EXPENSES, draw_person, look_of, part_of, plain, some
from envs.gyms.view import Page


def _draw_report(world: Company, rng: random.Random, state: State) -> Params:
    params = draw_person(world, rng, state) | {"purpose": rng.choice(PURPOSES)}
    for number, kind in enumerate(rng.sample(CATEGORIES, 2), 1):
        day, cents = world.day(-rng.randint(1, 30)), rng.randrange(900, 40_000, 5)
        receipt = number == 1 or rng.random() < 0.5
        params |= {
            f"kind{number}": kind, f"day{number}": day, f"date{number}": world.look.date(day),
            f"cents{number}": cents, f"amount{number}": world.look.money(cents),
            f"receipt{number}": receipt, f"how{number}": "with" if receipt else "without",
        }  # fmt: skip
    return params


def _expect_report(world: Company, p: Params, state: State) -> None:
    part = part_of(state)
    made = rules.new_report(part, p["person"], p["purpose"], world.today)
    for n in (1, 2):
        kind, day, cents, receipt = (p[f"{key}{n}"] for key in ("kind", "day", "cents", "receipt"))
        rules.add_line(part, made["id"], kind, day, cents, receipt, world.today)
    rules.submit_report(part, made["id"])


def _new_report(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Expenses")
    page = yield from ways.open_link(page, "a new one", "New report")
    page = yield from ways.fill(page, {"Person": p["name"], "Purpose": p["purpose"]})
    page = yield from ways.press(page, "make it", "Create report")
    for n in (1, 2):
        page = yield from ways.open_link(page, f"line {n}", "Add line")
        fields = {"Category": p[f"kind{n}"], "Date": p[f"date{n}"], "Amount": p[f"amount{n}"],
                  "A receipt is attached": p[f"receipt{n}"]}  # fmt: skip
        page = yield from ways.fill(page, fields)
        page = yield from ways.press(page, "save the line", "Save line")
    yield from ways.press(page, "both lines are in", "Submit report")
    return None


def _two_reports(world: Company, rng: random.Random, state: State) -> None:
    """Somebody has two reports to check: one lacks a receipt that it needs, the other one that it
    does not need."""
    part = part_of(state)
    busy = {x["person"] for x in part["reports"] if x["status"] == SUBMITTED}
    person = rng.choice([p for p in part["staff"] if p["id"] not in busy])
    purposes, bad = rng.sample(PURPOSES, 2), rng.randrange(2)
    for index, purpose in enumerate(purposes):
        age = rng.randint(2, 40)
        report = report_item(len(part["reports"]), person["id"], purpose, world.day(-age))
        low, high = (RECEIPT_FROM, 30_000) if index == bad else (500, RECEIPT_FROM)
        cents = (rng.randrange(low, high, 5), rng.randrange(6000, 40_000, 5))
        for amount, receipt in zip(cents, (False, True), strict=True):
            line = line_item(report, rng.choice(CATEGORIES), world.day(-age - 1), amount, receipt)
            report["lines"].append(line)
        report["status"] = SUBMITTED
        part["reports"].append(report)


def _draw_two_reports(world: Company, rng: random.Random, state: State) -> Params:
    part = part_of(state)
    fits = []
    for person in part["staff"]:
        mine = [x for x in part["reports"]
                if x["person"] == person["id"] and x["status"] == SUBMITTED]  # fmt: skip
        bad = [x for x in mine if rules.lacks_receipt(x)]
        if len(mine) == 2 and len(bad) == 1:
            fits.append((person, mine, bad[0]))
    person, mine, found = some(rng, fits, "pair of reports")
    return plain(world, person) | {
        "report": found["id"], "numbers": [x["number"] for x in mine],
        "reason": rng.choice(("Please attach the receipt", "A receipt is missing")),
    }  # fmt: skip


def _lacks_receipt(page: Page, p: Params) -> bool:
    texts = [line.name for line in page.lines if line.ref is None]
    missing = [look_of(p).read_money(texts[at - 1])
               for at, text in enumerate(texts) if text == "Missing"]  # fmt: skip
    return any(cents is not None and cents >= RECEIPT_FROM for cents in missing)


def _send_back(page: Page, p: Params) -> Script:
    for number in p["numbers"]:
        page = yield from ways.go(page, "Expenses")
        page = yield from ways.search(page, p["name"])
        page = yield from ways.narrow(page, "Status", SUBMITTED)
        page = yield from ways.open_item(page, number)
        if _lacks_receipt(page, p):
            break
    page = yield from ways.open_link(page, "a receipt is missing here", "Send back")
    page = yield from ways.fill(page, {"Reason": p["reason"]})
    yield from ways.press(page, "send it", "Send report back")
    return None


TEMPLATES = (
    Template(
        "new_report", ("form", "date", "multi-step"), 20,
        ("Make an expense report for {name}, purpose {purpose}, with two lines: {kind1} on "
         "{date1}, {amount1}, {how1} receipt; {kind2} on {date2}, {amount2}, {how2} receipt. "
         "Submit it.",
         'Submit a new report "{purpose}" of {name}: first {kind1}, {amount1}, {date1}, {how1} '
         "receipt, then {kind2}, {amount2}, {date2}, {how2} receipt."),
        _draw_report, _new_report, (EXPENSES, FINISHED), _expect_report,
    ),
    Template(
        "send_back", ("search", "compare", "form", "recall"), 16,
        ("One of the two submitted expense reports of {name} lacks a receipt that it needs. Send "
         'it back with the reason "{reason}".',
         "Check the two submitted expense reports of {name} and send back the one that cannot be "
         "approved for want of a receipt. Reason: {reason}"),
        _draw_two_reports, _send_back, (EXPENSES, ("report", saw("people:report:{report}")),
                                        FINISHED),
        lambda world, p, state: rules.send_back(part_of(state), p["report"], p["reason"]),
        _two_reports,
    ),
)  # fmt: skip
