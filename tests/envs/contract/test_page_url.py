"""Only web pages are addresses that a session opens."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from envs.contract.page_url import is_page_url
from envs.contract.task import Task

PAGES = [
    "about:blank",
    "http://127.0.0.1:8100/shop/?q=two words#part",
    "https://example.org",
    "HTTP://[::1]:80?x=a@b",
    "http://host/a:b\\c",
]
OTHERS = [
    "",
    "/relative",
    "file:///etc/passwd",
    "FILE:///etc/passwd",
    "view-source:http://127.0.0.1/",
    "chrome://version",
    "devtools://devtools/bundled/inspector.html",
    "data:text/html,<b>x",
    "javascript:alert(1)",
    "blob:http://127.0.0.1/1",
    "filesystem:http://127.0.0.1/temporary/x",
    "ftp://127.0.0.1/",
    "about:srcdoc",
    " http://127.0.0.1/",
    "http:/127.0.0.1/",
    "http://",
    "http://user@127.0.0.1/",
    "http://user:secret@127.0.0.1/",
    "http://127.0.0.1/a\nb",
    "http://a b/",
]


@pytest.mark.parametrize("url", PAGES)
def test_web_pages_are_opened(url: str) -> None:
    assert is_page_url(url)
    assert Task(id="t", instruction="look", start_url=url).start_url == url


@pytest.mark.parametrize("url", OTHERS)
def test_nothing_else_is_opened_nor_named_by_a_task(url: str) -> None:
    assert not is_page_url(url)
    with pytest.raises(ValidationError, match="start_url"):
        Task(id="t", instruction="look", start_url=url)


def test_an_endless_address_is_no_tasks() -> None:
    with pytest.raises(ValidationError, match="start_url"):
        Task(id="t", instruction="look", start_url="http://127.0.0.1/" + "x" * 5000)
