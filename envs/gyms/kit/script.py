"""Oracles as scripts: generators that give moves and are sent the page that followed each.

    def solve(page: Page, p: Params) -> Script:
        page = yield from navigation.go_to(page, "Invoices")
        page = yield from navigation.click(page, "the first one is the oldest", "Pay")
        return page.text_after("Total ")    # a typed answer; None where the task asks no question

Guarantees: disturbances (`disturbances.py`) are overcome before the script sees a page: what covers
it is dismissed, a failed page is requested again, a signed-out session signed in, and a form that
was not saved, or turns out not to have been, is filled in and sent again, a bounded number of
times.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from envs.contract.actions import (
    Action,
    Click,
    Done,
    Drag,
    History,
    Infeasible,
    Scroll,
    SetValue,
    Target,
    Type,
)
from envs.contract.observations import Observation, TreeLine
from envs.contract.task import Task
from envs.gyms.kit import disturbances
from envs.gyms.kit.app import CONFIRMED
from envs.gyms.server.gym import OracleLost, OracleMove
from envs.gyms.server.view import Page

Script = Generator[OracleMove, Page, "str | None"]
MAX_FIXES = 40
MAX_SCROLLS = 6


class GiveUp(Exception):
    """Raised by a script: the task cannot be done, for this reason."""


def decide_on_each_page(page: Page, decide: Callable[[Page], OracleMove]) -> Script:
    """A script that depends on the open page alone, so that it also works on a page that somebody
    else led to: `decide` gives the move, the last one included. Where `decide` raises OracleLost,
    the page is scrolled down."""
    scrolls = 0
    while True:
        try:
            move = decide(page)
            scrolls = 0
        except OracleLost:
            if not page.has_more_below or scrolls >= MAX_SCROLLS:
                raise
            scrolls += 1
            move = OracleMove("look further down", Scroll(dy=1, unit="page"))
        page = yield move


@dataclass(frozen=True, slots=True, kw_only=True)
class _ElementMove:
    """A move on an element, by role and name, because refs do not outlive a page. `ticked`: what a
    check box was set to. `onto`: role and name of the element that it was dragged onto."""

    role: str
    name: str
    move: OracleMove
    ticked: bool | None = None
    onto: tuple[str, str] | None = None


class ScriptOracle:
    """See `envs.gyms.server.gym.Oracle`. `confirmations`: how messages of saved forms begin."""

    def __init__(
        self,
        task: Task,
        solve: Callable[[Page, dict[str, Any]], Script],
        confirmations: tuple[str, ...] = (CONFIRMED,),
    ) -> None:
        self._task, self._solve, self._confirmations = task, solve, confirmations
        self._script: Script | None = None
        self._url = ""
        self._moves_here: list[_ElementMove] = []
        """Moves on this address since it was opened."""
        self._moves_before: list[_ElementMove] = []
        """Moves on the address before: the form, when this page confirms it."""
        self._pending: list[_ElementMove] = []
        """Moves that still have to be repeated."""
        self._repeated: list[_ElementMove] = []
        """Moves that were repeated since the script last moved."""
        self._unsure = False
        """Whether something was confirmed that may still be taken back."""
        self._end: OracleMove | None = None
        self._fixes = 0

    def move(self, observation: Observation) -> OracleMove:
        """A move against a disturbance, or else the script's next one. Raises OracleLost."""
        page = Page(observation)
        fix = self._fix_disturbance(page)
        if fix is not None:
            self._fixes += 1
            if self._fixes > MAX_FIXES:
                raise OracleLost(f"still disturbed after {MAX_FIXES} tries on page {page.title!r}")
            return fix
        self._repeated = []
        confirms = any(page.text_after(text) is not None for text in self._confirmations)
        if confirms:
            self._unsure = self._task.disturb > 0
        if page.url != self._url or confirms:
            # What led to a confirmation is done for good.
            self._url = page.url
            self._moves_before, self._moves_here = self._moves_here or self._moves_before, []
        move = self._next_move(page)
        element_move = _describe_move(page, move)
        if element_move is not None:
            self._moves_here.append(element_move)
        return move

    def _next_move(self, page: Page) -> OracleMove:
        if self._end is None:
            move = self._advance_script(page)
            if not isinstance(move.action, Done | Infeasible):
                return move
            self._end = move
        if self._unsure:
            self._unsure = False
            return OracleMove("did it last?", History(op="reload"))
        return self._end

    def _advance_script(self, page: Page) -> OracleMove:
        try:
            if self._script is None:
                self._script = self._solve(page, self._task.params)
                return next(self._script)
            return self._script.send(page)
        except StopIteration as end:
            return OracleMove("that is all", Done(answer=end.value))
        except GiveUp as reason:
            return OracleMove(str(reason), Infeasible(reason=str(reason)))

    def _fix_disturbance(self, page: Page) -> OracleMove | None:
        for answer in (disturbances.ACCEPT, disturbances.NO_THANKS):
            if line := page.find("button", answer):
                return page.click_on("that is in the way", line)
        if page.title == disturbances.ERROR_TITLE:
            return page.click("it may work now", "link", disturbances.AGAIN)
        if page.title == disturbances.EXPIRED_TITLE:
            return page.click("I was signed out", "button", disturbances.SIGN_IN)
        if not self._pending and page.text_after(disturbances.TAKEN_BACK) is not None:
            # The form once more, and what was done after it, which led here.
            self._pending = [*self._moves_before, *self._moves_here]
            if line := page.find("link", disturbances.TO_THE_FORM):
                return page.click_on("it was not saved after all", line)
        if not self._pending and page.text_after(disturbances.UNSAVED) is not None:
            self._pending = self._moves_here or self._repeated
        if self._pending and not self._repeated:
            self._repeated = list(self._pending)
        return self._repeat_move(page)

    def _repeat_move(self, page: Page) -> OracleMove | None:
        """The first pending move, on the element as it is now; None when nothing is pending."""
        while self._pending:
            first = self._pending[0]
            line = page.find(first.role, first.name)
            if line is None or first.ticked is None or first.ticked != _is_ticked(line):
                break
            # The form came back with the box as it was to be.
            self._pending = self._pending[1:]
        else:
            return None
        if line is None and page.has_more_below:
            return OracleMove("look further down", Scroll(dy=1, unit="page"))
        self._pending = self._pending[1:]
        if line is None:
            raise OracleLost(
                f"cannot do it again: no {first.role} {first.name!r} on {page.title!r}"
            )
        action: Action = first.move.action
        if isinstance(action, Drag):
            goal = page.get_line(*first.onto) if first.onto else line
            action = Drag(path=(page.target(line), page.target(goal)))
        elif isinstance(action, Click | Type | SetValue):
            action = action.model_copy(update={"target": page.target(line)})
        return OracleMove("it was not saved, once more", action)


def _describe_move(page: Page, move: OracleMove) -> _ElementMove | None:
    """None for a move on no element."""
    if isinstance(move.action, Drag):
        line, goal = (_find_target(page, target) for target in move.action.path)
        return _ElementMove(role=line.role, name=line.name, move=move, onto=(goal.role, goal.name))
    target = getattr(move.action, "target", None)
    if target is None or target.ref is None:
        return None
    line = _find_target(page, target)
    ticked = not _is_ticked(line) if line.role == "check" else None
    return _ElementMove(role=line.role, name=line.name, move=move, ticked=ticked)


def _find_target(page: Page, target: Target) -> TreeLine:
    return next(line for line in page.lines if line.ref == target.ref)


def _is_ticked(line: TreeLine) -> bool:
    return "checked" in line.states
