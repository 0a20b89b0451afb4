"""The portal's state in the world of a seed: 64 people, 120 leave requests, 60 expense reports.

Draws take from the random source in a fixed order, so that a seed always makes the same state.
"""

from __future__ import annotations

import random

from envs.gyms.apps.people.records import (
    count_working_days,
    make_check_list,
    make_grant,
    make_leave,
    make_report,
    make_report_line,
    sample_account,
    sample_phone,
)
from envs.gyms.apps.people.vocabulary import (
    APPROVED,
    BANDS,
    CATEGORIES,
    CONTRACTS,
    EXCLUSIVE_ROLES,
    LEAVE_STATUSES,
    LEAVE_TYPES,
    PURPOSES,
    RECEIPT_REQUIRED_FROM,
    REJECTED,
    REPORT_STATUSES,
    ROLES,
    SENT_BACK,
    STAGES,
    SUBJECTS,
    VACATION,
    WEEKDAYS,
    Item,
)
from envs.gyms.kit.company import Company
from envs.gyms.kit.names import CITIES, STREETS, TITLES
from envs.gyms.server.gym import State

LEAVE, REPORTS, OPENINGS, CANDIDATES, NEWCOMERS, ANNOUNCEMENTS = 120, 60, 10, 66, 9, 14


def make_state(world: Company) -> State:
    """The app's state at the start of a session."""
    rng = world.rng("people")
    staff: list[Item] = [
        {
            "id": person.id,
            "name": person.name,
            "email": person.email,
            "phone": person.phone,
            "department": person.department,
            "title": person.title,
            "city": person.city,
            "manager": person.manager,
            "hired": person.hired,
            "street": f"{rng.randint(1, 180)} {rng.choice(STREETS)}",
            "postal": str(rng.randint(10000, 98999)),
            "kin": f"{rng.choice(world.names.first)} {person.name.split()[1]}",
            "kin_phone": sample_phone(rng),
            **_make_pay(rng, person.manager is None),
        }
        for person in world.people
    ]
    openings = _make_openings(rng)
    return {
        "staff": staff,
        "leave": _make_leave_requests(world, rng, staff),
        "reports": [
            _make_sample_report(world, rng, index, rng.choice(staff)) for index in range(REPORTS)
        ],
        "openings": openings,
        "candidates": _make_candidates(world, rng, openings),
        "onboarding": _make_onboarding(world, rng, staff),
        "announcements": _make_announcements(world, rng),
        "grants": _make_grants(rng, staff),
        "equipment": [],
        "hire": {"person": None, "contract": None, "equipment": None},
    }


def _make_pay(rng: random.Random, head: bool) -> Item:
    band = "B5" if head else rng.choice(("B1", "B2", "B3", "B4"))
    low, high = BANDS[band]
    return {
        "band": band,
        "salary": rng.randrange(low, high, 10_000),
        "contract": "Permanent" if head else rng.choice(CONTRACTS[:3]),
        "hours": "40" if head else rng.choice(("20", "32", "40")),
        "account": sample_account(rng),
        "allowance": rng.choice((25, 28, 30)),
    }


def _make_leave_requests(world: Company, rng: random.Random, staff: list[Item]) -> list[Item]:
    """Nobody's requests overlap; nobody's vacation exceeds the allowance."""
    requests: list[Item] = []
    while len(requests) < LEAVE:
        person, kind = rng.choice(staff), rng.choices(LEAVE_TYPES, (6, 2, 2, 1))[0]
        offset = rng.randint(-150, 120)
        first, last = world.day(offset), world.day(offset + rng.randint(0, 8))
        halves = 2 * count_working_days(first, last)
        own_requests = [request for request in requests if request["person"] == person["id"]]
        vacation_taken = sum(
            request["halves"] for request in own_requests if request["type"] == VACATION
        )
        if halves < 2 or any(
            request["from"] <= last and first <= request["to"] for request in own_requests
        ):
            continue
        if kind == VACATION and vacation_taken + halves > 2 * person["allowance"]:
            continue
        halves -= rng.random() < 0.2
        item = make_leave(len(requests), person["id"], kind, first, last, halves)
        weights = (0, 8, 1, 1) if offset < 2 else (5, 3, 1, 1)
        item["status"] = rng.choices(LEAVE_STATUSES, weights)[0]
        if item["status"] == REJECTED:
            item["reason"] = "Too many are away"
        requests.append(item)
    return requests


