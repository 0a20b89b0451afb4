"""What the log of a session says of WordPress's pages."""

from __future__ import annotations

import pytest

from envs.gyms.apps.wordpress.application import WordPress
from envs.gyms.real.application import PageRequest

SHOWN = ["page:edit", "search:fair", "drafts:Fair"]


@pytest.mark.parametrize(
    ("method", "path", "query", "status", "events"),
    [
        ("GET", "/wp-admin/users.php", {}, 200, ["page:users"]),
        ("GET", "/wp-admin/edit.php", {"s": "Fair"}, 200, SHOWN),
        ("GET", "/wp-admin/edit.php", {"s": "Fair", "post_status": "all", "cat": "0"}, 200, SHOWN),
        ("GET", "/wp-admin/edit.php", {"s": "Fair", "post_status": "draft"}, 200, SHOWN),
        ("GET", "/wp-admin/edit.php", {"post_status": "draft"}, 200, ["page:edit", "drafts:"]),
        ("GET", "/wp-admin/edit.php", {"post_status": "draft", "m": "202505"}, 200, ["page:edit"]),
        ("GET", "/wp-admin/edit.php", {"post_status": "all"}, 200, ["page:edit"]),
        ("GET", "/wp-admin/edit.php", {"s": "Fair", "post_status": "trash"}, 200, SHOWN[:2]),
        ("GET", "/wp-admin/edit.php", {"s": "Fair", "post_type": "page"}, 200, SHOWN[:2]),
        ("GET", "/wp-admin/edit.php", {"s": "Fair", "cat": "3"}, 200, SHOWN[:2]),
        ("GET", "/wp-admin/edit.php", {"s": "Fair", "m": "202505"}, 200, SHOWN[:2]),
        ("GET", "/wp-admin/edit.php", {"s": "Fair", "paged": "2"}, 200, SHOWN[:2]),
        ("GET", "/wp-admin/edit.php", {"s": "Fair", "author": "3"}, 200, SHOWN[:2]),
        ("GET", "/wp-admin/edit.php", {"s": "Fair", "sentence": "1"}, 200, SHOWN[:2]),
        ("GET", "/wp-admin/users.php", {"s": '"A  B"'}, 200, ["page:users", "search:a b"]),
        ("GET", "/wp-admin/edit-comments.php", {"s": "A"}, 200, ["page:edit-comments", "search:a"]),
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
