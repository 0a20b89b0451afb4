"""What the portal allows. Each rule changes the app's state, or raises Refused or NotFound."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from envs.gyms.gym import Refused, State
from envs.gyms.kit.names import CITIES, TITLES
from envs.gyms.kit.records import one
from envs.gyms.people.data import (
    APPROVED,
    BANDS,
    CANCELLED,
    CATEGORIES,
    CONTRACTS,
    DRAFT,
    EXCLUDE,
    LAPTOPS,
    LEAVE_TYPES,
    PENDING,
    PHONES,
    RECEIPT_FROM,
    REJECTED,
    ROLES,
    SENT_BACK,
    STAGES,
    SUBMITTED,
    VACATION,
    account_number,
    check_list,
    grant_item,
    leave_item,
    line_item,
    report_item,
    working_days,
)

Item = dict[str, Any]
Values = Mapping[str, Any]


def among(value: str, options: Any, label: str) -> str:
    if value not in options:
        raise Refused(f"Choose one: {label}")
    return value


def _fits(pattern: str, text: str, words: str) -> str:
    if not re.fullmatch(pattern, text):
        raise Refused(words)
    return text


def email(state: State, text: str, but: str | None = None) -> str:
    """`but`: whose own address it may be."""
    _fits(r"[\w.+-]+@[\w-]+(\.[\w-]+)+", text, "E-mail must be an address such as a.b@firm.example")
    if any(p["email"] == text.lower() and p["id"] != but for p in state["staff"]):
        raise Refused("Somebody else has this e-mail address")
    return text.lower()


def phone(text: str, label: str = "Phone") -> str:
    return _fits(r"\+\d[\d ]{6,18}\d", text, f"{label} must be a number such as +1 555 200 3000")


def account(text: str) -> str:
    """In groups of four. The check digits find slips."""
    plain = text.replace(" ", "").upper()
    example = account_number("123456789012")
    _fits(r"XC\d{14}", plain, f"Account must be XC and 14 digits, such as {example}")
    if account_number(plain[4:]).replace(" ", "") != plain:
        raise Refused("This account does not exist: its check digits are wrong")
    return account_number(plain[4:])


def in_band(salary: int, band: str) -> int:
    low, high = BANDS[among(band, BANDS, "Band")]
    if not low <= salary <= high:
        raise Refused(f"The salary is outside band {band}")
    return salary


def edit_contact(state: State, key: str, values: Values) -> None:
    """Keys: email, phone, street, postal, city, kin, kin_phone."""
    if not (values["street"].strip() and values["kin"].strip()):
        raise Refused("Street and emergency contact are required")
    one(state, "staff", key).update(
        email=email(state, values["email"], key), phone=phone(values["phone"]),
        street=values["street"],
        postal=_fits(r"\d{5}", values["postal"], "Postal code must be five digits"),
        city=among(values["city"], CITIES, "City"), kin=values["kin"],
        kin_phone=phone(values["kin_phone"], "Emergency phone"),
    )  # fmt: skip


def edit_pay(state: State, key: str, values: Values) -> None:
    """Keys: account, band, salary, contract."""
    one(state, "staff", key).update(
        account=account(values["account"]), band=values["band"],
        salary=in_band(values["salary"], values["band"]),
        contract=among(values["contract"], CONTRACTS, "Contract"),
    )  # fmt: skip


# Leave.


def days_of(halves: int) -> str:
    return f"{halves // 2}.5" if halves % 2 else str(halves // 2)


def left_of(state: State, key: str) -> int:
    """Half days of vacation that are neither taken nor asked for."""
    gone = sum(
        leave["halves"]
        for leave in state["leave"]
        if leave["person"] == key
        and leave["type"] == VACATION
        and leave["status"] in (PENDING, APPROVED)
    )
    return int(2 * one(state, "staff", key)["allowance"] - gone)


def request_leave(
    state: State, key: str, kind: str, first: str, last: str, half: bool = False
) -> Item:
    """`half`: the last day is a half day."""
    one(state, "staff", key)
    among(kind, LEAVE_TYPES, "Type")
    if last < first:
        raise Refused("The last day must not be before the first")
    far = (date.fromisoformat(last) - date.fromisoformat(first)).days > 90
    halves = 0 if far else 2 * working_days(first, last) - half
    if halves <= 0:
        raise Refused("There must be a working day in it, and no more than 90 days")
    for other in state["leave"]:
        counts = other["person"] == key and other["status"] in (PENDING, APPROVED)
        if counts and other["from"] <= last and first <= other["to"]:
            raise Refused(f"It overlaps with {other['number']}")
    left = left_of(state, key)
    if kind == VACATION and halves > left:
        raise Refused(f"Only {days_of(left)} days of vacation are left")
    made = leave_item(len(state["leave"]), key, kind, first, last, halves)
    state["leave"].append(made)
    return made


def decide_leave(state: State, key: str, status: str, reason: str = "") -> None:
    """Approved, or rejected for a reason."""
    leave = one(state, "leave", key)
    if leave["status"] != PENDING:
        raise Refused(f"{leave['number']} is {leave['status'].lower()} already")
    if status == REJECTED and not reason:
        raise Refused("Reason is required")
    leave |= {"status": status, "reason": reason}


def cancel_leave(state: State, key: str, today: str) -> None:
    leave = one(state, "leave", key)
    if leave["status"] not in (PENDING, APPROVED):
        raise Refused(f"{leave['number']} is {leave['status'].lower()} already")
    if leave["from"] <= today:
        raise Refused("It has begun: it cannot be cancelled any more")
    leave["status"] = CANCELLED


# Expenses.


def total_of(report: Item) -> int:
    return sum(line["amount"] for line in report["lines"])


def _report_that_is(state: State, key: str, *statuses: str) -> Item:
    report = one(state, "reports", key)
    if report["status"] not in statuses:
        raise Refused(f"{report['number']} is {report['status'].lower()}")
    return report


def new_report(state: State, person: str, purpose: str, day: str) -> Item:
    one(state, "staff", person)
    made = report_item(len(state["reports"]), person, purpose, day)
    state["reports"].append(made)
    return made


def add_line(
    state: State, key: str, kind: str, day: str, amount: int, receipt: bool, today: str
) -> None:
    report = _report_that_is(state, key, DRAFT, SENT_BACK)
    if day > today:
        raise Refused("Date must not be in the future")
    among(kind, CATEGORIES, "Category")
    report["lines"].append(line_item(report, kind, day, amount, receipt))


def remove_line(state: State, key: str, line: str) -> None:
    report = _report_that_is(state, key, DRAFT, SENT_BACK)
    report["lines"] = [item for item in report["lines"] if item["id"] != line]


def submit_report(state: State, key: str) -> None:
    report = _report_that_is(state, key, DRAFT, SENT_BACK)
    if not report["lines"]:
        raise Refused("A report needs a line at least")
    report["status"] = SUBMITTED


def lacks_receipt(report: Item) -> bool:
    return any(not x["receipt"] and x["amount"] >= RECEIPT_FROM for x in report["lines"])


def approve_report(state: State, key: str) -> None:
    report = _report_that_is(state, key, SUBMITTED)
    if lacks_receipt(report):
        raise Refused("A receipt is missing: send the report back")
    report["status"] = APPROVED


def send_back(state: State, key: str, reason: str) -> None:
    _report_that_is(state, key, SUBMITTED).update(status=SENT_BACK, reason=reason)


# Hiring, onboarding.


def move_candidate(state: State, key: str, stage: str) -> None:
    candidate = one(state, "candidates", key)
    if not one(state, "openings", candidate["opening"])["open"]:
        raise Refused("This opening is closed")
    among(stage, STAGES, "Stage")
    if stage == candidate["stage"]:
        raise Refused(f"{candidate['name']} is in {stage} already")
    candidate["stage"] = stage


def tick(state: State, key: str, done: set[str]) -> None:
    """Those tasks of a check list are done, the others are not."""
    for task in one(state, "onboarding", key)["tasks"]:
        task["done"] = task["id"] in done


def hire_part(state: State, part: str, values: Values, today: str) -> None:
    """Keeps a page of the draft. Pages: person (first, last, email, phone, city), contract (title,
    department, start, contract, band, salary), equipment (laptop, phone, card)."""
    if part == "person":
        email(state, values["email"])
        phone(values["phone"])
        among(values["city"], CITIES, "City")
    elif part == "contract":
        among(values["department"], TITLES, "Department")
        among(values["contract"], CONTRACTS, "Contract")
        in_band(values["salary"], values["band"])
        if values["start"] <= today:
            raise Refused("The first day must be in the future")
    else:
        among(values["laptop"], LAPTOPS, "Laptop")
        among(values["phone"], PHONES, "Phone")
    state["hire"][part] = dict(values)


def discard_hire(state: State) -> None:
    state["hire"] = dict.fromkeys(state["hire"])


def hire(state: State) -> Item:
    """Makes the draft a person with a check list."""
    person, contract, kit = (state["hire"][part] for part in ("person", "contract", "equipment"))
    if person is None or contract is None or kit is None:
        raise Refused("Some pages are not filled in yet")
    email(state, person["email"])
    key = f"u{len(state['staff']) + 1}"
    head = next(
        p for p in state["staff"] if p["department"] == contract["department"] and not p["manager"]
    )
    made = {
        "id": key, "name": f"{person['first']} {person['last']}", "email": person["email"].lower(),
        "phone": person["phone"], "city": person["city"], "title": contract["title"],
        "department": contract["department"], "manager": head["id"], "hired": contract["start"],
        "street": "", "postal": "", "kin": "", "kin_phone": "", "account": "", "hours": "40",
        "band": contract["band"], "salary": contract["salary"], "contract": contract["contract"],
        "allowance": 25,
    }  # fmt: skip
    state["staff"].append(made)
    state["onboarding"].append(check_list(contract["start"], key))
    state["equipment"].append({"id": key, **kit})
    discard_hire(state)
    return made


# Announcements, roles.


def announce(
    state: State, title: str, text: str, audience: str, until: str, pinned: bool, today: str
) -> None:
    among(audience, ("Everybody", *TITLES), "Audience")
    if until <= today:
        raise Refused("Shown until must be in the future")
    number = 1 + max((int(item["id"][1:]) for item in state["announcements"]), default=0)
    state["announcements"].append(
        {"id": f"a{number}", "title": title, "text": text, "audience": audience, "date": today,
         "until": until, "pinned": pinned}
    )  # fmt: skip


def delete_announcement(state: State, key: str) -> None:
    state["announcements"].remove(one(state, "announcements", key))


def holds(state: State, person: str, role: str) -> bool:
    return any(grant["id"] == f"{person}:{role}" for grant in state["grants"])


def grant(state: State, person: str, role: str) -> None:
    one(state, "staff", person)
    among(role, ROLES, "Role")
    if holds(state, person, role):
        raise Refused(f"The role {role} is granted already")
    if role in EXCLUDE and any(holds(state, person, other) for other in EXCLUDE):
        raise Refused(f"Nobody may be both {EXCLUDE[0]} and {EXCLUDE[1]}")
    state["grants"].append(grant_item(person, role))


def revoke(state: State, person: str, role: str) -> None:
    state["grants"].remove(one(state, "grants", f"{person}:{role}"))
