"""Whether a text comes from the user: its words and data stand in the task.

Guarantees: data (addresses, accounts, codes, sums) must stand there as they are, and short texts as
words of their own; other words may stand there in another form of the same stem. What the task does
not name is not the user's, even if it sounds like it.
"""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_TOKEN = re.compile(r"[\w.+-]+@[\w.-]+\w|https?://[^\s\"'<>]+|[\w.-]*\d[\w.-]*\w|\w{2,}")
_STOP_WORDS = """
a an and are as at be been but by can do does for from had has have he her his how i if in
into is it its let me my no not of on or our out please she so than that the their them then
there these they this to up us was we were what when which who will with would you your all
any also just only now here ok okay yes button link page site web website field form
"""
_STOP = frozenset(_STOP_WORDS.split())
_ENDINGS = ("ations", "ation", "ings", "ing", "ments", "ment", "ers", "ies", "es", "ed", "er", "s")
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
LONG_ENOUGH = 8
"""Letters of a text that does not stand in another by chance, as "13" stands in a date."""
SHORT = 3
"""Words of a text that a number is the point of."""
SHARE = 0.6
"""Of the words of a text that the task has to have."""


def stem(word: str) -> str:
    """A word without its ending: enough to see that "booking" is of "book"."""
    word = word.lower()
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)].rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def content_words(text: str) -> set[str]:
    """The stems of the words that carry meaning."""
    words = (word.lower() for word in _WORD.findall(text))
    return {stem(word) for word in words if word not in _STOP and len(word) > 1}


def data_of(text: str) -> set[str]:
    """What can stand in a text only if it was copied: addresses, names of programs (with an
    underscore), and whatever has digits."""
    tokens = (token.lower().strip(".-") for token in _TOKEN.findall(text))
    return {token for token in tokens if _is_copied(token)}


def _is_copied(token: str) -> bool:
    return "@" in token or "://" in token or "_" in token.strip("_") or _has_digits(token)


def _has_digits(token: str) -> bool:
    return sum(char.isdigit() for char in token) >= 2 and len(token) >= 4


@lru_cache(maxsize=256)
def _words_and_text(task: str) -> tuple[frozenset[str], str]:
    return frozenset(content_words(task)), _squeeze(task)


def _squeeze(text: str) -> str:
    """Without blanks and in small letters: "4111 1111" is "41111111"."""
    return re.sub(r"\s+", "", text.lower())


def is_of_user(text: str, task: str, share: float = SHARE) -> bool:
    """Whether the task names this text, or a `share` of its words and all of its data."""
    words, squeezed = _words_and_text(task)
    if not text.strip() or stands_literally(text, task):
        return True
    if any(datum not in squeezed for datum in data_of(text)):
        return False
    if len(text.split()) <= SHORT and not _has_numbers(text, task):
        return False
    own = content_words(text)
    return not own or len(own & words) / len(own) >= share


def stands_literally(text: str, task: str) -> bool:
    """Whether a task has the very text: a long one whatever its blanks are, a short one between
    other words."""
    squeezed = _squeeze(text)
    if len(squeezed) >= LONG_ENOUGH:
        return squeezed in _words_and_text(task)[1]
    words = re.escape(" ".join(text.lower().split()))
    return re.search(rf"(?<!\w){words}(?!\w)", " ".join(task.lower().split())) is not None


def _has_numbers(text: str, task: str) -> bool:
    """Whether the task has every number of a text, in digits or as a word."""
    known = {
        *re.findall(r"\d+", task),
        *(str(n) for n, word in enumerate(NUMBERS) if word in task),
    }
    return set(re.findall(r"\d+", text)) <= known


def stands_in(text: str, passage: str) -> bool:
    """Whether a passage has this text, so that it may have been copied from there."""
    squeezed = _squeeze(passage)
    if len(text.strip()) >= 3 and _squeeze(text) in squeezed:
        return True
    data = data_of(text)
    if data and any(datum in squeezed for datum in data):
        return True
    own = content_words(text)
    return len(own) >= 3 and len(own & content_words(passage)) / len(own) >= SHARE
