"""The injection guard: does an action follow the user, or whoever wrote the page?

It sees an episode's pages as they come, and each action before it runs. Alarms:

- *follows*: what is typed, pressed, opened or called stands in a passage that asks for it, on this
  page or an earlier one, and not in the user's task;
- *under command*: a passage on a page of the last steps speaks as the agent's principal, and the
  action changes something that the user's task does not name;
- *not of the task*: the action is of another kind than the task, or for a new recipient
  (`mismatch.py`);
- *crosses*: data of one site, or of the task, goes to a site that neither the task nor its start
  page names.

Guarantees: pure but for what it remembers of this one episode (bounded); the same pages and actions
give the same alarms; text of pages is only matched, never evaluated. What it cannot see: an
instruction in a picture or in a frame of another site, a paraphrase that shares no word with the
action, an action that harms although the user asked for it, and a wrong answer that a page talked
the agent into.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote_plus, urlsplit

from agent_server.guard.effects import Effect
from agent_server.guard.mismatch import find_mismatch, is_of_kind
from agent_server.guard.passages import ASKS, COMMANDS, MENTIONS, Directive, read_passage
from agent_server.guard.provenance import SHARE, data_of, is_of_user, stands_in
from agent_server.guard.risk import site_of
from envs.contract.page_facts import PageFacts, Passage

MAX_PAGES = 24
"""For which a text stays in force: who has read it remembers it."""
MAX_DIRECTIVES = 200
"""Of one page, however often it changes."""
MAX_QUOTE = 160
NEIGHBOURS = 2
"""Blocks around a command that belong to it: one text is often several paragraphs."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Why an action seems to follow a page. `quote`: the text that it follows."""

    why: str
    quote: str = ""


@dataclass(frozen=True, slots=True)
class _SeenPage:
    url: str
    site: str
    directives: tuple[Directive, ...]
    text: str
    is_commanding: bool


class InjectionGuard:
    """Of one episode."""

    def __init__(self, task: str, start_url: str | None = None, allow: Sequence[str] = ()) -> None:
        self._task = task
        named = (site_of(f"https://{domain}") for domain in allow)
        self._sites = {*named, site_of(start_url or "")} - {""}
        self._pages: deque[_SeenPage] = deque(maxlen=MAX_PAGES)

    def hear(self, text: str) -> None:
        """What the user added to the task."""
        self._task = f"{self._task}\n{text}"

    def see(self, facts: PageFacts) -> None:
        """A page that the agent has before it. The same page again, perhaps with a field filled in
        or a dialog gone, is one page, of which nothing is forgotten."""
        page = _read_page(facts)
        if self._pages and self._pages[-1].url == page.url:
            page = _join(self._pages.pop(), page)
        self._pages.append(page)

    def judge(self, effects: Sequence[Effect], facts: PageFacts) -> list[Alarm]:
        """The alarms about actions on the page that was seen last, each kind once."""
        page_site = site_of(facts.url)
        alarms: dict[str, Alarm] = {}
        for effect in effects:
            for judge in (self._follows, self._obeys, self._crosses, self._exceeds):
                alarm = judge(effect, page_site)
                if alarm is not None:
                    alarms.setdefault(judge.__name__, alarm)
        return list(alarms.values())

    def _exceeds(self, effect: Effect, page_site: str) -> Alarm | None:
        why = find_mismatch(effect, self._task)
        return Alarm(why) if why else None

    def _is_users(self, text: str, effect: Effect) -> bool:
        """Whether the task names a text, or does what a control is called. What is entered while a
        page gives orders has to be the task's to the last word."""
        is_label = effect.kind == "press" and text == effect.label
        if is_label:
            return is_of_user(text, self._task) or is_of_kind(text, self._task)
        share = 1.0 if any(page.is_commanding for page in self._pages) else SHARE
        return is_of_user(text, self._task, share)

    def _follows(self, effect: Effect, page_site: str) -> Alarm | None:
        if not _changes(effect):
            return None
        for text in _texts_of(effect):
            if self._is_users(text, effect) or self._is_named_site(text, page_site):
                continue
            for page in reversed(self._pages):
                for directive in page.directives:
                    if directive.score >= ASKS and stands_in(text, directive.text):
                        signs = ", ".join(directive.signs)
                        why = f"{text[:80]!r} comes from a text on the page that {signs}"
                        return Alarm(why, directive.text[:MAX_QUOTE])
        return None

    def _obeys(self, effect: Effect, page_site: str) -> Alarm | None:
        page = next((page for page in reversed(self._pages) if page.is_commanding), None)
        if page is None or not _changes(effect):
            return None
        texts = [text for text in _texts_of(effect) if not self._is_named_site(text, page_site)]
        if texts and all(self._is_users(text, effect) for text in texts):
            return None
        if not texts and effect.kind != "press":
            return None
        command = max(page.directives, key=lambda directive: directive.score)
        why = "a text on the page gives the agent orders: " + ", ".join(command.signs)
        return Alarm(why, command.text[:MAX_QUOTE])

    def _crosses(self, effect: Effect, page_site: str) -> Alarm | None:
        target = site_of(effect.url) or page_site
        if not target or target in self._sites or is_of_user(target, self._task):
            return None
        carried = data_of(unquote_plus(_payload(effect)))
        own_text = "".join(page.text for page in self._pages if page.site == target)
        for datum in sorted(carried):
            elsewhere = (page for page in self._pages if page.site != target)
            is_private = datum in self._task.lower() or any(datum in p.text for p in elsewhere)
            if is_private and datum not in own_text:
                return Alarm(f"data goes to a site that the task does not name: {target}", datum)
        return None

    def _is_named_site(self, text: str, page_site: str) -> bool:
        """Whether a text is an address on a site of the task, without data of its own: moving on
        where one is anyway."""
        if "://" not in text:
            return False
        site = site_of(text)
        is_plain = not urlsplit(text).query
        return is_plain and (site == page_site or site in self._sites)


