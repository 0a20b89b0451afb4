"""People as links and as options."""

from __future__ import annotations

from envs.gyms.apps.people import page_parts
from envs.gyms.apps.people.app import PEOPLE
from tests.envs.gyms.apps.app_requests import make_request


def test_people_of_records() -> None:
    request = make_request(PEOPLE)
    person = page_parts.get_person_of(request, request.state["leave"][0])
    assert f'href="/people/staff/{person["id"]}"' in page_parts.link_person(request, person)
    names = [name for _, name in page_parts.list_people_options(request)]
    assert names == sorted(names)
    assert len(names) == 64
