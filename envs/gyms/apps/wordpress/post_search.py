"""Which searches of the list of posts show that there is no draft about somebody."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from envs.gyms.kit.template import TaskStates

MIN_LETTERS = 3
"""Fewer letters than these are those of nearly every post."""
MAX_TERMS = 9
"""WordPress takes more terms as one."""
STOPWORDS = frozenset(
    {
        *("about", "an", "are", "as", "at", "be", "by", "com", "for", "from", "how", "in", "is"),
        *("it", "of", "on", "or", "that", "the", "this", "to", "was", "what", "when"),
        *("where", "who", "will", "with", "www"),
    }
)
"""Words that WordPress does not search for."""
_TERM = re.compile(r'"([^"]*)(?:"|$)|([^\t ",+]+)')
_LETTER = re.compile(r"[a-z-]?")
"""WordPress does not search for these either."""
_FREE_FIELDS = frozenset(
    {
        *("s", "action", "action2", "filter_action", "all_posts", "mode", "order", "orderby"),
        *("post[]", "_wpnonce", "_wp_http_referer"),
    }
)
"""Fields of the list's form that leave out no post."""
_NEUTRAL_VALUES = {
    "post_type": ("", "post"),
    "post_status": ("", "all", "draft"),
    "paged": ("", "0", "1"),
    "m": ("", "0"),
    "cat": ("", "0"),
    "post_format": ("",),
}
"""What the other fields of the list's form say where they leave out no draft."""


def shows_drafts(query: Mapping[str, str]) -> bool:
    """Whether the list of posts that is asked for has all drafts with its words in it."""
    return all(
        name in _FREE_FIELDS or value in _NEUTRAL_VALUES.get(name, ())
        for name, value in query.items()
    )


def meets(words: str, name: str) -> bool:
    """Whether a search for `words`, as they were typed, meets whatever has `name` in its title."""
    words = words.casefold()
    terms = [(phrase or word).strip("\"' ") for phrase, word in _TERM.findall(words)]
    terms = [term for term in terms if term not in STOPWORDS and not _LETTER.fullmatch(term)]
    if not terms or len(terms) > MAX_TERMS:
        terms = [words]
    text = name.casefold()
    # A hyphen in front leaves out what has the word.
    return max(map(len, terms)) >= MIN_LETTERS and all(
        term in text and not term.startswith("-") for term in terms
    )


def search_that_meets(event: str, param: str) -> Callable[[TaskStates], bool]:
    """Milestone: there was a search that meets whatever has the param's value in its title, or a
    look at all there is. `event`: "<app>:<kind>", with the words behind it."""
    start = f"{event}:"

    def has_searched(states: TaskStates) -> bool:
        searches = [
            entry.removeprefix(start) for entry in states.after["log"] if entry.startswith(start)
        ]
        return any(not words or meets(words, states.params[param]) for words in searches)

    return has_searched
