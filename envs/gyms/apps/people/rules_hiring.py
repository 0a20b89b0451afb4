"""What the portal allows with candidates, new hires and their check lists.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

from envs.gyms.apps.people.records import make_check_list
from envs.gyms.apps.people.rules_fields import (
    Values,
    check_choice,
    check_email,
    check_phone,
    check_salary,
)
from envs.gyms.apps.people.vocabulary import CONTRACTS, LAPTOPS, PHONES, STAGES, Item
from envs.gyms.kit.names import CITIES, TITLES
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State


def move_candidate(state: State, key: str, stage: str) -> None:
    """To another stage of an open opening."""
    candidate = get_record(state, "candidates", key)
    if not get_record(state, "openings", candidate["opening"])["open"]:
        raise Refused("This opening is closed")
    check_choice(stage, STAGES, "Stage")
    if stage == candidate["stage"]:
        raise Refused(f"{candidate['name']} is in {stage} already")
    candidate["stage"] = stage


def set_done_tasks(state: State, key: str, done: set[str]) -> None:
    """The tasks of a check list with these ids are done, the others are not."""
    for task in get_record(state, "onboarding", key)["tasks"]:
        task["done"] = task["id"] in done


def save_draft_page(state: State, part: str, values: Values, today: str) -> None:
    """Keeps one page of the draft.

    Pages: person (first, last, email, phone, city), contract (title, department, start, contract,
    band, salary), equipment (laptop, phone, card)."""
    if part == "person":
        check_email(state, values["email"])
        check_phone(values["phone"])
        check_choice(values["city"], CITIES, "City")
    elif part == "contract":
        check_choice(values["department"], TITLES, "Department")
        check_choice(values["contract"], CONTRACTS, "Contract")
        check_salary(values["salary"], values["band"])
        if values["start"] <= today:
            raise Refused("The first day must be in the future")
    else:
        check_choice(values["laptop"], LAPTOPS, "Laptop")
        check_choice(values["phone"], PHONES, "Phone")
    state["hire"][part] = dict(values)


def discard_draft(state: State) -> None:
    """Empties the draft."""
    state["hire"] = dict.fromkeys(state["hire"])


def hire_from_draft(state: State) -> Item:
    """Adds the draft's person, with a check list, and empties the draft."""
    person, contract, equipment = (
        state["hire"][part] for part in ("person", "contract", "equipment")
    )
    if person is None or contract is None or equipment is None:
        raise Refused("Some pages are not filled in yet")
    check_email(state, person["email"])
    key = f"u{len(state['staff']) + 1}"
    head = next(
        p for p in state["staff"] if p["department"] == contract["department"] and not p["manager"]
    )
    hired = {
        "id": key,
        "name": f"{person['first']} {person['last']}",
        "email": person["email"].lower(),
        "phone": person["phone"],
        "city": person["city"],
        "title": contract["title"],
        "department": contract["department"],
        "manager": head["id"],
        "hired": contract["start"],
        "street": "",
        "postal": "",
        "kin": "",
        "kin_phone": "",
        "account": "",
        "hours": "40",
        "band": contract["band"],
        "salary": contract["salary"],
        "contract": contract["contract"],
        "allowance": 25,
    }
    state["staff"].append(hired)
    state["onboarding"].append(make_check_list(contract["start"], key))
    state["equipment"].append({"id": key, **equipment})
    discard_draft(state)
    return hired
