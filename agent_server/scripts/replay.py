"""Replays a script as the agent of an episode: no model, no tokens, one action a step.

Guarantees: before each step the page is checked against what the last one should have led to; a
step acts on exactly the element that one of its selectors names, or not at all; a form is sent a
second time only when the page says that it was not saved; everything that is tried is bounded.
Where the script does not fit, the other agent takes over for the rest of the episode; without one
the episode ends as impossible, with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from pydantic import ValidationError

from agent_server.episodes.agent import Agent, Answer, Sampling
from agent_server.episodes.compact import render
from agent_server.episodes.trajectory import Completion
from agent_server.scripts import model
from agent_server.scripts.interruptions import Fix, Page, find_fix, find_unsaved, find_way_back
from agent_server.scripts.model import Check, ScriptPlay, ScriptStep
from agent_server.scripts.search import Search
from agent_server.scripts.selectors import find_line, quote_css
from agent_server.scripts.stand_ins import find_stand_in
from agent_server.scripts.texts import fill
from envs.contract.actions import (
    ActionResult,
    Click,
    Dialog,
    Done,
    Infeasible,
    Navigate,
    SimpleAction,
    Target,
    Wait,
    why_invalid,
)
from envs.contract.observations import Observation, Observe
from envs.dialects.dialect import Call, Parsed

MAX_FIXES = 40
"""Of interruptions in one episode."""
MAX_REDONE = 6
"""So often forms are sent again in one episode."""
TREE_CHARS, TREE_OPTIONS = 24_000, 30
GIVES_UP = "gives up at step"


class Misfit(Exception):
    """The script does not fit this page; the message says why."""


@dataclass(slots=True)
class _Done:
    """A step that was carried out, and the address of its page."""

    index: int
    url: str


class ScriptAgent:
    """The agent of one episode; `other` takes over where the script does not fit."""

    def __init__(self, play: ScriptPlay, other: Agent | None = None) -> None:
        self._script, self._values, self._other = play.script, play.all_values, other
        self.longest_s = 0.0 if other is None else other.longest_s
        self._has_given_up = self._has_handed_over = False
        self._next = 0
        """Index of the step that comes next."""
        self._log: list[_Done] = []
        self._pending: _Done | None = None
        """The step that was tried, until its result is known."""
        self._unchecked: ScriptStep | None = None
        """The step whose check waits for a page without an interruption."""
        self._tried_again: set[int] = set()
        self._search = Search()
        self._answered = ""
        """The line about something unsaved that was answered last."""
        self._returns = False
        """On the way back to a form that was not saved."""
        self._fixes = self._redone = 0
        self._looked_again = False

    def extend_observe(self, observe: Observe) -> Observe:
        """The whole tree; what the other agent wants once it has taken over."""
        if self._has_given_up and self._other is not None:
            return self._other.extend_observe(observe)
        return observe.model_copy(
            update={
                "tree": True,
                "tree_chars": max(observe.tree_chars, TREE_CHARS),
                "tree_options": max(observe.tree_options, TREE_OPTIONS),
            }
        )

    def tell(self, text: str) -> None:
        """For the agent that may take over: a script repeats what it is."""
        if self._other is not None:
            self._other.tell(text)

    async def act(
        self, observation: Observation, results: Sequence[ActionResult], sampling: Sampling
    ) -> Answer:
        """See `Agent.act`."""
        if self._has_given_up and self._other is not None:
            # The first results are of the wait between the two, which this agent did not choose.
            return await self._other.act(observation, self._results_of_other(results), sampling)
        page = Page.of(observation)
        try:
            self._take_results(results)
            return self._decide(page, observation.dialog)
        except Misfit as misfit:
            return self._give_up(page, str(misfit))

    def _results_of_other(self, results: Sequence[ActionResult]) -> Sequence[ActionResult]:
        first, self._has_handed_over = not self._has_handed_over, True
        return () if first else results

    def _take_results(self, results: Sequence[ActionResult]) -> None:
        done, self._pending = self._pending, None
        if done is None or not results:
            return
        failed = next((result for result in results if not result.ok), None)
        if failed is None:
            self._log.append(done)
            self._unchecked = self._script.steps[done.index]
            self._next = done.index + 1
            self._search = Search(menus=set(self._names_of(done.index)))
            self._answered = "" if self._unchecked.sends else self._answered
        elif not self._search.was_refused(failed):
            raise Misfit(f"step {done.index + 1}: {failed.error}: {failed.message}")

    def _decide(self, page: Page, dialog: str | None) -> Answer:
        if dialog is not None:
            return self._answer_dialog(page)
        if answer := self._redo_unsaved(page):
            return answer
        if self._unchecked is not None:
            if answer := self._check(page, self._unchecked):
                return answer
            self._unchecked = None
        if self._next == len(self._script.steps):
            return self._end(page)
        return self._do_next(page)

    def _answer_dialog(self, page: Page) -> Answer:
        if self._next < len(self._script.steps):
            step = self._script.steps[self._next]
            if step.action.get("type") == "dialog":
                return self._carry_out(page, step, None, None)
        return self._fix(page, Fix("a message of the page", Dialog(accept=True)))

    def _redo_unsaved(self, page: Page) -> Answer | None:
        """Where the page says that something was not saved: back to its form, and that again."""
        if self._returns:
            if fix := find_fix(page):
                return self._fix(page, fix)
            self._returns = False
            url = self._go_back_to_form(page)
            # The way back may have lost what the form was opened with.
            return None if url == page.url else self._fix(page, Fix("as it was", Navigate(url=url)))
        line = find_unsaved(page)
        if line is None or line == self._answered or not any(map(self._sends, self._log)):
            return None
        self._answered, self._redone = line, self._redone + 1
        if self._redone > MAX_REDONE:
            raise Misfit(f"forms were sent again {MAX_REDONE} times, and still: {line!r}")
        if control := find_way_back(page):
            self._returns = True
            return self._fix(page, Fix(f"{line!r}: back to it", page.press(control)))
        sent = next(done for done in reversed(self._log) if self._sends(done))
        if _path(sent.url) != _path(page.url):
            self._returns = True
            return self._fix(page, Fix(f"{line!r}: back to it", Navigate(url=sent.url)))
        self._go_back_to_form(page)
        return None

    def _go_back_to_form(self, page: Page) -> str:
        """The next step is the first one on this form, whose address is returned, and the checks
        begin anew."""
        sends = [i for i, done in enumerate(self._log) if self._sends(done)]
        on_page = [i for i in sends if _path(self._log[i].url) == _path(page.url)]
        first = (on_page or sends)[-1]
        path = _path(self._log[first].url)
        while first and not self._sends(self._log[first - 1]):
            if _path(self._log[first - 1].url) != path:
                break
            first -= 1
        self._next, url = self._log[first].index, self._log[first].url
        del self._log[first:]
        self._unchecked, self._search = None, Search()
        return url

    def _sends(self, done: _Done) -> bool:
        return self._script.steps[done.index].sends

    def _check(self, page: Page, step: ScriptStep) -> Answer | None:
        """An action, where the page is not as it should be and something can be done about it."""
        problem = find_problem(step.then, page, self._values)
        if problem is None:
            return None
        if fix := find_fix(page):
            return self._fix(page, fix)
        done = self._log[-1]
        again = done.index not in self._tried_again
        self._tried_again.add(done.index)
        if again and step.form is not None:
            css = fill(step.form, self._values, quote_css)
            return self._fix(page, Fix("send the form", Click(target=Target(selector=css))))
        if again and not step.sends and _path(done.url) == _path(page.url):
            # Nothing came of it: the page was not ready for it.
            self._next, self._unchecked = done.index, None
            del self._log[-1:]
            return self._fix(page, Fix(f"{problem}: once more", Wait(ms=100)))
        if self._search.may_wait():
            return self._fix(page, Fix(f"{problem}: a moment", Wait(ms=250)))
        raise Misfit(f"after step {done.index + 1}: {problem}")

    def _do_next(self, page: Page) -> Answer:
        step = self._script.steps[self._next]
        if not step.needs_element:
            return self._carry_out(page, step, None, None)
        way = self._search.find(page, step.target, self._values)
        if not isinstance(way, Target):
            if (action := find_stand_in(page, step, self._values)) is not None:
                self._pending = _Done(self._next, page.url)
                return self._answer(page, step.thought, action, f", step {self._next + 1}")
            if self._may_skip(page):
                self._next += 1
                self._search = Search()
                return self._do_next(page)
        if isinstance(way, Target) and step.onto:
            onto = self._search.find(page, step.onto, self._values)
            if isinstance(onto, Target):
                return self._carry_out(page, step, way, onto)
            way = onto
        if isinstance(way, Target):
            return self._carry_out(page, step, way, None)
        if way is None:
            names = ", ".join(describe_selector(x, self._values) for x in step.target[:1])
            raise Misfit(f"step {self._next + 1}: no {names} on page {page.title!r}")
        return self._fix(page, way)

    def _may_skip(self, page: Page) -> bool:
        """Whether the step only opened what is open here, such as a menu: it sends nothing, leaves
        the page where it is, and the next step's element is there already."""
        step = self._script.steps[self._next]
        after = self._script.steps[self._next + 1 : self._next + 2]
        if step.sends or step.action.get("type") != "click" or not after:
            return False
        stays = find_problem(Check(path=step.then.path), page, self._values) is None
        return stays and any(
            find_line(page.lines, selector, self._values)
            for selector in after[0].target
            if isinstance(selector, model.Named)
        )

    def _names_of(self, index: int) -> list[str]:
        named = (x for x in self._script.steps[index].target if isinstance(x, model.Named))
        return [fill(selector.name, self._values) for selector in named]

    def _carry_out(
        self, page: Page, step: ScriptStep, target: Target | None, onto: Target | None
    ) -> Answer:
        try:
            action = step.make_action(self._values, target, onto)
        except ValidationError as error:
            raise Misfit(f"step {self._next + 1}: {why_invalid(error)}") from error
        if isinstance(action, Click) and step.sends:
            self._looked_again = False
        self._pending = _Done(self._next, page.url)
        return self._answer(page, step.thought, action, f", step {self._next + 1}")

    def _fix(self, page: Page, fix: Fix) -> Answer:
        self._fixes += 1
        if self._fixes > MAX_FIXES:
            raise Misfit(f"still interrupted after {MAX_FIXES} tries on page {page.title!r}")
        return self._answer(page, fix.why, fix.action, "")

    def _end(self, page: Page) -> Answer:
        if any(map(self._sends, self._log)) and not self._looked_again:
            # What was shown as saved may turn out not to have been: the page is read once more.
            self._looked_again = True
            return self._fix(page, Fix("did it last?", Navigate(url=page.url)))
        try:
            action = self._make_end(page, self._script.end)
        except Misfit:
            if fix := find_fix(page):
                return self._fix(page, fix)
            raise
        return self._answer(page, "", action, "")

    def _make_end(self, page: Page, end: model.End) -> Done | Infeasible:
        match end:
            case model.Infeasible(reason=reason):
                return Infeasible(reason=fill(reason, self._values))
            case model.Done(answer=answer):
                return Done(answer=None if answer is None else fill(answer, self._values))
            case model.Read():
                return Done(answer=self._read(page, end))

    def _read(self, page: Page, end: model.Read) -> str:
        if end.field is not None:
            field = fill(end.field, self._values)
            for line in page.lines:
                if line.name == field and line.value is not None:
                    return line.value
            raise Misfit(f"the end: there is no field {field!r} on page {page.title!r}")
        after, before = fill(end.after, self._values), fill(end.before, self._values)
        for line in page.lines:
            name = line.name
            if line.ref is None and name.startswith(after) and name.endswith(before):
                text = name[len(after) : len(name) - len(before)].strip()
                if text:
                    return text
        raise Misfit(f"the end: no line of page {page.title!r} begins with {after!r}")

    def _give_up(self, page: Page, why: str) -> Answer:
        self._has_given_up = True
        self._pending = None
        mark = f" {GIVES_UP} {self._next + 1}"
        if self._other is None:
            return self._answer(
                page, why, Infeasible(reason=f"the script does not fit: {why}"), mark
            )
        # The other agent wants to see the page in its own way first.
        return self._answer(page, f"{why}; the other agent takes over", Wait(ms=0), mark)

    def _answer(self, page: Page, thought: str, action: SimpleAction, where: str) -> Answer:
        text = render(thought, action, page.lines)
        sent = f"script {self._script.name} v{self._script.version}{where}"
        return Answer(sent, Completion(text=text), Parsed(thought, (Call(actions=(action,)),)))