def _make_sample_report(world: Company, rng: random.Random, index: int, person: Item) -> Item:
    age = rng.randint(1, 120)
    report = make_report(index, person["id"], rng.choice(PURPOSES), world.day(-age))
    report["status"] = rng.choices(REPORT_STATUSES, (2, 6, 6, 1))[0]
    for _ in range(rng.randint(1, 4)):
        amount = rng.randrange(600, 48000, 5)
        has_receipt = (
            amount < RECEIPT_REQUIRED_FROM or report["status"] == APPROVED or rng.random() < 0.85
        )
        day = world.day(-age - rng.randint(0, 9))
        report["lines"].append(
            make_report_line(report, rng.choice(CATEGORIES), day, amount, has_receipt)
        )
    if report["status"] == SENT_BACK:
        report["reason"] = "Please add the receipts"
    return report


def _make_openings(rng: random.Random) -> list[Item]:
    """Titles occur more than once, but not in the same city."""
    jobs = [(job, department) for department, jobs in TITLES.items() for job in jobs]
    openings: list[Item] = []
    while len(openings) < OPENINGS:
        job, department = rng.choice(jobs)
        if openings and rng.random() < 0.35:
            job, department = openings[-1]["title"], openings[-1]["department"]
        city = rng.choice(CITIES)
        if all((opening["title"], opening["city"]) != (job, city) for opening in openings):
            openings.append(
                {
                    "id": f"o{len(openings) + 1}",
                    "title": job,
                    "department": department,
                    "city": city,
                    "open": len(openings) % 5 != 4,
                }
            )
    return openings


def _make_candidates(world: Company, rng: random.Random, openings: list[Item]) -> list[Item]:
    """Names are unique within an opening; the same name may occur in another."""
    candidates: list[Item] = []
    while len(candidates) < CANDIDATES:
        opening = openings[len(candidates) % len(openings)]
        first, last = rng.choice(world.names.first), rng.choice(world.names.last)
        if candidates and rng.random() < 0.3:
            first, last = rng.choice(candidates)["name"].split()
        name = f"{first} {last}"
        if any(
            candidate["name"] == name and candidate["opening"] == opening["id"]
            for candidate in candidates
        ):
            continue
        candidates.append(
            {
                "id": f"c{len(candidates) + 1}",
                "name": name,
                "opening": opening["id"],
                "email": f"{first}.{last}@post.example".lower(),
                "stage": rng.choice(STAGES),
                "score": rng.randint(20, 95),
                "applied": world.day(-rng.randint(1, 60)),
            }
        )
    return candidates


def _make_onboarding(world: Company, rng: random.Random, staff: list[Item]) -> list[Item]:
    """For the people who were hired last."""
    check_lists = []
    for person in sorted(staff, key=lambda p: (p["hired"], p["id"]))[-NEWCOMERS:]:
        check_list = make_check_list(world.day(rng.randint(3, 40)), person["id"])
        for task in check_list["tasks"]:
            task["done"] = rng.random() < 0.35
        check_lists.append(check_list)
    return check_lists


def _make_announcements(world: Company, rng: random.Random) -> list[Item]:
    titles = [f"{subject} on {day}" for subject in SUBJECTS[world.split] for day in WEEKDAYS]
    return [
        {
            "id": f"a{index + 1}",
            "title": title,
            "text": "Please plan for it.",
            "audience": rng.choice(("Everybody", *TITLES)),
            "date": world.day(-rng.randint(0, 60)),
            "until": world.day(rng.randint(2, 50)),
            "pinned": index < 2,
        }
        for index, title in enumerate(rng.sample(titles, ANNOUNCEMENTS))
    ]


def _make_grants(rng: random.Random, staff: list[Item]) -> list[Item]:
    grants: list[Item] = []
    for person in rng.sample(staff, 30):
        for role in rng.sample(list(ROLES), rng.randint(1, 2)):
            excluded = {
                EXCLUSIVE_ROLES[0]: EXCLUSIVE_ROLES[1],
                EXCLUSIVE_ROLES[1]: EXCLUSIVE_ROLES[0],
            }.get(role)
            if all(grant["id"] != f"{person['id']}:{excluded}" for grant in grants):
                grants.append(make_grant(person["id"], role))
    return grants
