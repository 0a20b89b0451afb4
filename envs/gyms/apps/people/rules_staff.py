"""What the portal allows with a person's contact data and pay.

Each rule changes the app's state, or raises Refused or NotFound and changes nothing.
"""

from __future__ import annotations

from envs.gyms.apps.people.rules_fields import (
    Values,
    check_account,
    check_choice,
    check_email,
    check_pattern,
    check_phone,
    check_salary,
)
from envs.gyms.apps.people.vocabulary import CONTRACTS
from envs.gyms.kit.names import CITIES
from envs.gyms.kit.records import get_record
from envs.gyms.server.gym import Refused, State


def edit_contact(state: State, key: str, values: Values) -> None:
    """`values` has email, phone, street, postal, city, kin and kin_phone."""
    if not (values["street"].strip() and values["kin"].strip()):
        raise Refused("Street and emergency contact are required")
    get_record(state, "staff", key).update(
        email=check_email(state, values["email"], key),
        phone=check_phone(values["phone"]),
        street=values["street"],
        postal=check_pattern(r"\d{5}", values["postal"], "Postal code must be five digits"),
        city=check_choice(values["city"], CITIES, "City"),
        kin=values["kin"],
        kin_phone=check_phone(values["kin_phone"], "Emergency phone"),
    )


def edit_pay(state: State, key: str, values: Values) -> None:
    """`values` has account, band, salary and contract."""
    get_record(state, "staff", key).update(
        account=check_account(values["account"]),
        band=values["band"],
        salary=check_salary(values["salary"], values["band"]),
        contract=check_choice(values["contract"], CONTRACTS, "Contract"),
    )
