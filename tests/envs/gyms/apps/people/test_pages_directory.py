"""The overview, the directory, the departments."""

from __future__ import annotations

import pytest

from envs.gyms.apps.people import pages_directory as pages
from envs.gyms.apps.people.app import PEOPLE
from envs.gyms.server.gym import NotFound
from tests.envs.gyms.apps.app_requests import logged_events, make_request, text_of


def test_the_overview_counts_open_decisions() -> None:
    request = make_request(PEOPLE)
    pending = sum(leave["status"] == "Pending" for leave in request.state["leave"])
    assert f"Leave requests to decide on {pending}" in text_of(pages.show_overview(request))
    for announcement in request.state["announcements"]:
        announcement["pinned"] = False
    assert "Nothing is pinned" in text_of(pages.show_overview(request))


def test_the_directory_is_searched_by_name() -> None:
    name = make_request(PEOPLE).state["staff"][0]["name"]
    request = make_request(PEOPLE, query={"q": name})
    assert "1 found, sorted by Name" in text_of(pages.show_directory(request))
    assert logged_events(request) == ["people:staff"]


def test_departments_have_a_head() -> None:
    request = make_request(PEOPLE)
    head = next(person for person in request.state["staff"] if person["manager"] is None)
    assert f"{head['department']} {head['name']}" in text_of(pages.show_departments(request))
    assert f"Head {head['name']}" in text_of(pages.show_department(request, head["department"]))
    with pytest.raises(NotFound, match="no department Magic"):
        pages.show_department(request, "Magic")
