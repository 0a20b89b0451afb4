"""The pages of one person."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people import pages_staff as pages
from envs.gyms.apps.people.app import PEOPLE
from envs.gyms.apps.people.vocabulary import CONTACT_FIELDS
from envs.gyms.server.gym import Refused
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_a_person_and_the_pay() -> None:
    request = make_request(PEOPLE)
    person = request.state["staff"][5]
    text = text_of(pages.show_person(request, person["id"]))
    assert f"E-mail {person['email']}" in text
    assert f"Hired {request.locale.format_date(person['hired'])}" in text
    salary = request.locale.format_money(person["salary"])
    assert f"Salary {salary}" in text_of(pages.show_pay(request, person["id"]))
    assert logged_events(request) == [f"people:person:{person['id']}", f"people:pay:{person['id']}"]


def test_contact_data_by_form() -> None:
    request = make_request(PEOPLE)
    person = request.state["staff"][5]
    assert "Save contact data" in text_of(pages.show_contact_form(request, person["id"]))
    request.form.update({key: person[key] for key in CONTACT_FIELDS} | {"postal": "54321"})
    pages.save_contact(request, person["id"])
    assert person["postal"] == "54321"
    request.form["kin"] = ""
    with pytest.raises(Refused, match="Emergency contact is required"):
        pages.save_contact(request, person["id"])


def test_pay_by_form() -> None:
    request = make_request(PEOPLE)
    person = request.state["staff"][5]
    assert "Save pay" in text_of(pages.show_pay_form(request, person["id"]))
    salary = request.locale.format_money(2_500_000)
    form = {"account": person["account"], "band": "B1", "contract": "Permanent", "salary": salary}
    request.form.update(form)
    pages.save_pay(request, person["id"])
    assert (person["band"], person["salary"]) == ("B1", 2_500_000)
