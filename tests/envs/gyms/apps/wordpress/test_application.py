"""What the log of a session says of WordPress's pages."""

from __future__ import annotations

import pytest

from envs.gyms.apps.wordpress.application import WordPress
from envs.gyms.real.application import PageRequest


@pytest.mark.parametrize(
    ("method", "path", "query", "status", "events"),
    [
        ("GET", "/wp-admin/users.php", {}, 200, ["page:users"]),
        ("GET", "/wp-admin/edit.php", {"s": "Fair"}, 200, ["page:edit", "search:Fair"]),
        ("GET", "/wp-admin/edit.php", {"s": "Fair"}, 302, []),
        ("POST", "/wp-admin/edit.php", {"s": "Fair"}, 200, []),
        ("GET", "/wp-admin/load-styles.php", {}, 200, []),
        ("GET", "/about-us/", {"s": "Fair"}, 200, []),
    ],
)
def test_pages_and_searches_of_the_administration_are_logged(
    method: str, path: str, query: dict[str, str], status: int, events: list[str]
) -> None:
    request = PageRequest(method=method, path=path, query=query, status=status)
    assert list(WordPress().list_events(request)) == events