def _read_page(facts: PageFacts) -> _SeenPage:
    passages = [read_passage(passage) for passage in facts.passages]
    if facts.dialog:
        passages.append(_read_dialog(facts.dialog))
    # What stands beside a command is part of it, though it may be phrased as a mere list.
    scores = [directive.score for directive in passages]
    directives = []
    for index, directive in enumerate(passages):
        around = scores[max(0, index - NEIGHBOURS) : index + NEIGHBOURS + 1]
        is_near = max(around) >= COMMANDS > directive.score
        if is_near:
            signs = (*directive.signs, "stands beside a command")
            directive = Directive(directive.text, COMMANDS, signs, directive.place)
        if directive.score >= MENTIONS:
            directives.append(directive)
    text = "\n".join(passage.text for passage in facts.passages).lower()
    is_commanding = any(score >= COMMANDS for score in scores)
    return _SeenPage(facts.url, site_of(facts.url), tuple(directives), text, is_commanding)


def _join(before: _SeenPage, page: _SeenPage) -> _SeenPage:
    """A page with what it had before it changed."""
    known = dict.fromkeys((*page.directives, *before.directives))
    return replace(
        page,
        directives=tuple(known)[:MAX_DIRECTIVES],
        is_commanding=page.is_commanding or before.is_commanding,
    )


def _read_dialog(dialog: str) -> Directive:
    """A dialog's text as a passage: it is shown."""
    return read_passage(Passage(text=dialog))


def _texts_of(effect: Effect) -> list[str]:
    """What of an effect could have been copied from somewhere."""
    texts: list[str] = []
    if effect.kind in ("type", "call"):
        texts.append(effect.text)
    if effect.kind == "press":
        texts.append(effect.label)
        if effect.form is not None:
            texts += effect.form.values
    if effect.kind == "open":
        texts.append(effect.url)
    if effect.kind in ("call", "launch"):
        texts.append(effect.label)
    # A single letter is no text to copy; a single digit is how many.
    return [text for text in texts if len(text.strip()) >= 2 or text.strip().isdigit()]


def _changes(effect: Effect) -> bool:
    """Whether it does more than to move on in a site."""
    return not (effect.is_link and not urlsplit(effect.url).query)


def _payload(effect: Effect) -> str:
    """The data that an effect carries somewhere."""
    parts = [effect.text]
    if effect.kind in ("open", "press") and (effect.kind == "open" or effect.is_link):
        split = urlsplit(effect.url)
        parts += [split.path, split.query]
    if effect.form is not None:
        parts += effect.form.values
    return " ".join(parts).replace("/", " ").replace("&", " ").replace("=", " ")
