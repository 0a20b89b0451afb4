"""Oracles as scripts: generators that give moves and are sent the page that followed each.

    def solve(page: Page, p: Params) -> Script:
        page = yield from ways.go(page, "Invoices")
        page = yield from ways.press(page, "the first one is the oldest", "Pay")
        return page.says("Total ")          # a typed answer; None where the task asks no question

Guarantees: disturbances (`disturb.py`) are overcome before the script sees a page: what covers it
is dismissed, a failed page is asked for again, a signed-out session signed in, and a form that was
not saved, or turns out not to have been, is filled in and sent again, a bounded number of times.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass

from envs.actions import (
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
from envs.gyms.gym import OracleLost, OracleMove
from envs.gyms.kit import disturb
from envs.gyms.view import Page
from envs.observations import Observation, TreeLine
from envs.tasks import Task

Script = Generator[OracleMove, Page, "str | None"]
MAX_FIXES = 40


class GiveUp(Exception):
    """Raised by a script: the task cannot be done, for this reason."""


@dataclass(frozen=True, slots=True)
class _Did:
    """A move on an element, by role and name: refs do not outlive a page."""

    role: str
    name: str
    move: OracleMove
    ticked: bool | None = None
    """What a check box was to be."""
    onto: tuple[str, str] | None = None
    """Role and name of what it was dragged onto."""


class ScriptOracle:
    """See `envs.gyms.gym.Oracle`."""

    def __init__(self, task: Task, solve: Callable[[Page, dict[str, object]], Script]) -> None:
        self._task, self._solve = task, solve
        self._script: Script | None = None
        self._url = ""
        self._here: list[_Did] = []
        """What was done on this address since it was opened."""
        self._form: list[_Did] = []
        """What was done on the address before: the form, when this one confirms it."""
        self._again: list[_Did] = []
        """What has still to be done again."""
        self._redone: list[_Did] = []
        """What was done again since the script last moved."""
        self._unsure = False
        """Whether something was confirmed that may still be taken back."""
        self._end: OracleMove | None = None
        self._fixes = 0

    def move(self, observation: Observation) -> OracleMove:
        page = Page(observation)
        fix = self._fix(page)
        if fix is not None:
            self._fixes += 1
            if self._fixes > MAX_FIXES:
                raise OracleLost(f"still disturbed after {MAX_FIXES} tries on page {page.title!r}")
            return fix
        self._redone = []
        if _status(page):
            self._unsure = self._task.disturb > 0
        if page.url != self._url or _status(page):
            self._url, self._form, self._here = page.url, self._here or self._form, []
        move = self._next(page)
        done = _done(page, move)
        if done is not None:
            self._here.append(done)
        return move

    def _next(self, page: Page) -> OracleMove:
        if self._end is None:
            move = self._of_script(page)
            if not isinstance(move.action, Done | Infeasible):
                return move
            self._end = move
        if self._unsure:
            self._unsure = False
            return OracleMove("did it last?", History(op="reload"))
        return self._end

    def _of_script(self, page: Page) -> OracleMove:
        try:
            if self._script is None:
                self._script = self._solve(page, self._task.params)
                return next(self._script)
            return self._script.send(page)
        except StopIteration as end:
            return OracleMove("that is all", Done(answer=end.value))
        except GiveUp as reason:
            return OracleMove(str(reason), Infeasible(reason=str(reason)))

    def _fix(self, page: Page) -> OracleMove | None:
        for answer in (disturb.ACCEPT, disturb.NO_THANKS):
            if line := page.find("button", answer):
                return page.click_on("that is in the way", line)
        if page.title == disturb.ERROR_TITLE:
            return page.click("it may work now", "link", disturb.AGAIN)
        if page.title == disturb.EXPIRED_TITLE:
            return page.click("I was signed out", "button", disturb.SIGN_IN)
        if not self._again and page.says(disturb.TAKEN_BACK) is not None:
            # The form once more, and what was done after it, which led here.
            self._again = [*self._form, *self._here]
            if line := page.find("link", disturb.TO_THE_FORM):
                return page.click_on("it was not saved after all", line)
        if not self._again and page.says(disturb.UNSAVED) is not None:
            self._again = self._here or self._redone
        if self._again and not self._redone:
            self._redone = list(self._again)
        if not self._again:
            return None
        did = self._again[0]
        line = page.find(did.role, did.name)
        while line is not None and did.ticked is not None and did.ticked == _ticked(line):
            # The form came back with the box as it was to be.
            self._again = self._again[1:]
            if not self._again:
                return None
            did = self._again[0]
            line = page.find(did.role, did.name)
        if line is None and page.goes_on_below:
            return OracleMove("look further down", Scroll(dy=1, unit="page"))
        self._again = self._again[1:]
        if line is None:
            raise OracleLost(f"cannot do it again: no {did.role} {did.name!r} on {page.title!r}")
        action: Action = did.move.action
        if isinstance(action, Drag):
            goal = page.need(*did.onto) if did.onto else line
            action = Drag(path=(page.target(line), page.target(goal)))
        elif isinstance(action, Click | Type | SetValue):
            action = action.model_copy(update={"target": page.target(line)})
        return OracleMove("it was not saved, once more", action)


def _done(page: Page, move: OracleMove) -> _Did | None:
    if isinstance(move.action, Drag):
        line, goal = (_line(page, target) for target in move.action.path)
        return _Did(line.role, line.name, move, onto=(goal.role, goal.name))
    target = getattr(move.action, "target", None)
    if target is None or target.ref is None:
        return None
    line = _line(page, target)
    ticked = not _ticked(line) if line.role == "check" else None
    return _Did(line.role, line.name, move, ticked)


def _line(page: Page, target: Target) -> TreeLine:
    return next(line for line in page.lines if line.ref == target.ref)


def _ticked(line: TreeLine) -> bool:
    return "checked" in line.states


def _status(page: Page) -> bool:
    """Whether the page confirms something: what led to it is done for good."""
    return page.says("✓ ") is not None
