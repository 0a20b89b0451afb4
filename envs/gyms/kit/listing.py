"""Lists that can be searched, filtered, sorted and paged, in one form and one table.

Guarantees: what is shown depends on the address alone (?q=&<filter>=&sort=&page=), so it can be
linked; a page beyond the last shows the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

import orjson
from markupsafe import Markup

from envs.gyms.kit.disturbances import get_label
from envs.gyms.kit.html import Child, el, join, link, note, select
from envs.gyms.kit.request import RequestContext

Item = dict[str, Any]
ANY = "Any"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the table: its title, and what it shows of an item. `style` names it to style
    sheets."""

    title: str
    render: Callable[[Item], Child]
    style: str | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """A drop-down: items of which `get_option(item)` is the chosen option."""

    name: str
    label: str
    options: Sequence[str] = field(kw_only=True)
    get_option: Callable[[Item], str] = field(kw_only=True)

    def accepts(self, request: RequestContext, item: Item) -> bool:
        """Whether the item fits the address."""
        choice = request.query.get(self.name, ANY) or ANY
        return choice == ANY or self.get_option(item) == choice


@dataclass(frozen=True, slots=True)
class Sort:
    """An order of the items, as an option of the drop-down "Sort"."""

    title: str
    key: Callable[[Item], Any]
    descending: bool = field(default=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Listing:
    """`searchable_text`: what a search looks at; each word must occur in it, in any case. The first
    of `sorts` is the default."""

    columns: Sequence[Column]
    searchable_text: Callable[[Item], str]
    sorts: Sequence[Sort]
    filters: Sequence[Filter] = ()
    empty: str = "Nothing here"
    row_style: Callable[[Item], str | None] = lambda item: None
    """Names a row to style sheets."""
    row_menu: Callable[[Item], Sequence[tuple[str, str]]] | None = None
    """Texts and addresses that a right click on a row offers."""

    def find_matching(self, request: RequestContext, items: Sequence[Item]) -> list[Item]:
        """All items that fit the address, in its order."""
        words = request.query.get("q", "").lower().split()
        matches = [
            item
            for item in items
            if all(word in self.searchable_text(item).lower() for word in words)
            and all(filter.accepts(request, item) for filter in self.filters)
        ]
        sort = self._get_sort(request)
        return sorted(matches, key=sort.key, reverse=sort.descending)

    def _get_sort(self, request: RequestContext) -> Sort:
        title = request.query.get("sort")
        return next((sort for sort in self.sorts if sort.title == title), self.sorts[0])

    def render(self, request: RequestContext, items: Sequence[Item]) -> Markup:
        """The form and one page of the table."""
        matches = self.find_matching(request, items)
        size = request.appearance.page_size
        page_count = max(1, -(-len(matches) // size))
        page = _parse_page(request, page_count)
        rows = matches[(page - 1) * size : page * size]
        table = el(
            "table",
            el("tr", [el("th", column.title, class_=column.style) for column in self.columns]),
            [self._render_row(row) for row in rows],
            class_="list",
        )
        summary = f"{len(matches)} found, sorted by {self._get_sort(request).title}"
        count = el("p", summary, class_="count")
        parts = (self._render_form(request), count, table if rows else note(self.empty))
        return join((*parts, _render_pager(request, page, page_count)))

    def _render_row(self, row: Item) -> Markup:
        cells = [el("td", column.render(row), class_=column.style) for column in self.columns]
        menu = orjson.dumps(self.row_menu(row)).decode() if self.row_menu else None
        return el("tr", cells, class_=self.row_style(row), data_context=menu)

    def _render_form(self, request: RequestContext) -> Markup:
        """Drop-downs act at once, but for layout 2, where a button applies them."""
        box = el(
            "input",
            name="q",
            value=request.query.get("q", ""),
            aria_label="Search",
            autocomplete="off",
        )
        titles = [sort.title for sort in self.sorts]
        return el(
            "form",
            box,
            el("button", get_label(request, "Search")),
            [_render_filter(request, filter) for filter in self.filters],
            _drop_down("Sort", select("sort", titles, self._get_sort(request).title)),
            action=request.path,
            class_="listing",
            data_auto=request.appearance.layout != 2,
        )


def _render_filter(request: RequestContext, filter: Filter) -> Markup:
    choice = request.query.get(filter.name, ANY)
    return _drop_down(filter.label, select(filter.name, (ANY, *filter.options), choice))


def _drop_down(label: str, control: Markup) -> Markup:
    return el("label", el("span", label), control)


def _parse_page(request: RequestContext, page_count: int) -> int:
    text = request.query.get("page", "1")
    return min(page_count, max(1, int(text))) if text.isdecimal() and len(text) < 5 else 1


def _render_pager(request: RequestContext, page: int, page_count: int) -> Markup | None:
    if page_count == 1:
        return None

    def url_of(number: int) -> str:
        return f"{request.path}?" + urlencode({**request.query, "page": number})

    return el(
        "div",
        link("Previous page", url_of(page - 1)) if page > 1 else None,
        f" Page {page} of {page_count} ",
        link("Next page", url_of(page + 1)) if page < page_count else None,
        class_="pages",
    )
