"""What the log of a session says of MediaWiki's pages."""

from __future__ import annotations

import pytest

from envs.gyms.apps.mediawiki.application import MediaWiki
from envs.gyms.real.application import PageRequest

NAME = {"search": "Ana BERG"}
SHOWN = ["search:ana berg"]


@pytest.mark.parametrize(
    ("path", "query", "status", "events"),
    [
        ("/wiki/Quartz_Press", {}, 200, ["view:Quartz Press"]),
        ("/wiki/Ana_Berg", {}, 404, ["missing:Ana Berg"]),
        (
            "/index.php",
            {"title": "Quartz_Press", "action": "history"},
            200,
            ["history:Quartz Press"],
        ),
        ("/index.php", NAME, 200, SHOWN),
        ("/index.php", NAME, 302, []),
        ("/index.php", NAME | {"title": "Special:Search", "ns0": "1", "fulltext": "1"}, 200, SHOWN),
        ("/wiki/Special:Search", NAME | {"profile": "all"}, 200, SHOWN),
        ("/index.php", NAME | {"title": "Main Page", "action": "edit"}, 200, []),
        ("/wiki/Main_Page", NAME, 200, []),
        ("/index.php", NAME | {"title": "Special:Search", "profile": "images"}, 200, []),
        ("/index.php", NAME | {"title": "Special:Search", "ns12": "1"}, 200, []),
        ("/index.php", NAME | {"title": "Special:Search", "offset": "20"}, 200, []),
        ("/index.php", NAME | {"oldid": "3"}, 200, []),
    ],
)
def test_pages_and_searches_for_titles_are_logged(
    path: str, query: dict[str, str], status: int, events: list[str]
) -> None:
    request = PageRequest(method="GET", path=path, query=query, status=status)
    assert list(MediaWiki().list_events(request)) == events
