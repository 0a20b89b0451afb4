"""How the shop's oracles decide: from the open page and the task's params, on any page.

All that an oracle remembers is that the shop confirmed the goal, and which fields it has set. So it
also knows the way from a page that somebody else led to.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from envs.contract.actions import Done, Infeasible
from envs.gyms.kit.disturbances import get_possible_labels
from envs.gyms.kit.script import Script, decide_on_each_page
from envs.gyms.server.gym import OracleLost, OracleMove
from envs.gyms.server.view import Page


class ShopDecider(ABC):
    """Decides the moves of one episode."""

    def __init__(self, params: dict[str, Any]) -> None:
        self.params = params
        self.is_confirmed = False

    @abstractmethod
    def decide(self, page: Page) -> OracleMove:
        """The move on this page. Raises OracleLost."""

    def confirms(self, page: Page, message: str) -> bool:
        """Whether the shop said, now or at an earlier page, that the goal is reached."""
        self.is_confirmed = self.is_confirmed or page.text_after(message) == ""
        return self.is_confirmed


def solve_with(decider: type[ShopDecider]) -> Callable[[Page, dict[str, Any]], Script]:
    """The script of a template."""
    return lambda page, params: decide_on_each_page(page, decider(params).decide)


def press(page: Page, thought: str, name: str) -> OracleMove:
    """Clicks a button, under whichever name the site gives it. Raises OracleLost."""
    for label in get_possible_labels(name):
        if line := page.find("button", label):
            return page.click_on(thought, line)
    raise OracleLost(f"no button {name!r} on page {page.title!r}")


def open_cart(page: Page) -> OracleMove:
    """Raises OracleLost."""
    link = page.find_prefix("link", "Cart (")
    if link is None:
        raise OracleLost(f"no link to the cart on page {page.title!r}")
    return page.click_on("open the cart", link)


def open_account_page(page: Page, name: str) -> OracleMove:
    """The way to a page of the account: a link in sight, in the menu, or on its front page."""
    if page.find("link", name):
        return page.click(f"open {name}", "link", name)
    if page.find("button", "Menu"):
        return page.click("open the menu", "button", "Menu")
    return page.click("open the account", "link", "Account")


def finish(thought: str, answer: str | None = None) -> OracleMove:
    """Ends the episode."""
    return OracleMove(thought, Done(answer=answer))


def refuse(thought: str) -> OracleMove:
    """Ends the episode: the task cannot be done, for this reason."""
    return OracleMove(thought, Infeasible(reason=thought))
