"""What the log of a session says of Trac's pages."""

from __future__ import annotations

import pytest

from envs.gyms.apps.trac.application import Trac
from envs.gyms.real.application import PageRequest


@pytest.mark.parametrize(
    ("method", "path", "query", "status", "events"),
    [
        ("GET", "/roadmap", {}, 200, ["page:roadmap"]),
        ("GET", "/wiki/Quartz Press", {}, 200, ["page:wiki/Quartz Press"]),
        ("GET", "/search", {"q": "Fair"}, 200, ["search:Fair"]),
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
