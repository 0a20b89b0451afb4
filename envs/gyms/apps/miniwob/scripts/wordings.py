"""Scripts for tasks that people worded freely.

What the words mean is read from the package: its table of similar words, and its sentences about
mail.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from envs.gyms.apps.miniwob.assets import read_file
from envs.gyms.apps.miniwob.scripts.live_page import LivePage, Moves, Script
from envs.gyms.apps.miniwob.scripts.messages import MailAction, find_mail, work_on_mail
from envs.gyms.server.gym import OracleLost

_SIMILAR_WORDS_PAGE = "miniwob/click-checkboxes-soft.html"
_SENTENCES = "common/special/email-inbox-nl/templates.js"
_GROUP = re.compile(r"^  \[('.*')\],$", re.M)
_SLOTS = {"NAME": r"(?P<name>[\w-]+)", "DEST": r"(?P<text>[\w-]+)", "MSG": r"(?P<text>.+)"}


def similar_boxes(page: LivePage) -> Moves:
    """The boxes whose labels are similar to the query's words."""
    words = page.match_query(r"similar to (.*) and click")[0]
    chosen = dict[str, str]()
    for word in [] if words == "nothing" else words.split(", "):
        chosen |= dict.fromkeys(similar_words(word), word)
    for name in [line.name for line in page.all("check") if line.name in chosen]:
        yield page.click(page.get(name, "check"), f"{name} is like {chosen[name]}.")
    yield page.submit()


@cache
def similar_words(word: str) -> frozenset[str]:
    """All words of the group that has the word. Raises OracleLost if none has."""
    groups = (re.findall(r"'(\w+)'", row) for row in _GROUP.findall(_text_of(_SIMILAR_WORDS_PAGE)))
    group = next((frozenset(group) for group in groups if word in group), None)
    if group is None:
        raise OracleLost(f"no words are similar to {word}")
    return group


@dataclass(frozen=True, slots=True)
class MailRequest:
    """What a sentence asks for: an action on the mail by `name`; `text`: a reply or who gets it."""

    action: MailAction
    name: str
    text: str


def worded_email(page: LivePage) -> Moves:
    """Work on one mail, worded by people. Some sentences name sender and receiver in either order:
    the sender is the one whose mail is there."""
    requests = list(requests_of(page.query))
    request = next((r for r in requests if find_mail(page, r.name) is not None), None)
    if request is None:
        raise OracleLost(f"no mail fits: {page.query}")
    yield from work_on_mail(page, request.action, request.name, request.text)


def requests_of(query: str) -> Iterator[MailRequest]:
    """Every request that a sentence can be read as."""
    for action, pattern in _sentence_patterns():
        match = pattern.fullmatch(query)
        if match:
            texts = match.groupdict()
            yield MailRequest(action, texts["name"], texts.get("text", ""))


@cache
def _sentence_patterns() -> tuple[tuple[MailAction, re.Pattern[str]], ...]:
    text = _text_of(_SENTENCES)
    lists = json.loads(text[text.index("{") : text.rindex("}") + 1])
    return tuple(
        (action, re.compile(_pattern_of(sentence)))
        for action in MailAction
        for sentence in (*lists[action]["train"], *lists[action]["test"])
        if "NAME" in sentence
    )


def _pattern_of(sentence: str) -> str:
    """The page fills each slot once, where it first stands."""
    pattern = re.escape(" ".join(sentence.split()))
    for slot, group in _SLOTS.items():
        pattern = pattern.replace(slot, group, 1)
    return pattern


def _text_of(path: str) -> str:
    file = read_file(path)
    if file is None:
        raise OracleLost(f"the package has no {path}")
    return file[0].decode()


SCRIPTS: dict[str, Script] = {
    "click-checkboxes-soft": similar_boxes,
    "email-inbox-nl-turk": worded_email,
    "email-inbox-forward-nl-turk": worded_email,
}