def find_problem(check: Check, page: Page, values: dict[str, str]) -> str | None:
    """What does not hold on this page; None where all does."""
    parts = urlsplit(page.url)
    if check.path is not None:
        pattern = fill(check.path, values)
        if not _fits(parts.path, pattern):
            return f"the address is {parts.path[:80]}, not {pattern[:80]}"
    shown = dict(parse_qsl(parts.query, keep_blank_values=True))
    for key, value in check.query.items():
        if shown.get(key) != fill(value, values):
            return f"the address says {key}={shown.get(key, '')[:40]!r}"
    if check.shows is not None:
        text = fill(check.shows, values)
        if not any(line.name.startswith(text) for line in page.lines):
            return f"the page does not say {text[:80]!r}"
    return None


def _fits(path: str, pattern: str) -> bool:
    parts, pattern_parts = path.split("/"), pattern.split("/")
    return len(parts) == len(pattern_parts) and all(
        want in ("*", part) for part, want in zip(parts, pattern_parts, strict=True)
    )


def _path(url: str) -> str:
    return urlsplit(url).path


def describe_selector(selector: model.Selector, values: dict[str, str]) -> str:
    """In words, for a person."""
    match selector:
        case model.Named(role=role, name=name):
            return f"{role} {fill(name, values)!r}"
        case model.Beginning(role=role, begins=begins):
            return f"{role} that begins with {fill(begins, values)!r}"
        case model.ByAttributes(css=css):
            return f"element {css}"
        case model.Nearby(role=role, after=after):
            return f"{role} after {fill(after, values)!r}"
        case model.Placed(role=role, nth=nth, of=of):
            return f"{role} number {nth} of {of}"
