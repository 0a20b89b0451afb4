"""What a seed makes of the portal: 64 people, 120 leave requests, 60 expense reports, openings."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

from envs.gyms.gym import State
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import CITIES, FIRST, LAST, STREETS, TITLES

Item = dict[str, Any]
PENDING, APPROVED, REJECTED, CANCELLED = "Pending", "Approved", "Rejected", "Cancelled"
LEAVE_STATUSES = (PENDING, APPROVED, REJECTED, CANCELLED)
VACATION = "Vacation"
LEAVE_TYPES = (VACATION, "Sick leave", "Training", "Unpaid leave")
DRAFT, SUBMITTED, SENT_BACK = "Draft", "Submitted", "Sent back"
REPORT_STATUSES = (DRAFT, SUBMITTED, APPROVED, SENT_BACK)
CATEGORIES = ("Travel", "Hotel", "Meals", "Taxi", "Books", "Software")
PURPOSES = (
    "Trade fair", "Customer visit", "Team meeting", "Language course", "Office supplies",
    "Conference", "Site inspection", "Recruiting day",
)  # fmt: skip
RECEIPT_FROM = 5000
"""Lines of this many cents or more need a receipt."""
BANDS = {
    "B1": (2_400_000, 3_600_000), "B2": (3_200_000, 4_800_000), "B3": (4_400_000, 6_400_000),
    "B4": (6_000_000, 8_600_000), "B5": (8_000_000, 12_000_000),
}  # fmt: skip
CONTRACTS = ("Permanent", "Fixed term", "Part time", "Internship")
STAGES = ("Applied", "Screening", "Interview", "Offer", "Rejected")
ROLES = {
    "Leave approver": "decides on leave requests",
    "Expense approver": "decides on expense reports",
    "Payroll viewer": "sees salaries",
    "Payroll editor": "changes salaries and accounts",
    "Recruiter": "moves candidates",
    "Portal admin": "may do everything here",
}
EXCLUDE = ("Expense approver", "Payroll editor")
"""Nobody may hold both."""
TASKS = (
    "Sign the contract", "Sign the privacy notice", "Order the laptop", "Order the building pass",
    "Meet the manager", "Meet the team", "Safety training", "Set up payroll",
)  # fmt: skip
LAPTOPS = ("None", "Light laptop", "Large laptop", "Workstation")
PHONES = ("None", "Basic phone", "Smartphone")
SUBJECTS = (
    "Office closed", "Fire drill", "Summer party", "New canteen menu", "Payroll cut-off",
    "Car park repairs", "Flu vaccination",
)  # fmt: skip
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
LEAVE, REPORTS, OPENINGS, CANDIDATES, NEWCOMERS, ANNOUNCEMENTS = 120, 60, 10, 66, 9, 14


def account_number(digits: str) -> str:
    """An account with its two check digits, in groups of four."""
    check = 98 - int(f"{digits}331200") % 97
    plain = f"XC{check:02d}{digits}"
    return " ".join(plain[at : at + 4] for at in range(0, len(plain), 4))


def some_account(rng: random.Random) -> str:
    return account_number(f"{rng.randrange(10**12):012d}")


def some_phone(rng: random.Random) -> str:
    return f"+1 555 {rng.randint(100, 999)} {rng.randint(1000, 9999)}"


def working_days(first: str, last: str) -> int:
    day, end = date.fromisoformat(first), date.fromisoformat(last)
    days = (day + timedelta(days=step) for step in range((end - day).days + 1))
    return sum(at.weekday() < 5 for at in days)


def fresh(world: Company) -> State:
    rng = world.rng("people")
    staff: list[Item] = [
        {
            "id": person.id, "name": person.name, "email": person.email, "phone": person.phone,
            "department": person.department, "title": person.title, "city": person.city,
            "manager": person.manager, "hired": person.hired,
            "street": f"{rng.randint(1, 180)} {rng.choice(STREETS)}",
            "postal": str(rng.randint(10000, 98999)),
            "kin": f"{rng.choice(FIRST)} {person.name.split()[1]}", "kin_phone": some_phone(rng),
            **_pay(rng, person.manager is None),
        }
        for person in world.people
    ]  # fmt: skip
    openings = _openings(rng)
    return {
        "staff": staff,
        "leave": _leave(world, rng, staff),
        "reports": [_report(world, rng, index, rng.choice(staff)) for index in range(REPORTS)],
        "openings": openings,
        "candidates": _candidates(world, rng, openings),
        "onboarding": _onboarding(world, rng, staff),
        "announcements": _announcements(world, rng),
        "grants": _grants(rng, staff),
        "equipment": [],
        "hire": {"person": None, "contract": None, "equipment": None},
    }


def _pay(rng: random.Random, head: bool) -> Item:
    band = "B5" if head else rng.choice(("B1", "B2", "B3", "B4"))
    low, high = BANDS[band]
    return {
        "band": band, "salary": rng.randrange(low, high, 10_000),
        "contract": "Permanent" if head else rng.choice(CONTRACTS[:3]),
        "hours": "40" if head else rng.choice(("20", "32", "40")),
        "account": some_account(rng), "allowance": rng.choice((25, 28, 30)),
    }  # fmt: skip


def leave_item(index: int, person: str, kind: str, first: str, last: str, halves: int) -> Item:
    return {
        "id": f"l{index + 1}", "number": f"LV-{1001 + index}", "person": person, "type": kind,
        "from": first, "to": last, "halves": halves, "status": PENDING, "reason": "",
    }  # fmt: skip


def _leave(world: Company, rng: random.Random, staff: list[Item]) -> list[Item]:
    """Nobody's requests overlap; nobody's vacation is more than the allowance."""
    made: list[Item] = []
    while len(made) < LEAVE:
        person, kind = rng.choice(staff), rng.choices(LEAVE_TYPES, (6, 2, 2, 1))[0]
        at = rng.randint(-150, 120)
        first, last = world.day(at), world.day(at + rng.randint(0, 8))
        halves = 2 * working_days(first, last)
        mine = [one for one in made if one["person"] == person["id"]]
        taken = sum(one["halves"] for one in mine if one["type"] == VACATION)
        if halves < 2 or any(one["from"] <= last and first <= one["to"] for one in mine):
            continue
        if kind == VACATION and taken + halves > 2 * person["allowance"]:
            continue
        halves -= rng.random() < 0.2
        item = leave_item(len(made), person["id"], kind, first, last, halves)
        weights = (0, 8, 1, 1) if at < 2 else (5, 3, 1, 1)
        item["status"] = rng.choices(LEAVE_STATUSES, weights)[0]
        if item["status"] == REJECTED:
            item["reason"] = "Too many are away"
        made.append(item)
    return made


def report_item(index: int, person: str, purpose: str, day: str) -> Item:
    return {
        "id": f"e{index + 1}", "number": f"EX-{2001 + index}", "person": person,
        "purpose": purpose, "date": day, "status": DRAFT, "reason": "", "lines": [],
    }  # fmt: skip


def line_item(report: Item, kind: str, day: str, amount: int, receipt: bool) -> Item:
    number = 1 + max((int(line["id"].partition("-")[2]) for line in report["lines"]), default=0)
    return {
        "id": f"{report['id']}-{number}", "category": kind, "date": day, "amount": amount,
        "receipt": receipt,
    }  # fmt: skip


def _report(world: Company, rng: random.Random, index: int, person: Item) -> Item:
    age = rng.randint(1, 120)
    report = report_item(index, person["id"], rng.choice(PURPOSES), world.day(-age))
    report["status"] = rng.choices(REPORT_STATUSES, (2, 6, 6, 1))[0]
    for _ in range(rng.randint(1, 4)):
        amount = rng.randrange(600, 48000, 5)
        kept = amount < RECEIPT_FROM or report["status"] == APPROVED or rng.random() < 0.85
        day = world.day(-age - rng.randint(0, 9))
        report["lines"].append(line_item(report, rng.choice(CATEGORIES), day, amount, kept))
    if report["status"] == SENT_BACK:
        report["reason"] = "Please add the receipts"
    return report


def _openings(rng: random.Random) -> list[Item]:
    """Titles come more than once, but not in the same city."""
    jobs = [(job, department) for department, jobs in TITLES.items() for job in jobs]
    made: list[Item] = []
    while len(made) < OPENINGS:
        job, department = rng.choice(jobs)
        if made and rng.random() < 0.35:
            job, department = made[-1]["title"], made[-1]["department"]
        city = rng.choice(CITIES)
        if all((one["title"], one["city"]) != (job, city) for one in made):
            made.append(
                {"id": f"o{len(made) + 1}", "title": job, "department": department, "city": city,
                 "open": len(made) % 5 != 4}
            )  # fmt: skip
    return made


def _candidates(world: Company, rng: random.Random, openings: list[Item]) -> list[Item]:
    """Names are unique within an opening; the same name may stand in another."""
    made: list[Item] = []
    while len(made) < CANDIDATES:
        opening = openings[len(made) % len(openings)]
        first, last = rng.choice(FIRST), rng.choice(LAST)
        if made and rng.random() < 0.3:
            first, last = rng.choice(made)["name"].split()
        name = f"{first} {last}"
        if any(one["name"] == name and one["opening"] == opening["id"] for one in made):
            continue
        made.append(
            {"id": f"c{len(made) + 1}", "name": name, "opening": opening["id"],
             "email": f"{first}.{last}@post.example".lower(), "stage": rng.choice(STAGES),
             "score": rng.randint(20, 95), "applied": world.day(-rng.randint(1, 60))}
        )  # fmt: skip
    return made


def check_list(world_day: str, person: str) -> Item:
    tasks = [
        {"id": f"{person}-t{index + 1}", "text": text, "done": False}
        for index, text in enumerate(TASKS)
    ]
    return {"id": f"b-{person}", "person": person, "due": world_day, "tasks": tasks}


def _onboarding(world: Company, rng: random.Random, staff: list[Item]) -> list[Item]:
    """Of those hired last."""
    made = []
    for person in sorted(staff, key=lambda p: (p["hired"], p["id"]))[-NEWCOMERS:]:
        listed = check_list(world.day(rng.randint(3, 40)), person["id"])
        for task in listed["tasks"]:
            task["done"] = rng.random() < 0.35
        made.append(listed)
    return made


def _announcements(world: Company, rng: random.Random) -> list[Item]:
    titles = [f"{subject} on {day}" for subject in SUBJECTS for day in WEEKDAYS]
    return [
        {
            "id": f"a{index + 1}", "title": title, "text": "Please plan for it.",
            "audience": rng.choice(("Everybody", *TITLES)), "date": world.day(-rng.randint(0, 60)),
            "until": world.day(rng.randint(2, 50)), "pinned": index < 2,
        }
        for index, title in enumerate(rng.sample(titles, ANNOUNCEMENTS))
    ]  # fmt: skip


def grant_item(person: str, role: str) -> Item:
    return {"id": f"{person}:{role}", "person": person, "role": role}


def _grants(rng: random.Random, staff: list[Item]) -> list[Item]:
    made: list[Item] = []
    for person in rng.sample(staff, 30):
        for role in rng.sample(list(ROLES), rng.randint(1, 2)):
            other = {EXCLUDE[0]: EXCLUDE[1], EXCLUDE[1]: EXCLUDE[0]}.get(role)
            if all(one["id"] != f"{person['id']}:{other}" for one in made):
                made.append(grant_item(person["id"], role))
    return made
