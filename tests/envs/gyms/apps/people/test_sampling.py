"""How the portal's templates choose people and records."""

from __future__ import annotations

import random
from datetime import date

import pytest

from envs.gyms.apps.people import sampling
from envs.gyms.kit.company import get_company
from envs.gyms.kit.template import Resample
from envs.gyms.server.gym import Refused, State

WORLD = get_company(1)


def test_people_by_name_and_locale(portal: State) -> None:
    params = sampling.sample_person(WORLD, random.Random(0), {"people": portal})
    person = next(person for person in portal["staff"] if person["id"] == params["person"])
    assert params == {
        "person": person["id"],
        "name": person["name"],
        "locale": WORLD.locale.region,
    }


def test_what_a_rule_refuses_is_sampled_again(portal: State) -> None:
    def refuse(part: State) -> None:
        part["staff"].clear()
        raise Refused("never")

    with pytest.raises(Resample, match="never"):
        sampling.require_allowed({"people": portal}, refuse)
    assert len(portal["staff"]) == 64
    sampling.require_allowed({"people": portal}, lambda part: None)
    with pytest.raises(Resample, match="there is no red report"):
        sampling.choose(random.Random(0), [], "red report")


@pytest.mark.parametrize("offset", range(7))
def test_mondays_are_at_least_so_many_days_ahead(offset: int) -> None:
    monday = date.fromisoformat(sampling.monday_from(WORLD, offset))
    earliest = date.fromisoformat(WORLD.day(offset))
    assert monday.weekday() == 0
    assert 0 <= (monday - earliest).days < 7
