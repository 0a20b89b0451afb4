"""Pages of an app, declared by decorators in the module that implements them.

    PAGES = PageGroup()

    @PAGES.get("/invoices")
    def show_invoices(request: RequestContext) -> str: ...

An app lists the pages of its groups, so importing a module of pages changes nothing elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from envs.gyms.kit.app import PageSpec
from envs.gyms.kit.request import Redirect

ShowPage = Callable[..., str]
HandleForm = Callable[..., Redirect]


class PageGroup:
    """Collects pages in the order of their declaration, which is the order of their routes."""

    def __init__(self) -> None:
        self._specs: list[PageSpec] = []

    def __iter__(self) -> Iterator[PageSpec]:
        return iter(self._specs)

    def get(self, path: str) -> Callable[[ShowPage], ShowPage]:
        """Declares `show(request, **path parameters) -> HTML` below the app."""
        return lambda show: self._add("GET", path, show)

    def post(self, path: str) -> Callable[[HandleForm], HandleForm]:
        """Declares `change(request, **path parameters) -> Redirect` for <path of the form>/<verb>;
        it may raise Refused, which leads back to the form's page with its fields kept."""
        return lambda change: self._add("POST", path, change)

    def _add(self, method: str, path: str, handler: Callable[..., Any]) -> Callable[..., Any]:
        self._specs.append(PageSpec(method=method, path=path, handler=handler))
        return handler
