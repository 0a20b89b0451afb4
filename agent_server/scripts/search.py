"""The search for a step's element: on the page as it is, by its attributes, then further away.

Guarantees: each way is tried once for a step, so a search ends; nothing is pressed on the way but
what opens a closed menu, dismisses an overlay or turns to the next page of a list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agent_server.scripts.interruptions import Fix, Page, find_fix, find_menu, find_next_page
from agent_server.scripts.model import Beginning, ByAttributes, Named, Nearby, Placed, Selector
from agent_server.scripts.selectors import find_line, quote_css
from agent_server.scripts.texts import fill, is_steady, parameters_in
from envs.contract.actions import ActionError, ActionResult, Scroll, Target, Wait
from envs.contract.observations import TreeLine

MAX_SCROLLS, MAX_PAGES, MAX_WAITS = 8, 30, 3
_NOT_THERE = frozenset({ActionError.NOT_FOUND, ActionError.NOT_INTERACTABLE, ActionError.STALE_REF})


@dataclass(slots=True)
class Search:
    """For one step. `menus`: controls that are not pressed on the way, such as one that the step
    before has opened already."""

    refused: set[str] = field(default_factory=set)
    """Selectors of attributes that the page refused."""
    last: str | None = None
    scrolls: int = 0
    pages: int = 0
    waits: int = 0
    from_top: bool = False
    menus: set[str] = field(default_factory=set)

    def find(
        self, page: Page, selectors: Sequence[Selector], values: Mapping[str, str]
    ) -> Target | Fix | None:
        """Its target, or what to do to find it; None where all was tried."""
        self.last = None
        for kind in (Named, Beginning):
            for selector in selectors:
                if isinstance(selector, kind) and (line := find_line(page.lines, selector, values)):
                    return page.target(line)
        # Before the attributes: a field can be typed into although something lies over it.
        if fix := find_fix(page):
            return fix
        for selector in selectors:
            if isinstance(selector, ByAttributes):
                css = fill(selector.css, values, quote_css)
                if css not in self.refused:
                    self.last = css
                    return Target(selector=css)
        if fix := self._look_further(page):
            return fix
        if (line := _find_by_place(page, selectors, values)) is not None:
            return page.target(line)
        if fix := self._open_menu(page):
            return fix
        if is_of_record(selectors) and (fix := self._turn_page(page)):
            return fix
        return Fix("it may still come", Wait(ms=250)) if self.may_wait() else None

    def _look_further(self, page: Page) -> Fix | None:
        if not self.from_top:
            self.from_top = True
            if page.more_above:
                return Fix("back to the top", Scroll(dy=-100, unit="page"))
        if page.more_below and self.scrolls < MAX_SCROLLS:
            self.scrolls += 1
            return Fix("look further down", Scroll(dy=1, unit="page"))
        return None

    def _open_menu(self, page: Page) -> Fix | None:
        if (line := find_menu(page)) and line.name not in self.menus:
            self.menus.add(line.name)
            return Fix("open the menu", page.press(line))
        return None

    def _turn_page(self, page: Page) -> Fix | None:
        if (line := find_next_page(page)) and self.pages < MAX_PAGES:
            self.pages, self.scrolls, self.from_top = self.pages + 1, 0, False
            return Fix("not on this page", page.press(line))
        return None

    def may_wait(self) -> bool:
        """Whether there is patience left; counts."""
        self.waits += 1
        return self.waits <= MAX_WAITS

    def was_refused(self, result: ActionResult) -> bool:
        """Whether the failed result leaves other ways to try; a refused selector is kept out."""
        if result.error not in _NOT_THERE:
            return False
        if self.last is not None:
            self.refused.add(self.last)
            return True
        return self.may_wait()


def _find_by_place(
    page: Page, selectors: Sequence[Selector], values: Mapping[str, str]
) -> TreeLine | None:
    for selector in selectors:
        if isinstance(selector, Nearby | Placed):
            line = find_line(page.lines, selector, values)
            if line is not None and may_stand_for(line, selectors, values):
                return line
    return None


def is_of_record(selectors: Sequence[Selector]) -> bool:
    """Whether the element is called by a value or a number: one of a list that may go on."""
    names = (selector.name for selector in selectors if isinstance(selector, Named))
    return any(parameters_in(name) or not is_steady(name) for name in names)


def may_stand_for(line: TreeLine, selectors: Sequence[Selector], values: Mapping[str, str]) -> bool:
    """Whether an element that only stands in the right place can be the one that was meant. A field
    can; a button or link only if a word of its old name is left."""
    if line.role not in ("button", "link"):
        return True
    names = [fill(selector.name, values) for selector in selectors if isinstance(selector, Named)]
    words = {word for name in names for word in name.lower().split()}
    return not names or bool(words & set(line.name.lower().split()))
