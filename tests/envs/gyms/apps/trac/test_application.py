"""What the log of a session says of Trac's pages."""

from __future__ import annotations

from urllib.parse import parse_qsl

import pytest

from envs.gyms.apps.trac.application import Trac
from envs.gyms.real.application import PageRequest


@pytest.mark.parametrize(
    ("method", "path", "query", "status", "events"),
    [
        ("GET", "/roadmap", {}, 200, ["page:roadmap"]),
        ("GET", "/wiki/Quartz Press", {}, 200, ["page:wiki/Quartz Press"]),
        ("GET", "/search", {"q": "Fair"}, 200, ["search:fair"]),
        ("GET", "/search", {"q": "Fair", "page": "2"}, 200, []),
        ("GET", "/search", {"q": "Fair", "milestone": "on"}, 200, ["narrowed:fair"]),
        (
            "GET",
            "/search",
            {"q": "Fair", "milestone": "on", "ticket": "on"},
            200,
            ["search:fair", "tickets:fair"],
        ),
        ("GET", "/search", {"q": "#4"}, 302, []),
        ("POST", "/newticket", {}, 200, []),
        ("GET", "/chrome/common/css/trac.css", {}, 200, []),
    ],
)
def test_pages_and_searches_are_logged(
    method: str, path: str, query: dict[str, str], status: int, events: list[str]
) -> None:
    request = PageRequest(method=method, path=path, query=query, status=status)
    assert list(Trac().list_events(request)) == events


@pytest.mark.parametrize(
    ("query", "events"),
    [
        ("summary=~Quartz Press", ["tickets:quartz press"]),
        ("summary=~QUARTZ&order=id&col=summary&desc=1", ["tickets:quartz"]),
        (
            "status=new&status=assigned&status=accepted&status=reopened&status=closed"
            "&summary=~Quartz",
            ["tickets:quartz"],
        ),
        ("status=!closed&summary=~Quartz", []),
        ("status=closed&summary=~Quartz", []),
        ("owner=berg1&summary=~Quartz", []),
        ("summary=Quartz", []),
        ("summary=~Quartz&page=2", []),
        ("summary=~Quartz&summary=!~Press", []),
        ("summary=~Quartz&max=1", []),
        ("", []),
    ],
)
def test_a_query_over_all_tickets_tells_what_it_looked_for(query: str, events: list[str]) -> None:
    pairs = parse_qsl(query)
    request = PageRequest(method="GET", path="/query", query=dict(pairs), pairs=pairs, status=200)
    assert list(Trac().list_events(request)) == ["page:query", *events]
