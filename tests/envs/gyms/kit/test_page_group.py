"""Pages that are declared by decorators."""

from __future__ import annotations

from envs.gyms.kit.page_group import PageGroup
from envs.gyms.kit.request import Redirect


def test_pages_keep_their_order_and_functions_stay_callable() -> None:
    pages = PageGroup()

    @pages.get("/notes/new")
    def show_new(request: object) -> str:
        return "new"

    @pages.get("/notes/{key}")
    def show(request: object, key: str) -> str:
        return key

    @pages.post("/notes/{key}/pin")
    def pin(request: object, key: str) -> Redirect:
        return Redirect(f"/notes/{key}")

    assert [(page.method, page.path, page.handler) for page in pages] == [
        ("GET", "/notes/new", show_new),
        ("GET", "/notes/{key}", show),
        ("POST", "/notes/{key}/pin", pin),
    ]
    assert show(None, "n1") == "n1"
    assert pin(None, "n1").path == "/notes/n1"
    assert list(PageGroup()) == []
