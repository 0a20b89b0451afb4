"""The portal's state in the world of a seed."""

from __future__ import annotations

from itertools import combinations

import pytest

from envs.gyms.apps.people.data import make_state
from envs.gyms.apps.people.rules_leave import vacation_left
from envs.gyms.apps.people.vocabulary import BANDS, EXCLUSIVE_ROLES
from envs.gyms.kit.company import get_company


@pytest.mark.parametrize("seed", [0, 7, 10**9])
def test_a_seed_keeps_what_the_rules_allow(seed: int) -> None:
    world = get_company(seed)
    state = make_state(world)
    assert state == make_state(world)
    for person in state["staff"]:
        low, high = BANDS[person["band"]]
        assert low <= person["salary"] <= high
        assert vacation_left(state, person["id"]) >= 0
        own = [leave for leave in state["leave"] if leave["person"] == person["id"]]
        for first, second in combinations(own, 2):
            assert first["to"] < second["from"] or second["to"] < first["from"]
    grants = {grant["id"] for grant in state["grants"]}
    for person in state["staff"]:
        assert not all(f"{person['id']}:{role}" in grants for role in EXCLUSIVE_ROLES)


def test_sizes_and_names() -> None:
    state = make_state(get_company(1))
    assert [len(state[kind]) for kind in ("staff", "leave", "reports", "onboarding")] == [
        64,
        120,
        60,
        9,
    ]
    names = [(c["name"], c["opening"]) for c in state["candidates"]]
    assert len(set(names)) == len(names)
    jobs = [(opening["title"], opening["city"]) for opening in state["openings"]]
    assert len(set(jobs)) == len(jobs)
