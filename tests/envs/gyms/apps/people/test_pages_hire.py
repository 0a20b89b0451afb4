"""The pages that hire somebody."""

from __future__ import annotations

from envs.gyms.apps.people import pages_hire as pages
from envs.gyms.apps.people.app import PEOPLE
from envs.gyms.kit.names import CITIES, DEPARTMENTS
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of

PERSON = {"first": "Ann", "last": "Lee", "email": "ann.lee@x.example", "phone": "+1 555 200 3000"}


def test_three_forms_and_a_review() -> None:
    request = make_request(PEOPLE)
    assert "Begin" in text_of(pages.show_hire(request))
    request.form.update(PERSON | {"city": CITIES[1]})
    assert "Page 1 of 3" in text_of(pages.show_person_form(request))
    assert pages.save_person(request).path == "/people/hire/contract"
    contract = {"title": "Chief", "department": DEPARTMENTS[0], "start": "2099-01-01"}
    request.form.update(contract | {"contract": "Permanent", "band": "B1", "salary": "24000"})
    assert "Page 2 of 3" in text_of(pages.show_contract_form(request))
    assert pages.save_contract(request).path == "/people/hire/equipment"
    assert 'href="/people/hire/equipment"' in pages.show_hire(request)
    request.form.update({"laptop": "None", "phone": "None", "card": "yes"})
    assert "Page 3 of 3" in text_of(pages.show_equipment_form(request))
    assert pages.save_equipment(request).path == "/people/hire/review"
    text = text_of(pages.show_review(request))
    assert f"Salary {request.locale.format_money(2_400_000)}" in text
    assert "Card Yes" in text
    assert pages.submit_hire(request).flash == "✓ Ann Lee is hired"
    assert "people:hire-review" in logged_events(request)


def test_drafts_are_kept_until_they_are_discarded() -> None:
    request = make_request(PEOPLE, form=PERSON | {"city": CITIES[1]})
    pages.save_person(request)
    assert 'value="Ann"' in pages.show_person_form(request)
    assert "Continue the draft" in text_of(pages.show_hire(request))
    pages.discard_draft(request)
    assert "Begin" in text_of(pages.show_hire(request))
