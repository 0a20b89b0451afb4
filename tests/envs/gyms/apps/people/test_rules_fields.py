"""What the portal accepts in a field."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people import rules_fields as rules
from envs.gyms.apps.people.records import account_number
from envs.gyms.kit.listing import Item
from envs.gyms.server.gym import Refused, State


def test_what_is_kept(portal: State, person: Item) -> None:
    assert rules.check_email(portal, "New.Person@Firm.example") == "new.person@firm.example"
    assert rules.check_email(portal, person["email"], person["id"]) == person["email"]
    assert rules.check_phone("+1 555 200 3000") == "+1 555 200 3000"
    account = account_number("123456789012")
    assert rules.check_account(account.replace(" ", "").lower()) == account
    assert rules.check_salary(2_400_000, "B1") == 2_400_000


def test_addresses_are_of_one_person(portal: State, person: Item) -> None:
    with pytest.raises(Refused, match="Somebody else"):
        rules.check_email(portal, person["email"].upper())
    for text in ("bo", "bo@firm", "bo @firm.example"):
        with pytest.raises(Refused, match="must be an address"):
            rules.check_email(portal, text)


@pytest.mark.parametrize("text", ["555 200 3000", "+1", "+1 555 x", "+1 555 200 3000 "])
def test_what_is_no_phone(text: str) -> None:
    with pytest.raises(Refused, match="Emergency phone must be a number"):
        rules.check_phone(text, "Emergency phone")


def test_a_typing_error_in_an_account_is_seen() -> None:
    account = account_number("123456789012")
    wrong = account[:-1] + str((int(account[-1]) + 1) % 10)
    with pytest.raises(Refused, match="check digits are wrong"):
        rules.check_account(wrong)
    with pytest.raises(Refused, match="XC and 14 digits"):
        rules.check_account("XC12")


def test_salaries_are_within_their_band() -> None:
    with pytest.raises(Refused, match="outside band B1"):
        rules.check_salary(3_600_001, "B1")
    with pytest.raises(Refused, match="Choose one: Band"):
        rules.check_salary(1, "B9")
