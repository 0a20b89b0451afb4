"""Tasks on expense reports: write one, send one back that lacks a receipt.

Of two reports to tell apart, exactly one lacks a receipt that it needs.
"""

from __future__ import annotations

import random

from envs.gyms.apps.people import rules_expenses
from envs.gyms.apps.people.oracle_moves import VISITED_EXPENSES, locale_of
from envs.gyms.apps.people.records import make_report, make_report_line
from envs.gyms.apps.people.sampling import choose, people_part, person_params, sample_person
from envs.gyms.apps.people.vocabulary import CATEGORIES, PURPOSES, RECEIPT_REQUIRED_FROM, SUBMITTED
from envs.gyms.kit import navigation
from envs.gyms.kit.company import Company
from envs.gyms.kit.script import Script
from envs.gyms.kit.template import FINISHED, Params, Template, visited_page
from envs.gyms.server.gym import State
from envs.gyms.server.view import Page


def _sample_report(world: Company, rng: random.Random, state: State) -> Params:
    params = sample_person(world, rng, state) | {"purpose": rng.choice(PURPOSES)}
    for number, kind in enumerate(rng.sample(CATEGORIES, 2), 1):
        day, cents = world.day(-rng.randint(1, 30)), rng.randrange(900, 40_000, 5)
        receipt = number == 1 or rng.random() < 0.5
        params |= {
            f"kind{number}": kind,
            f"day{number}": day,
            f"date{number}": world.locale.format_date(day),
            f"cents{number}": cents,
            f"amount{number}": world.locale.format_money(cents),
            f"receipt{number}": receipt,
            f"how{number}": "with" if receipt else "without",
        }
    return params


def _apply_report(world: Company, p: Params, state: State) -> None:
    part = people_part(state)
    report = rules_expenses.create_report(part, p["person"], p["purpose"], world.today)
    for n in (1, 2):
        kind, day, cents, receipt = (p[f"{key}{n}"] for key in ("kind", "day", "cents", "receipt"))
        rules_expenses.add_line(part, report["id"], kind, day, cents, receipt, world.today)
    rules_expenses.submit_report(part, report["id"])


def _write_report(page: Page, p: Params) -> Script:
    page = yield from navigation.go_to(page, "Expenses")
    page = yield from navigation.open_link(page, "a new one", "New report")
    page = yield from navigation.fill_fields(page, {"Person": p["name"], "Purpose": p["purpose"]})
    page = yield from navigation.click(page, "make it", "Create report")
    for n in (1, 2):
        page = yield from navigation.open_link(page, f"line {n}", "Add line")
        fields = {
            "Category": p[f"kind{n}"],
            "Date": p[f"date{n}"],
            "Amount": p[f"amount{n}"],
            "A receipt is attached": p[f"receipt{n}"],
        }
        page = yield from navigation.fill_fields(page, fields)
        page = yield from navigation.click(page, "save the line", "Save line")
    yield from navigation.click(page, "both lines are in", "Submit report")
    return None


def _add_two_reports(world: Company, rng: random.Random, state: State) -> None:
    """Somebody has two reports to check: one lacks a receipt that it needs, the other one that it
    does not need."""
    part = people_part(state)
    busy = {r["person"] for r in part["reports"] if r["status"] == SUBMITTED}
    person = rng.choice([p for p in part["staff"] if p["id"] not in busy])
    purposes, bad = rng.sample(PURPOSES, 2), rng.randrange(2)
    for index, purpose in enumerate(purposes):
        age = rng.randint(2, 40)
        report = make_report(len(part["reports"]), person["id"], purpose, world.day(-age))
        low, high = (
            (RECEIPT_REQUIRED_FROM, 30_000) if index == bad else (500, RECEIPT_REQUIRED_FROM)
        )
        cents = (rng.randrange(low, high, 5), rng.randrange(6000, 40_000, 5))
        for amount, receipt in zip(cents, (False, True), strict=True):
            line = make_report_line(
                report, rng.choice(CATEGORIES), world.day(-age - 1), amount, receipt
            )
            report["lines"].append(line)
        report["status"] = SUBMITTED
        part["reports"].append(report)


def _sample_two_reports(world: Company, rng: random.Random, state: State) -> Params:
    part = people_part(state)
    choices = []
    for person in part["staff"]:
        submitted = [
            r for r in part["reports"] if r["person"] == person["id"] and r["status"] == SUBMITTED
        ]
        lacking = [r for r in submitted if rules_expenses.lacks_receipt(r)]
        if len(submitted) == 2 and len(lacking) == 1:
            choices.append((person, submitted, lacking[0]))
    person, submitted, report = choose(rng, choices, "pair of reports")
    return person_params(world, person) | {
        "report": report["id"],
        "numbers": [r["number"] for r in submitted],
        "reason": rng.choice(("Please attach the receipt", "A receipt is missing")),
    }


def _shows_missing_receipt(page: Page, p: Params) -> bool:
    texts = [line.name for line in page.lines if line.ref is None]
    missing = [
        locale_of(p).parse_money(texts[at - 1])
        for at, text in enumerate(texts)
        if text == "Missing"
    ]
    return any(cents is not None and cents >= RECEIPT_REQUIRED_FROM for cents in missing)


def _send_back(page: Page, p: Params) -> Script:
    for number in p["numbers"]:
        page = yield from navigation.go_to(page, "Expenses")
        page = yield from navigation.search(page, p["name"])
        page = yield from navigation.filter_list(page, "Status", SUBMITTED)
        page = yield from navigation.open_item(page, number)
        if _shows_missing_receipt(page, p):
            break
    page = yield from navigation.open_link(page, "a receipt is missing here", "Send back")
    page = yield from navigation.fill_fields(page, {"Reason": p["reason"]})
    yield from navigation.click(page, "send it", "Send report back")
    return None


TEMPLATES = (
    Template(
        name="new_report",
        skills=("form", "date", "multi-step"),
        oracle_steps=20,
        phrasings=(
            "Make an expense report for {name}, purpose {purpose}, with two lines: {kind1} on "
            "{date1}, {amount1}, {how1} receipt; {kind2} on {date2}, {amount2}, {how2} receipt. "
            "Submit it.",
            'Submit a new report "{purpose}" of {name}: first {kind1}, {amount1}, {date1}, {how1} '
            "receipt, then {kind2}, {amount2}, {date2}, {how2} receipt.",
        ),
        sample_params=_sample_report,
        solve=_write_report,
        milestones=(VISITED_EXPENSES, FINISHED),
        apply_expected=_apply_report,
    ),
    Template(
        name="send_back",
        skills=("search", "compare", "form", "recall"),
        oracle_steps=16,
        phrasings=(
            "One of the two submitted expense reports of {name} lacks a receipt that it needs. "
            'Send it back with the reason "{reason}".',
            "Check the two submitted expense reports of {name} and send back the one that cannot "
            "be approved for want of a receipt. Reason: {reason}",
        ),
        sample_params=_sample_two_reports,
        solve=_send_back,
        milestones=(VISITED_EXPENSES, ("report", visited_page("people:report:{report}")), FINISHED),
        apply_expected=lambda world, p, state: rules_expenses.send_back(
            people_part(state), p["report"], p["reason"]
        ),
        prepare_state=_add_two_reports,
    ),
)
