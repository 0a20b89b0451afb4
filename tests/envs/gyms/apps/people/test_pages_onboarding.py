"""The pages of check lists."""

from __future__ import annotations

from envs.gyms.apps.people import pages_onboarding as pages
from envs.gyms.apps.people.app import PEOPLE
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_ticked_tasks_are_done_and_the_others_open() -> None:
    request = make_request(PEOPLE)
    check_list = request.state["onboarding"][0]
    first, second = (task["id"] for task in check_list["tasks"][:2])
    request.form.update({first: "yes", second: "", "token": "x"})
    pages.save_check_list(request, check_list["id"])
    assert [task["id"] for task in check_list["tasks"] if task["done"]] == [first]
    assert "1 of 8" in text_of(pages.show_onboarding(request))
    assert pages.show_check_list(request, check_list["id"]).count("checked") == 1
    assert logged_events(request)[-1] == f"people:onboarding:{check_list['id']}"
