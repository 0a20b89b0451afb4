"""The portal's task templates, each with its oracle."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any, TypeVar

from envs.actions import Tool
from envs.gyms.gym import OracleLost, Refused, State
from envs.gyms.kit import ways
from envs.gyms.kit.company import Company
from envs.gyms.kit.look import Look
from envs.gyms.kit.names import CITIES, DEPARTMENTS, FIRST, LAST, STREETS, TITLES
from envs.gyms.kit.script import GiveUp, Script
from envs.gyms.kit.template import FINISHED, Params, Redraw, Template, saw
from envs.gyms.people import rules
from envs.gyms.people.app import CONTACT
from envs.gyms.people.data import (
    APPROVED,
    BANDS,
    CATEGORIES,
    CONTRACTS,
    EXCLUDE,
    LAPTOPS,
    LEAVE_TYPES,
    PENDING,
    PHONES,
    PURPOSES,
    RECEIPT_FROM,
    REJECTED,
    STAGES,
    SUBJECTS,
    SUBMITTED,
    VACATION,
    WEEKDAYS,
    Item,
    line_item,
    report_item,
    some_account,
    some_phone,
)
from envs.gyms.view import Page

T = TypeVar("T")
MAX_DRAGS = 4
"""A card that was not saved is dragged again."""
PERSON = ("person", saw("people:person:{person}"))
DIRECTORY = ("directory", saw("people:staff"))
LEAVE = ("leave list", saw("people:leave"))
REQUEST = ("request", saw("people:leave:{leave}"))
EXPENSES = ("expenses", saw("people:expenses"))
ACCESS = ("access", saw("people:access:{person}"))


def _mine(state: State) -> State:
    part: State = state["people"]
    return part


def _some(rng: random.Random, fits: list[T], what: str) -> T:
    if not fits:
        raise Redraw(f"there is no {what}")
    return rng.choice(fits)


def _plain(world: Company, person: Item) -> Params:
    return {"person": person["id"], "name": person["name"], "locale": world.look.locale}


def _allowed(state: State, rule: Callable[[State], Any]) -> None:
    """Redraws what a rule would refuse."""
    try:
        rule(copy.deepcopy(_mine(state)))
    except Refused as refusal:
        raise Redraw(str(refusal)) from refusal


def _look(p: Params) -> Look:
    return Look(0, 0, p["locale"])


def _day(page: Page, name: str, p: Params) -> str:
    found = _look(p).read_date(ways.value_of(page, name))
    if found is None:
        raise OracleLost(f"{name} is no date")
    return found


def _first(page: Page) -> str:
    """The first link of the list that is open."""
    shown = False
    for line in page.lines:
        shown = shown or " found, sorted by " in line.name
        if shown and line.role == "link":
            return line.name
    raise OracleLost("the list is empty")


def _to_person(page: Page, name: str) -> ways.Way:
    page = yield from ways.go(page, "Directory")
    page = yield from ways.search(page, name)
    return (yield from ways.open_item(page, name))


# Questions.


def _draw_person(world: Company, rng: random.Random, state: State) -> Params:
    return _plain(world, rng.choice(_mine(state)["staff"]))


def _draw_nothing(world: Company, rng: random.Random, state: State) -> Params:
    return {}


def _waiting(world: Company, p: Params, before: State) -> str:
    return str(sum(leave["status"] == PENDING for leave in _mine(before)["leave"]))


def _read_waiting(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Overview", "the overview counts them")
    return ways.value_of(page, "Leave requests to decide on")


def _of_person(key: str) -> Callable[[Company, Params, State], str]:
    return lambda world, p, before: str(rules.one(_mine(before), "staff", p["person"])[key])


def _read_hired(page: Page, p: Params) -> Script:
    page = yield from _to_person(page, p["name"])
    return ways.value_of(page, "Hired")


def _read_salary(page: Page, p: Params) -> Script:
    page = yield from _to_person(page, p["name"])
    page = yield from ways.open_link(page, "that is told here", "Pay and contract")
    return ways.value_of(page, "Salary")


def _draw_group(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(_mine(state)["staff"])
    return {"department": person["department"], "city": person["city"]}


def _group_size(world: Company, p: Params, before: State) -> str:
    wanted = (p["department"], p["city"])
    return str(sum((x["department"], x["city"]) == wanted for x in _mine(before)["staff"]))


def _read_group(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Directory")
    page = yield from ways.narrow(page, "Department", p["department"])
    page = yield from ways.narrow(page, "City", p["city"])
    return next(x.name.split()[0] for x in page.lines if " found, sorted by " in x.name)


def _draw_department(world: Company, rng: random.Random, state: State) -> Params:
    department = rng.choice(DEPARTMENTS)
    days = sorted(p["hired"] for p in _mine(state)["staff"] if p["department"] == department)
    if days[-1] == days[-2]:
        raise Redraw("two were hired last")
    return {"department": department}


def _newest(world: Company, p: Params, before: State) -> str:
    mine = [x for x in _mine(before)["staff"] if x["department"] == p["department"]]
    return str(max(mine, key=lambda x: x["hired"])["name"])


def _find_newest(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Directory")
    page = yield from ways.narrow(page, "Department", p["department"])
    page = yield from ways.narrow(page, "Sort", "Newest")
    return _first(page)


def _draw_two(world: Company, rng: random.Random, state: State) -> Params:
    first, second = rng.sample(_mine(state)["staff"], 2)
    if first["hired"] == second["hired"]:
        raise Redraw("both were hired on the same day")
    return _plain(world, first) | {"second": second["id"], "other": second["name"]}


def _earlier(world: Company, p: Params, before: State) -> str:
    both = [rules.one(_mine(before), "staff", key) for key in (p["person"], p["second"])]
    return str(min(both, key=lambda x: x["hired"])["name"])


def _compare_hired(page: Page, p: Params) -> Script:
    page = yield from _to_person(page, p["name"])
    first = _day(page, "Hired", p)
    page = yield from _to_person(page, p["other"])
    return str(p["name"] if first < _day(page, "Hired", p) else p["other"])


def _largest(world: Company, p: Params, before: State) -> str:
    waiting = [x for x in _mine(before)["reports"] if x["status"] == SUBMITTED]
    return str(max(rules.total_of(x) for x in waiting))


def _read_largest(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Expenses")
    page = yield from ways.narrow(page, "Status", SUBMITTED)
    page = yield from ways.narrow(page, "Sort", "Largest")
    page = yield from ways.open_item(page, _first(page))
    return ways.value_of(page, "Total")


# Leave.


def _leave_params(world: Company, state: State, leave: Item) -> Params:
    person = rules.one(_mine(state), "staff", leave["person"])
    return _plain(world, person) | {
        "leave": leave["id"], "number": leave["number"], "type": leave["type"].lower(),
        "first": world.look.date(leave["from"]), "last": world.look.date(leave["to"]),
    }  # fmt: skip


def _draw_pending(world: Company, rng: random.Random, state: State) -> Params:
    fits = [x for x in _mine(state)["leave"] if x["status"] == PENDING]
    return _leave_params(world, state, _some(rng, fits, "pending leave")) | {
        "reason": rng.choice(("Stock-taking week", "Too many are away", "Please pick another week"))
    }


def _draw_ahead(world: Company, rng: random.Random, state: State) -> Params:
    fits = [x for x in _mine(state)["leave"]
            if x["status"] == APPROVED and x["from"] > world.today]  # fmt: skip
    return _leave_params(world, state, _some(rng, fits, "approved leave ahead"))


def _to_leave(page: Page, p: Params, status: str, number: str) -> ways.Way:
    page = yield from ways.go(page, "Leave")
    page = yield from ways.search(page, p["name"])
    page = yield from ways.narrow(page, "Status", status)
    return (yield from ways.open_item(page, number))


def _approve(page: Page, p: Params) -> Script:
    page = yield from _to_leave(page, p, PENDING, p["number"])
    yield from ways.press(page, "it is the right one", "Approve leave")
    return None


def _reject(page: Page, p: Params) -> Script:
    page = yield from _to_leave(page, p, PENDING, p["number"])
    page = yield from ways.open_link(page, "this takes a reason", "Reject leave")
    page = yield from ways.fill(page, {"Reason": p["reason"]})
    yield from ways.press(page, "reject it", "Reject request")
    return None


def _cancel(page: Page, p: Params) -> Script:
    page = yield from _to_leave(page, p, APPROVED, p["number"])
    page = yield from ways.press(page, "what else there is", "More")
    yield from ways.sure(page, "Cancel leave")
    return None


def _monday(world: Company, offset: int) -> str:
    """The first one so many days from today or later."""
    day = date.fromisoformat(world.day(offset))
    return (day + timedelta(days=-day.weekday() % 7)).isoformat()


def _near(first: Item, second: Item) -> bool:
    return first is not second and bool(set(first["name"].split()) & set(second["name"].split()))


def _two_and_a_namesake(world: Company, rng: random.Random, state: State) -> None:
    """Somebody without pending vacation asks for two, and for training; a namesake for one."""
    part = _mine(state)
    for person in rng.sample(part["staff"], len(part["staff"])):
        others = [x for x in part["staff"] if _near(person, x)]
        other = next((x for x in others if rules.left_of(part, x["id"]) >= 2), None)
        if other is None or _vacations(part, person["id"]) or rules.left_of(part, person["id"]) < 4:
            continue
        asked = [(person, VACATION), (other, VACATION), (person, "Training"), (person, VACATION)]
        for weeks, (asker, kind) in enumerate(asked):
            day = _monday(world, 135 + 14 * weeks)
            rules.request_leave(part, asker["id"], kind, day, day)
        return


def _vacations(part: State, person: str) -> list[Item]:
    return [x for x in part["leave"]
            if (x["person"], x["type"], x["status"]) == (person, VACATION, PENDING)]  # fmt: skip


def _draw_namesakes(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    fits = [
        (person, other)
        for person in part["staff"]
        for other in part["staff"]
        if _near(person, other)
        and len(_vacations(part, person["id"])) == 2
        and _vacations(part, other["id"])
    ]
    person, other = _some(rng, fits, "two namesakes who both ask for vacation")
    numbers = [leave["number"] for leave in _vacations(part, person["id"])]
    return _plain(world, person) | {
        "department": person["department"], "other": other["name"], "numbers": numbers,
        "keys": [leave["id"] for leave in _vacations(part, person["id"])],
    }  # fmt: skip


def _expect_all_approved(world: Company, p: Params, state: State) -> None:
    for key in p["keys"]:
        rules.decide_leave(_mine(state), key, APPROVED)


def _approve_all(page: Page, p: Params) -> Script:
    for number in p["numbers"]:
        page = yield from ways.go(page, "Leave")
        page = yield from ways.search(page, p["name"])
        page = yield from ways.narrow(page, "Status", PENDING)
        page = yield from ways.narrow(page, "Type", VACATION)
        page = yield from ways.open_item(page, number)
        page = yield from ways.press(page, "it is one of them", "Approve leave")
    return None


def _approve_calls(p: Params) -> list[Tool]:
    return [Tool(name="people.approve_leave", arguments={"number": number})
            for number in p.get("numbers", [p.get("number")])]  # fmt: skip


def _draw_request(world: Company, rng: random.Random, state: State) -> Params:
    person, kind = rng.choice(_mine(state)["staff"]), rng.choice(LEAVE_TYPES)
    start = rng.randint(3, 110)
    first, last = world.day(start), world.day(start + rng.randint(0, 6))
    half = rng.random() < 0.5
    if date.fromisoformat(first).weekday() > 4 or date.fromisoformat(last).weekday() > 4:
        raise Redraw("it begins or ends on a weekend")
    _allowed(state, lambda part: rules.request_leave(part, person["id"], kind, first, last, half))
    return _plain(world, person) | {
        "kind": kind, "type": kind.lower(), "from": first, "to": last, "half": half,
        "first": world.look.date(first), "last": world.look.date(last),
        "how": "a half day" if half else "a whole day",
    }  # fmt: skip


def _ask_leave(page: Page, p: Params) -> Script:
    page = yield from _to_person(page, p["name"])
    page = yield from ways.open_link(page, "a new request", "Request leave")
    fields = {"Type": p["kind"], "First day": p["first"], "Last day": p["last"],
              "The last day is a half day": p["half"]}  # fmt: skip
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "ask for it", "Request leave")
    return None


def _ask_calls(p: Params) -> list[Tool]:
    arguments = {"person": p["person"], "kind": p["kind"], "first": p["from"], "last": p["to"],
                 "half": p["half"]}  # fmt: skip
    return [Tool(name="people.create_leave", arguments=arguments)]


def _draw_too_long(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(_mine(state)["staff"])
    days = rules.left_of(_mine(state), person["id"]) // 2 + rng.randint(1, 4)
    first = _monday(world, 125)
    last = date.fromisoformat(first) + timedelta(days=days // 5 * 7 + days % 5)
    return _plain(world, person) | {
        "days": days, "first": world.look.date(first), "last": world.look.date(last.isoformat()),
    }  # fmt: skip


def _look_at_balance(page: Page, p: Params) -> Script:
    page = yield from _to_person(page, p["name"])
    left = ways.value_of(page, "Vacation left").split()[0]
    if float(left) < p["days"]:
        raise GiveUp(f"only {left} days are left")
    return None


# People.


def _draw_move(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(_mine(state)["staff"])
    city = rng.choice([city for city in CITIES if city != person["city"]])
    return _plain(world, person) | {
        "phone": some_phone(rng), "street": f"{rng.randint(181, 250)} {rng.choice(STREETS)}",
        "postal": str(rng.randint(10000, 98999)), "city": city,
        "kin": f"{rng.choice(FIRST)} {rng.choice(LAST)}", "kin_phone": some_phone(rng),
    }  # fmt: skip


def _expect_contact(world: Company, p: Params, state: State) -> None:
    person = rules.one(_mine(state), "staff", p["person"])
    values = {key: p.get(key, person[key]) for key in CONTACT}
    rules.edit_contact(_mine(state), p["person"], values)


def _edit_contact(page: Page, p: Params, fields: dict[str, str]) -> Script:
    page = yield from _to_person(page, p["name"])
    page = yield from ways.open_link(page, "change it", "Edit contact data")
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "save it", "Save contact data")
    return None


def _move_house(page: Page, p: Params) -> Script:
    fields = {
        "Phone": p["phone"], "Street": p["street"], "Postal code": p["postal"], "City": p["city"],
        "Emergency contact": p["kin"], "Emergency phone": p["kin_phone"],
    }  # fmt: skip
    return (yield from _edit_contact(page, p, fields))


def _move_calls(p: Params) -> list[Tool]:
    fields = {key: p[key] for key in CONTACT if key in p}
    arguments = {"person": p["person"], "fields": fields}
    return [Tool(name="people.update_contact", arguments=arguments)]


def _draw_led(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice([p for p in _mine(state)["staff"] if p["manager"]])
    boss = rules.one(_mine(state), "staff", person["manager"])
    return _plain(world, person) | {
        "boss": boss["id"], "kin": boss["name"], "kin_phone": boss["phone"],
    }  # fmt: skip


def _boss_in_emergency(page: Page, p: Params) -> Script:
    page = yield from _to_person(page, p["name"])
    page = yield from ways.open_link(page, "the manager's number", p["kin"])
    fields = {"Emergency contact": p["kin"], "Emergency phone": ways.value_of(page, "Phone")}
    return (yield from _edit_contact(page, p, fields))


def _draw_pay(world: Company, rng: random.Random, state: State) -> Params:
    person = rng.choice(_mine(state)["staff"])
    band = rng.choice([band for band in BANDS if band != person["band"]])
    cents = rng.randrange(*BANDS[band], 25_000)
    if cents == person["salary"]:
        raise Redraw("the salary stays the same")
    return _plain(world, person) | {
        "band": band, "cents": cents, "salary": world.look.money(cents),
        "account": some_account(rng), "contract": person["contract"],
    }  # fmt: skip


def _change_pay(page: Page, p: Params) -> Script:
    page = yield from _to_person(page, p["name"])
    page = yield from ways.open_link(page, "pay stands there", "Pay and contract")
    page = yield from ways.open_link(page, "change it", "Edit pay")
    fields = {"Band": p["band"], "Salary": p["salary"], "Account": p["account"]}
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "save it", "Save pay")
    return None


# Expenses.


def _draw_report(world: Company, rng: random.Random, state: State) -> Params:
    params = _draw_person(world, rng, state) | {"purpose": rng.choice(PURPOSES)}
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
    part = _mine(state)
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
    part = _mine(state)
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
    part = _mine(state)
    fits = []
    for person in part["staff"]:
        mine = [x for x in part["reports"]
                if x["person"] == person["id"] and x["status"] == SUBMITTED]  # fmt: skip
        bad = [x for x in mine if rules.lacks_receipt(x)]
        if len(mine) == 2 and len(bad) == 1:
            fits.append((person, mine, bad[0]))
    person, mine, found = _some(rng, fits, "pair of reports")
    return _plain(world, person) | {
        "report": found["id"], "numbers": [x["number"] for x in mine],
        "reason": rng.choice(("Please attach the receipt", "A receipt is missing")),
    }  # fmt: skip


def _lacks_receipt(page: Page, p: Params) -> bool:
    texts = [line.name for line in page.lines if line.ref is None]
    missing = [_look(p).read_money(texts[at - 1])
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


# Candidates, check lists.


def _opening_params(opening: Item) -> Params:
    return {"opening": opening["id"], "job": f"{opening['title']}, {opening['city']}"}


def _draw_candidate(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    ready = {x["id"] for x in part["openings"] if x["open"]}
    found = rng.choice([c for c in part["candidates"] if c["opening"] in ready])
    stage = rng.choice([stage for stage in STAGES if stage != found["stage"]])
    return _opening_params(rules.one(part, "openings", found["opening"])) | {
        "candidate": found["id"], "name": found["name"], "old": found["stage"], "stage": stage,
    }  # fmt: skip


def _expect_stage(world: Company, p: Params, state: State) -> None:
    rules.move_candidate(_mine(state), p["candidate"], p["stage"])


def _to_opening(page: Page, p: Params) -> ways.Way:
    page = yield from ways.go(page, "Hiring")
    return (yield from ways.open_item(page, p["job"]))


def _drag_candidate(page: Page, p: Params) -> Script:
    page = yield from _to_opening(page, p)
    for _ in range(MAX_DRAGS):
        page = yield from ways.drag(page, f"drag it to {p['stage']}", p["name"], p["stage"])
        if page.says("✓ ") is not None:
            break
    return None


def _some_interviews(world: Company, rng: random.Random, state: State) -> None:
    """An opening has three candidates in interviews, and a better one elsewhere."""
    part = _mine(state)
    opening = rng.choice([x for x in part["openings"] if x["open"]])
    mine = [c for c in part["candidates"] if c["opening"] == opening["id"]]
    scores = rng.sample(range(40, 90), 3)
    for candidate, score in zip(mine[:3], scores, strict=True):
        candidate |= {"stage": "Interview", "score": score}
    mine[3] |= {"stage": "Screening", "score": 97}


def _draw_best(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    fits = []
    for opening in part["openings"]:
        mine = [c for c in part["candidates"]
                if c["opening"] == opening["id"] and c["stage"] == "Interview"]  # fmt: skip
        ranked = sorted(mine, key=lambda c: -c["score"])
        if opening["open"] and len(ranked) > 2 and ranked[0]["score"] > ranked[1]["score"]:
            fits.append((opening, ranked[0]))
    opening, best = _some(rng, fits, "opening with three interviews")
    return _opening_params(opening) | {"candidate": best["id"], "stage": "Offer"}


def _promote_best(page: Page, p: Params) -> Script:
    page = yield from _to_opening(page, p)
    page = yield from ways.open_link(page, "the list has the scores", "All candidates")
    page = yield from ways.narrow(page, "Stage", "Interview")
    page = yield from ways.narrow(page, "Sort", "Score")
    page = yield from ways.open_item(page, _first(page), "the best one")
    page = yield from ways.fill(page, {"Stage": p["stage"]})
    yield from ways.press(page, "move", "Move candidate")
    return None


def _draw_ticks(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    open_tasks = {x["id"]: [t for t in x["tasks"] if not t["done"]] for x in part["onboarding"]}
    fits = [x for x in part["onboarding"] if len(open_tasks[x["id"]]) >= 3]
    found = _some(rng, fits, "check list with three open tasks")
    first, second = rng.sample(open_tasks[found["id"]], 2)
    return _plain(world, rules.one(part, "staff", found["person"])) | {
        "list": found["id"], "keys": [first["id"], second["id"]],
        "first": first["text"], "second": second["text"],
    }  # fmt: skip


def _expect_ticks(world: Company, p: Params, state: State) -> None:
    tasks = rules.one(_mine(state), "onboarding", p["list"])["tasks"]
    rules.tick(_mine(state), p["list"], {t["id"] for t in tasks if t["done"]} | set(p["keys"]))


def _tick(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Onboarding")
    page = yield from ways.open_item(page, p["name"])
    page = yield from ways.fill(page, {p["first"]: True, p["second"]: True})
    yield from ways.press(page, "save it", "Save list")
    return None


# Announcements, roles.


def _draw_news(world: Company, rng: random.Random, state: State) -> Params:
    title = f"{rng.choice(SUBJECTS)} on {rng.choice(WEEKDAYS)}"
    if any(x["title"] == title for x in _mine(state)["announcements"]):
        raise Redraw("that is announced already")
    until = world.day(rng.randint(4, 60))
    return {
        "title": title, "text": rng.choice(("Ask the front desk.", "Details follow by e-mail.")),
        "audience": rng.choice(DEPARTMENTS), "until": until, "date": world.look.date(until),
    }  # fmt: skip


def _publish(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Announcements")
    page = yield from ways.open_link(page, "a new one", "New announcement")
    fields = {"Title": p["title"], "Text": p["text"], "Audience": p["audience"],
              "Shown until": p["date"], "Pin it to the overview": True}  # fmt: skip
    page = yield from ways.fill(page, fields)
    yield from ways.press(page, "publish it", "Publish")
    return None


def _draw_old_news(world: Company, rng: random.Random, state: State) -> Params:
    found = rng.choice(_mine(state)["announcements"])
    return {"news": found["id"], "title": found["title"]}


def _delete_news(page: Page, p: Params) -> Script:
    page = yield from ways.go(page, "Announcements")
    page = yield from ways.open_item(page, p["title"])
    page = yield from ways.press(page, "what else there is", "More")
    yield from ways.sure(page, "Delete announcement")
    return None


def _draw_role(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    found = rng.choice(part["grants"])
    person = rules.one(part, "staff", found["person"])
    near = [x for x in part["staff"] if x["id"] != person["id"]]
    other, role = rng.choice(near), found["role"]
    _allowed(state, lambda part: rules.grant(part, other["id"], role))
    return _plain(world, person) | {"second": other["id"], "other": other["name"], "role": role}


def _expect_role(world: Company, p: Params, state: State) -> None:
    rules.revoke(_mine(state), p["person"], p["role"])
    rules.grant(_mine(state), p["second"], p["role"])


def _to_access(page: Page, name: str) -> ways.Way:
    page = yield from ways.go(page, "Access")
    page = yield from ways.search(page, name)
    return (yield from ways.open_item(page, name))


def _move_role(page: Page, p: Params) -> Script:
    page = yield from _to_access(page, p["name"])
    page = yield from ways.sure(page, f"Revoke {p['role']}")
    page = yield from _to_access(page, p["other"])
    yield from ways.press(page, "now the other one", f"Grant {p['role']}")
    return None


def _role_calls(p: Params) -> list[Tool]:
    pairs = (("people.revoke_role", p["person"]), ("people.grant_role", p["second"]))
    return [Tool(name=name, arguments={"person": who, "role": p["role"]}) for name, who in pairs]


def _draw_conflict(world: Company, rng: random.Random, state: State) -> Params:
    part = _mine(state)
    fits = [x for x in part["grants"] if x["role"] in EXCLUDE]
    found = _some(rng, fits, "person with a role that excludes another")
    role = next(role for role in EXCLUDE if role != found["role"])
    return _plain(world, rules.one(part, "staff", found["person"])) | {"role": role}


def _try_grant(page: Page, p: Params) -> Script:
    page = yield from _to_access(page, p["name"])
    page = yield from ways.press(page, "see whether it is allowed", f"Grant {p['role']}")
    if page.says("Nobody may be both") is not None:
        raise GiveUp("the two roles exclude one another")
    return None


# Hiring.


def _newcomer(world: Company, rng: random.Random, state: State) -> Params:
    first, last, band = rng.choice(FIRST), rng.choice(LAST), rng.choice(("B1", "B2", "B3"))
    email = f"{first}.{last}@{world.domain}".lower()
    _allowed(state, lambda part: rules.email(part, email))
    department, start = rng.choice(DEPARTMENTS), world.day(rng.randint(10, 80))
    cents = rng.randrange(*BANDS[band], 50_000)
    return {
        "first": first, "last": last, "email": email, "phone": some_phone(rng),
        "city": rng.choice(CITIES[1:]), "title": rng.choice(TITLES[department]),
        "department": department, "start": start, "date": world.look.date(start),
        "contract": rng.choice(CONTRACTS), "band": band, "cents": cents,
        "salary": world.look.money(cents), "laptop": rng.choice(LAPTOPS[1:]),
        "mobile": rng.choice(PHONES[1:]),
    }  # fmt: skip


def _fill_draft(part: State, p: Params, today: str) -> None:
    person = {key: p[key] for key in ("first", "last", "email", "phone", "city")}
    contract = {key: p[key] for key in ("title", "start", "department", "contract", "band")}
    rules.hire_part(part, "person", person, today)
    rules.hire_part(part, "contract", contract | {"salary": p["cents"]}, today)


def _expect_hired(world: Company, p: Params, state: State) -> None:
    part = _mine(state)
    if "email" in p:
        _fill_draft(part, p, world.today)
    else:
        part["hire"]["contract"]["start"] = p["start"]
    kit = {"laptop": p["laptop"], "phone": p["mobile"], "card": True}
    rules.hire_part(part, "equipment", kit, world.today)
    rules.hire(part)


def _hire(page: Page, p: Params) -> Script:
    page = yield from ways.open_link(page, "that is the way in", "Hire somebody")
    page = yield from ways.open_link(page, "nothing is filled in yet", "Begin")
    person = {"First name": p["first"], "Last name": p["last"], "E-mail": p["email"],
              "Phone": p["phone"], "City": p["city"]}  # fmt: skip
    page = yield from ways.fill(page, person)
    page = yield from ways.press(page, "the second page", "Next")
    contract = {"Title": p["title"], "Department": p["department"], "First day": p["date"],
                "Contract": p["contract"], "Band": p["band"], "Salary": p["salary"]}  # fmt: skip
    page = yield from ways.fill(page, contract)
    page = yield from ways.press(page, "the third page", "Next")
    page = yield from _equip(page, p)
    yield from ways.press(page, "all is right", "Submit hire")
    return None


def _equip(page: Page, p: Params) -> ways.Way:
    kit = {"Laptop": p["laptop"], "Mobile phone": p["mobile"], "Building pass": True}
    page = yield from ways.fill(page, kit)
    return (yield from ways.press(page, "to the review", "Next"))


def _half_a_draft(world: Company, rng: random.Random, state: State) -> None:
    """Two of the three pages are filled in."""
    while True:
        try:
            found = _newcomer(world, rng, state)
        except Redraw:
            continue
        return _fill_draft(_mine(state), found, world.today)


def _draw_draft(world: Company, rng: random.Random, state: State) -> Params:
    draft = _mine(state)["hire"]
    start = world.day(rng.randint(10, 90))
    if start == draft["contract"]["start"]:
        raise Redraw("the first day stays the same")
    return {
        "name": f"{draft['person']['first']} {draft['person']['last']}", "start": start,
        "date": world.look.date(start), "laptop": rng.choice(LAPTOPS[1:]),
        "mobile": rng.choice(PHONES[1:]),
    }  # fmt: skip


def _finish_draft(page: Page, p: Params) -> Script:
    page = yield from ways.open_link(page, "that is the way in", "Hire somebody")
    page = yield from ways.open_link(page, "it is begun", "Continue the draft")
    page = yield from _equip(page, p)
    page = yield from ways.open_link(page, "the first day", "Change contract")
    page = yield from ways.fill(page, {"First day": p["date"]})
    page = yield from ways.press(page, "the equipment is filled in", "Next")
    page = yield from ways.press(page, "back to the review", "Next")
    yield from ways.press(page, "all is right", "Submit hire")
    return None


HIRING = ("passes the pages", saw("people:hire-review"))
DRAFT_PATHS = ("/people/hire", "/people/hire/*")

TEMPLATES = (
    Template(
        "waiting_count", ("answer",), 3,
        ("How many leave requests wait for a decision?",
         "Tell how many requests for leave are still to be decided on in the whole company."),
        _draw_nothing, _read_waiting, (FINISHED,), answer=_waiting, answer_kind="number",
    ),
    Template(
        "hired_on", ("search", "answer"), 5,
        ("On which day was {name} hired?", "Since which date does {name} work here?",
         "Give the date on which {name} was hired."),
        _draw_person, _read_hired, (DIRECTORY, PERSON, FINISHED), answer=_of_person("hired"),
        answer_kind="date",
    ),
    Template(
        "salary_of", ("search", "answer"), 6,
        ("What does {name} earn a year?", "Tell the yearly salary of {name}.",
         "How much is {name}'s salary?"),
        _draw_person, _read_salary, (PERSON, ("pay", saw("people:pay:{person}")), FINISHED),
        answer=_of_person("salary"), answer_kind="money",
    ),
    Template(
        "group_size", ("filter", "answer"), 7,
        ("How many people of {department} work in {city}?",
         "Count the people in the department {department} whose city is {city}."),
        _draw_group, _read_group, (DIRECTORY, FINISHED), answer=_group_size, answer_kind="number",
    ),
    Template(
        "newest_colleague", ("filter", "sort", "answer"), 7,
        ("Who in the department {department} was hired last? Answer with the name.",
         "Name the person who joined {department} most recently."),
        _draw_department, _find_newest, (DIRECTORY, FINISHED), answer=_newest,
    ),
    Template(
        "hired_earlier", ("search", "compare", "recall", "answer"), 9,
        ("Who was hired earlier, {name} or {other}? Answer with the name.",
         "{name} and {other}: name the one who has worked here longer.",
         "Which of the two was hired first: {other} or {name}?"),
        _draw_two, _compare_hired, (PERSON, ("other", saw("people:person:{second}")), FINISHED),
        answer=_earlier,
    ),
    Template(
        "largest_claim", ("filter", "sort", "answer"), 8,
        ("What is the total of the largest expense report that is submitted, but not yet approved?",
         "Among the submitted expense reports, how much is the largest?"),
        _draw_nothing, _read_largest, (EXPENSES, FINISHED), answer=_largest, answer_kind="money",
    ),
    Template(
        "approve_leave", ("search", "filter"), 8,
        ("Approve the {type} of {name} from {first} to {last}.",
         "{name} asks for {type} that begins on {first}. Approve it.",
         "Say yes to {name}'s pending request for {type} from {first} on."),
        _draw_pending, _approve, (LEAVE, REQUEST, FINISHED),
        lambda world, p, state: rules.decide_leave(_mine(state), p["leave"], APPROVED),
        calls=_approve_calls,
    ),
    Template(
        "reject_leave", ("search", "filter", "form"), 10,
        ("Reject the {type} of {name} from {first} to {last}. Reason: {reason}",
         'Turn down {name}\'s request for {type} from {first} on, with the reason "{reason}".'),
        _draw_pending, _reject, (LEAVE, REQUEST, FINISHED),
        lambda world, p, state: rules.decide_leave(
            _mine(state), p["leave"], REJECTED, p["reason"]
        ),
    ),
    Template(
        "cancel_leave", ("search", "filter", "menu", "dialog"), 10,
        ("Cancel the approved {type} of {name} from {first} to {last}.",
         "{name} will work after all: cancel the {type} that begins on {first}."),
        _draw_ahead, _cancel, (LEAVE, REQUEST, FINISHED),
        lambda world, p, state: rules.cancel_leave(_mine(state), p["leave"], world.today),
    ),
    Template(
        "approve_vacation", ("search", "filter", "multi-step"), 19,
        ("Approve all pending vacation requests of {name} ({department}). Leave the other requests "
         "of {name}, and those of {other}, as they are.",
         "{name} in {department} may go on vacation: approve every vacation request of {name} that "
         "is still pending, nothing else, and nothing of {other}."),
        _draw_namesakes, _approve_all, (LEAVE, FINISHED), _expect_all_approved,
        _two_and_a_namesake, calls=_approve_calls,
    ),
    Template(
        "request_leave", ("search", "form", "date"), 11,
        ("Request {type} for {name} from {first} to {last}. The last day is {how}.",
         "{name} needs {type}: first day {first}, last day {last} ({how}). Enter the request."),
        _draw_request, _ask_leave, (PERSON, FINISHED),
        lambda world, p, state: rules.request_leave(
            _mine(state), p["person"], p["kind"], p["from"], p["to"], p["half"]
        ),
        calls=_ask_calls,
    ),
    Template(
        "leave_too_long", ("search", "refuse"), 5,
        ("Request vacation for {name} from {first} to {last}. If not enough vacation is left for "
         "that, say that it cannot be done.",
         "{name} wants to be on vacation from {first} to {last}. Enter it if the days that are "
         "left suffice."),
        _draw_too_long, _look_at_balance, (DIRECTORY, PERSON, FINISHED), infeasible=True,
        must_see=("people:person:{person}",),
    ),
    Template(
        "move_house", ("search", "form"), 13,
        ("{name} has moved to {street}, {postal} {city}, and has the phone {phone} now. The "
         "emergency contact is {kin}, {kin_phone}. Update the contact data.",
         "Update {name}: phone {phone}; street {street}; postal code {postal}; city {city}; "
         "emergency contact {kin}, emergency phone {kin_phone}."),
        _draw_move, _move_house, (PERSON, FINISHED), _expect_contact, calls=_move_calls,
    ),
    Template(
        "manager_in_emergency", ("search", "form", "recall"), 14,
        ("Make the manager of {name} the emergency contact of {name}, with the manager's phone.",
         "In an emergency, {name}'s manager shall be called. Enter the manager's name and phone as "
         "emergency contact of {name}."),
        _draw_led, _boss_in_emergency,
        (PERSON, ("manager", saw("people:person:{boss}")), FINISHED), _expect_contact,
    ),
    Template(
        "change_pay", ("search", "form", "multi-step"), 11,
        ("{name} is promoted to band {band} with a salary of {salary}, paid to account {account}. "
         "Update the pay.",
         "Set the pay of {name}: band {band}, salary {salary}, account {account}."),
        _draw_pay, _change_pay, (PERSON, ("pay", saw("people:pay:{person}")), FINISHED),
        lambda world, p, state: rules.edit_pay(
            _mine(state), p["person"], p | {"salary": p["cents"]}
        ),
    ),
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
        lambda world, p, state: rules.send_back(_mine(state), p["report"], p["reason"]),
        _two_reports,
    ),
    Template(
        "move_candidate", ("drag",), 6,
        ("Move the candidate {name} for the opening {job} from {old} to {stage}.",
         "Opening {job}: {name} is in {stage} now. Update the board."),
        _draw_candidate, _drag_candidate,
        (("opening", saw("people:opening:{opening}")), FINISHED), _expect_stage,
    ),
    Template(
        "best_candidate", ("filter", "sort", "compare", "form"), 13,
        ("Among the candidates in Interview for the opening {job}, move the one with the highest "
         "score to Offer.",
         "Who of those in Interview for {job} has the best score shall get an offer: move this "
         "candidate to Offer."),
        _draw_best, _promote_best,
        (("opening", saw("people:opening:{opening}")),
         ("candidate", saw("people:candidate:{candidate}")), FINISHED),
        _expect_stage, _some_interviews,
    ),
    Template(
        "tick_tasks", ("form",), 8,
        ('In the onboarding list of {name}, "{first}" and "{second}" are done. Tick them off.',
         "Tick off for the newcomer {name}: {first}; {second}."),
        _draw_ticks, _tick, (("list", saw("people:onboarding:{list}")), FINISHED), _expect_ticks,
    ),
    Template(
        "announce", ("form", "date"), 10,
        ('Announce "{title}" to {audience}: "{text}". Show it until {date}, and pin it.',
         'Publish a pinned announcement for {audience}, title "{title}", text "{text}", shown '
         "until {date}."),
        _draw_news, _publish, (("announcements", saw("people:announcements")), FINISHED),
        lambda world, p, state: rules.announce(
            _mine(state), p["title"], p["text"], p["audience"], p["until"], True, world.today
        ),
    ),
    Template(
        "delete_announcement", ("menu", "dialog"), 9,
        ('Delete the announcement "{title}".', '"{title}" is off: delete this announcement.'),
        _draw_old_news, _delete_news, (("news", saw("people:announcement:{news}")), FINISHED),
        lambda world, p, state: rules.delete_announcement(_mine(state), p["news"]),
    ),
    Template(
        "move_role", ("search", "dialog", "multi-step"), 12,
        ("Take the role {role} from {name} and give it to {other}.",
         "{other} takes over as {role} from {name}: revoke the role of the one and grant it to the "
         "other."),
        _draw_role, _move_role, (ACCESS, FINISHED), _expect_role, calls=_role_calls,
    ),
    Template(
        "role_conflict", ("search", "refuse"), 6,
        ("Grant {name} the role {role}. If the portal refuses it, say that it cannot be done.",
         "{name} should get the role {role} as well, if the portal's rules allow it."),
        _draw_conflict, _try_grant, (ACCESS, FINISHED), infeasible=True,
        must_see=("people:refused:{person}:{role}",),
    ),
    Template(
        "hire", ("form", "date", "multi-step"), 21,
        ("Hire {first} {last} (e-mail {email}, phone {phone}, {city}) as {title} in {department} "
         "from {date}: contract {contract}, band {band}, salary {salary}. Equipment: {laptop}, "
         "{mobile}, building pass. Submit it.",
         "Enter and submit a new hire. Person: {first} {last}, {email}, {phone}, city {city}. "
         "Contract: {title}, {department}, first day {date}, {contract}, band {band}, {salary} a "
         "year. Equipment: {laptop}, {mobile} and a building pass."),
        _newcomer, _hire, (("person", saw("people:hire-person")),
                           ("equipment", saw("people:hire-equipment")), HIRING, FINISHED),
        _expect_hired, passing=DRAFT_PATHS,
    ),
    Template(
        "finish_draft", ("form", "date", "multi-step", "recall"), 12,
        ("The draft for hiring {name} is half done. Finish it: {laptop}, {mobile} and a building "
         "pass; the first day must be {date} instead. Submit it.",
         "{name} will be hired from {date} on, not as in the draft. Correct this, add {laptop}, "
         "{mobile} and a building pass, and submit the draft."),
        _draw_draft, _finish_draft, (("equipment", saw("people:hire-equipment")), HIRING, FINISHED),
        _expect_hired, _half_a_draft, passing=DRAFT_PATHS,
    ),
)  # fmt: skip
