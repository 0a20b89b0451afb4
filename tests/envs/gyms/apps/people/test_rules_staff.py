"""What the portal allows with contact data and pay."""

from __future__ import annotations

import copy

import pytest

from envs.gyms.apps.people import rules_staff as rules
from envs.gyms.apps.people.records import account_number
from envs.gyms.apps.people.vocabulary import CONTACT_FIELDS
from envs.gyms.kit.listing import Item
from envs.gyms.server.gym import Refused, State


def test_contact_data(portal: State, person: Item) -> None:
    values = {key: person[key] for key in CONTACT_FIELDS} | {"postal": "12345", "kin": "Ann Lee"}
    rules.edit_contact(portal, person["id"], values)
    assert (person["postal"], person["kin"]) == ("12345", "Ann Lee")
    for wrong in ({"postal": "1234"}, {"street": " "}, {"city": "Atlantis"}, {"kin_phone": "1"}):
        before = copy.deepcopy(person)
        with pytest.raises(Refused):
            rules.edit_contact(portal, person["id"], values | wrong)
        assert person == before


def test_pay(portal: State, person: Item) -> None:
    account = account_number("210987654321")
    values = {"account": account, "band": "B2", "salary": 3_200_000, "contract": "Part time"}
    rules.edit_pay(portal, person["id"], values)
    assert {key: person[key] for key in values} == values
    with pytest.raises(Refused, match="Contract"):
        rules.edit_pay(portal, person["id"], values | {"contract": "Spoken"})
