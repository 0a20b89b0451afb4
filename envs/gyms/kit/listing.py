"""Lists that can be searched, filtered, sorted and paged, in one form and one table.

Guarantees: what is shown depends on the address alone (?q=&<filter>=&sort=&page=), so it can be
linked; a page beyond the last shows the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup

from envs.gyms.kit.disturb import renamed
from envs.gyms.kit.here import Here
from envs.gyms.kit.html import Child, el, join, link, note, select

Item = dict[str, Any]
ANY = "Any"


@dataclass(frozen=True, slots=True)
class Column:
    title: str
    shows: Callable[[Item], Child]


@dataclass(frozen=True, slots=True)
class Filter:
    """A drop-down: items of which `of(item)` is the chosen option."""

    name: str
    label: str
    options: Sequence[str]
    of: Callable[[Item], str]


@dataclass(frozen=True, slots=True)
class Sort:
    title: str
    key: Callable[[Item], Any]
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """`words`: what a search looks at (each word must be found, in any case). The first sort is the
    one that is used when none is asked for."""

    columns: Sequence[Column]
    words: Callable[[Item], str]
    sorts: Sequence[Sort]
    filters: Sequence[Filter] = ()
    empty: str = "Nothing here"

    def found(self, here: Here, items: Sequence[Item]) -> list[Item]:
        """All that fit the address, in its order."""
        asked = here.query.get("q", "").lower().split()
        chosen = [(one, here.query.get(one.name, ANY) or ANY) for one in self.filters]
        kept = [
            item
            for item in items
            if all(word in self.words(item).lower() for word in asked)
            and all(value == ANY or one.of(item) == value for one, value in chosen)
        ]
        sort = self._sort(here)
        return sorted(kept, key=sort.key, reverse=sort.descending)

    def _sort(self, here: Here) -> Sort:
        asked = here.query.get("sort")
        return next((sort for sort in self.sorts if sort.title == asked), self.sorts[0])

    def show(self, here: Here, items: Sequence[Item]) -> Markup:
        found = self.found(here, items)
        size = here.look.page_size
        pages = max(1, -(-len(found) // size))
        asked = here.query.get("page", "1")
        number = min(pages, max(1, int(asked))) if asked.isdecimal() and len(asked) < 5 else 1
        shown = found[(number - 1) * size : number * size]
        table = el(
            "table",
            el("tr", [el("th", column.title) for column in self.columns]),
            [el("tr", [el("td", column.shows(item)) for column in self.columns]) for item in shown],
        )
        summary = f"{len(found)} found, sorted by {self._sort(here).title}"
        parts = (self._form(here), el("p", summary), table if shown else note(self.empty))
        return join((*parts, self._pager(here, number, pages)))

    def _form(self, here: Here) -> Markup:
        """Drop-downs act at once, but for layout 2, where a button applies them."""
        drop_downs = [
            el(
                "label", el("span", one.label),
                select(one.name, (ANY, *one.options), here.query.get(one.name, ANY)),
            )
            for one in self.filters
        ]  # fmt: skip
        order = el(
            "label", el("span", "Sort"),
            select("sort", [sort.title for sort in self.sorts], self._sort(here).title),
        )  # fmt: skip
        box = el(
            "input", name="q", value=here.query.get("q", ""), aria_label="Search",
            autocomplete="off",
        )  # fmt: skip
        return el(
            "form", box, el("button", renamed(here, "Search")), drop_downs, order,
            action=here.path, class_="listing", data_auto=here.look.layout != 2,
        )  # fmt: skip

    def _pager(self, here: Here, number: int, pages: int) -> Markup | None:
        if pages == 1:
            return None

        def to(other: int) -> str:
            return f"{here.path}?" + urlencode({**here.query, "page": other})

        return el(
            "div",
            link("Previous page", to(number - 1)) if number > 1 else None,
            f" Page {number} of {pages} ",
            link("Next page", to(number + 1)) if number < pages else None,
            class_="pages",
        )
