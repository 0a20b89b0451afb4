"""What the portal allows with candidates, new hires and check lists."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people import rules_hiring as rules
from envs.gyms.kit.names import CITIES, TITLES
from envs.gyms.server.gym import Refused, State

TODAY, DEPARTMENT = "2026-03-02", next(iter(TITLES))
PERSON = {"first": "Ann", "last": "Lee", "email": "Ann.Lee@x.example", "phone": "+1 555 200 3000"}
CONTRACT = {"title": "Chief", "department": DEPARTMENT, "start": "2026-04-01", "band": "B1"}


def test_a_draft_becomes_a_person_with_a_check_list(portal: State) -> None:
    rules.save_draft_page(portal, "person", PERSON | {"city": CITIES[0]}, TODAY)
    contract = CONTRACT | {"contract": "Permanent", "salary": 2_400_000}
    rules.save_draft_page(portal, "contract", contract, TODAY)
    with pytest.raises(Refused, match="not filled in yet"):
        rules.hire_from_draft(portal)
    kit = {"laptop": "None", "phone": "None", "card": True}
    rules.save_draft_page(portal, "equipment", kit, TODAY)
    hired = rules.hire_from_draft(portal)
    assert (hired["id"], hired["email"]) == ("u65", "ann.lee@x.example")
    manager = next(person for person in portal["staff"] if person["id"] == hired["manager"])
    assert (manager["department"], manager["manager"]) == (DEPARTMENT, None)
    assert portal["onboarding"][-1]["person"] == "u65"
    assert portal["equipment"] == [{"id": "u65", **kit}]
    assert not any(portal["hire"].values())


@pytest.mark.parametrize(
    ("part", "values", "message"),
    [
        ("person", PERSON | {"city": "Atlantis"}, "City"),
        ("person", PERSON | {"phone": "1", "city": CITIES[0]}, "Phone must be"),
        ("contract", CONTRACT | {"contract": "Permanent", "salary": 1}, "outside band"),
        (
            "contract",
            CONTRACT | {"contract": "Permanent", "salary": 2_400_000, "start": TODAY},
            "in the future",
        ),
        ("equipment", {"laptop": "Abacus", "phone": "None"}, "Laptop"),
    ],
)
def test_pages_that_are_refused_are_not_kept(
    portal: State, part: str, values: dict[str, str], message: str
) -> None:
    with pytest.raises(Refused, match=message):
        rules.save_draft_page(portal, part, values, TODAY)
    assert portal["hire"][part] is None


def test_candidates_move_while_their_opening_is_open(portal: State) -> None:
    is_open = {opening["id"]: opening["open"] for opening in portal["openings"]}
    candidate = next(c for c in portal["candidates"] if is_open[c["opening"]])
    stage = "Offer" if candidate["stage"] != "Offer" else "Applied"
    rules.move_candidate(portal, candidate["id"], stage)
    assert candidate["stage"] == stage
    with pytest.raises(Refused, match=f"is in {stage} already"):
        rules.move_candidate(portal, candidate["id"], stage)
    closed = next(c for c in portal["candidates"] if not is_open[c["opening"]])
    with pytest.raises(Refused, match="closed"):
        rules.move_candidate(portal, closed["id"], stage)


def test_a_check_list_is_set_as_a_whole(portal: State) -> None:
    check_list = portal["onboarding"][0]
    first = check_list["tasks"][0]["id"]
    rules.set_done_tasks(portal, check_list["id"], {first})
    assert [task["id"] for task in check_list["tasks"] if task["done"]] == [first]
