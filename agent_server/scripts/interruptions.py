"""What gets in the way of a replay on real sites, and what a person would do about it.

General rules on words of pages, in English, none of them of one site: an overlay is dismissed, a
page that failed is asked for again, somebody who was signed out signs in where that takes one
button. A rule only looks at a page on which the step's element is missing, and only ever presses a
control whose whole name says what it is for: "Accept all cookies", never "Accept".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from envs.contract.actions import Click, Navigate, SimpleAction, Target
from envs.contract.observations import Observation, TreeLine, parse_tree

_DISMISS = re.compile(
    r"(accept|allow|reject|decline|refuse)( all)? cookies?|(accept|allow|reject|decline) all"
    r"|(only|just) (the )?(necessary|essential)( cookies)?|(necessary|essential) cookies only"
    r"|no,? thank(s| you)|not now|maybe later|remind me later|got it|dismiss|skip( tour| intro)?"
    r"|close( (this|the))?( (dialog|dialogue|banner|message|notice|window|pop-?up|offer))?"
    r"|continue without accepting|×|✕|✖|x",
    re.I,
)
_FAILED = re.compile(
    r"went wrong|temporarily unavailable|service unavailable|bad gateway|gateway time-?out"
    r"|internal (server )?error|error \d{3}|could not be loaded|did not (load|answer)"
    r"|try again later|can.t be reached",
    re.I,
)
_SIGNED_OUT = re.compile(
    r"session (has )?(expired|ended|timed out)|(signed|logged) out|(sign|log) in again", re.I
)
_UNSAVED = re.compile(
    r"\bnot (been |be )?(saved|stored)\b|\bcould not (be )?(save|store)|changes were lost", re.I
)
_RETRY = re.compile(
    r"try again|retry|reload( the| this)?( page)?|refresh( the| this)?( page)?", re.I
)
_SIGN_IN = re.compile(r"((sign|log) ?(me )?(back )?in|log-?in)( again)?|stay signed in", re.I)
_BACK = re.compile(
    r"(go )?back to (the |your )?(form|page|editor|edit)|return to (the )?form", re.I
)
_MENU = re.compile(r"(open |show |main |site )*(menu|navigation)|more|☰|≡", re.I)
_NEXT = re.compile(r"next( page)?|older|›|»|→|>", re.I)
_CONTROLS = frozenset({"button", "link"})


@dataclass(frozen=True, slots=True)
class Page:
    """One page, as the rules and the replay see it."""

    url: str
    title: str
    lines: Sequence[TreeLine]
    tree_id: int
    more_above: bool = False
    more_below: bool = False

    @classmethod
    def of(cls, observation: Observation) -> Page:
        """Of an observation with a tree; without one it is empty."""
        tree = observation.tree
        if tree is None:
            return cls(observation.url, observation.title, (), 0)
        return cls(
            url=observation.url,
            title=observation.title,
            lines=parse_tree(tree.text),
            tree_id=tree.id,
            more_above="above" in tree.scroll,
            more_below="below" in tree.scroll,
        )

    def target(self, line: TreeLine) -> Target:
        """The target of an action on an element."""
        return Target(ref=line.ref, tree=self.tree_id)

    def find_control(self, pattern: re.Pattern[str]) -> TreeLine | None:
        """The first link or button that can be used and whose whole name fits."""
        return next(
            (
                line
                for line in self.lines
                if line.role in _CONTROLS
                and line.ref is not None
                and "disabled" not in line.states
                and pattern.fullmatch(line.name.strip())
            ),
            None,
        )

    @property
    def headlines(self) -> list[str]:
        """Its title and headings."""
        return [self.title, *(line.name for line in self.lines if line.role == "heading")]

    def press(self, line: TreeLine) -> SimpleAction:
        """A click on it."""
        return Click(target=self.target(line))


@dataclass(frozen=True, slots=True)
class Fix:
    """An action against an interruption, and why."""

    why: str
    action: SimpleAction


def find_fix(page: Page) -> Fix | None:
    """What to do about a page that is not the one that the step wants; None where no rule fits."""
    if line := page.find_control(_DISMISS):
        return Fix(f"{line.name!r}: it is in the way", page.press(line))
    if any(_SIGNED_OUT.search(text) for text in page.headlines):
        has_password = any((line.value or "").startswith("•") for line in page.lines)
        if not has_password and (line := page.find_control(_SIGN_IN)):
            return Fix("signed out: sign in again", page.press(line))
    if any(_FAILED.search(text) for text in page.headlines):
        if line := page.find_control(_RETRY):
            return Fix("the page failed: once more", page.press(line))
        # Not a reload, which could send a form a second time.
        return Fix("the page failed: open it again", Navigate(url=page.url))
    return None


def find_unsaved(page: Page) -> str | None:
    """The line that says that something was not saved, if there is one."""
    return next((x.name for x in page.lines if x.ref is None and _UNSAVED.search(x.name)), None)


def find_way_back(page: Page) -> TreeLine | None:
    """The control that leads back to what was not saved."""
    return page.find_control(_BACK)


def find_menu(page: Page) -> TreeLine | None:
    """A closed menu that may hide what is looked for."""
    line = page.find_control(_MENU)
    return None if line is None or "open" in line.states else line


def find_next_page(page: Page) -> TreeLine | None:
    """The control for the next page of a list."""
    return page.find_control(_NEXT)


def is_interruption(page: Page, line: TreeLine) -> bool:
    """Whether a recorded click on this element only answered an interruption."""
    if line.role not in _CONTROLS:
        return False
    name = line.name.strip()
    if _BACK.fullmatch(name):
        return find_unsaved(page) is not None
    if _DISMISS.fullmatch(name):
        return True
    return bool(
        (_RETRY.fullmatch(name) and any(_FAILED.search(text) for text in page.headlines))
        or (_SIGN_IN.fullmatch(name) and any(_SIGNED_OUT.search(x) for x in page.headlines))
    )
