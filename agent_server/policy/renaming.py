"""Renaming of a page's words, so that a reader has to look and cannot remember.

Guarantees: a renaming maps words one to one, and no word to one that the text has already, so that
applying it changes no answer: two names that were equal stay equal, others stay different; a plural
stays the plural of its word. Codes as INV-1030 keep their length and their order, those as SAVE10
their length and their number. Other numbers, prices, dates, marks and line breaks stay, and so does
the tree's own syntax.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from envs.contract.observations import parse_tree

WORD = re.compile(r"[A-Z][a-z]+(?![A-Za-z])")
"""A word that may be part of a name: capital letter first, the rest small."""
CODE = re.compile(r"\b[A-Z]{2,4}-\d{2,6}\b")
"""The number of a ticket, an invoice, a request."""
COUPON = re.compile(r"\b[A-Z]{3,10}\d{1,2}\b")
"""A word of capital letters with a number that means something, such as the percent off."""
LETTERS = "ABCDEFGHKLMNPRSTVWXZ"
TWIN_SHARE = 0.2
"""How many new words differ from another new word by their end alone."""
KEPT = frozenset(
    {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}
)
"""Months belong to dates."""
_ROLES = ("link", "button", "check", "radio", "box", "select", "tab", "menu", "option", "heading")
_MARKS = ("img", "text", "dialog", "page", "task", "did", "error", "got", "more", "above", "below")
_VERBS = (
    "click",
    "hover",
    "type",
    "enter",
    "set",
    "uncheck",
    "key",
    "scroll",
    "back",
    "goto",
    "fill",
)
_ENDINGS = ("find", "done", "infeasible", "tool", "act", "up", "down")
_STATES = ("checked", "disabled", "open", "selected", "readonly")
RESERVED = frozenset((*_ROLES, *_MARKS, *_VERBS, *_ENDINGS, *_STATES))
"""Words of the tree and of the compact dialect, which are no page's own."""
_ONSETS = (
    *("b", "br", "c", "cl", "d", "dr", "f", "g", "gr", "h", "j", "k", "l", "m", "n"),
    *("p", "pl", "qu", "r", "s", "st", "t", "tr", "v", "w", "z"),
)
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "io", "ou")
_ENDS = ("", "n", "r", "l", "s", "t", "m", "nd", "rk", "x")

_TOKEN = re.compile(rf"{CODE.pattern}|{COUPON.pattern}|[A-Za-z]+")

Renaming = Mapping[str, str]
"""New words and codes by old ones."""


class Pieces(NamedTuple):
    """Tokens of which new words can be made: those that begin a word with a capital letter, and
    those of small letters within words. Syllables have few tokens; who copies names has to copy
    all tokens that names are made of."""

    starts: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


NO_PIECES = Pieces()


def make_word(rng: random.Random, pieces: Pieces = NO_PIECES) -> str:
    """A word of one to three syllables that hardly any text has; half of the words are of two or
    three of the `pieces`, where there are any."""
    if pieces.starts and pieces.others and rng.random() < 0.5:
        return rng.choice(pieces.starts) + "".join(rng.choices(pieces.others, k=rng.randint(1, 2)))
    syllables = rng.choices((1, 2, 3), (1, 4, 2))[0]
    word = "".join(rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(syllables))
    return (word + rng.choice(_ENDS)).capitalize()


def make_renaming(
    text: str,
    rng: random.Random,
    share: float = 1.0,
    kept: Collection[str] = (),
    pieces: Pieces = NO_PIECES,
) -> Renaming:
    """New words for a share of the words of a text but for those `kept`; some are near twins of
    others, some are made of the `pieces`."""
    words = sorted(set(WORD.findall(text)).difference(kept))
    stems = dict.fromkeys(stem_of(word) for word in words if not is_fixed(word))
    taken = {word.lower() for word in words_of(text)}
    forms = {stem: [word for word in sorted(taken) if stem_of(word) == stem] for stem in stems}
    renaming: dict[str, str] = {}
    for stem in stems:
        if rng.random() >= share:
            continue
        new = _draw_new_word(rng, list(renaming.values()), pieces)
        while stem_of(new) in taken or new.lower() in RESERVED or new.endswith("s"):
            new = make_word(rng)
        taken |= {new.lower(), f"{new.lower()}s"}
        renaming |= {word.capitalize(): new + word[len(stem) :] for word in forms[stem]}
    if rng.random() < share:
        renaming |= _renumber(sorted(set(CODE.findall(text))), rng)
        renaming |= _respell(sorted(set(COUPON.findall(text))), rng)
    return renaming


def stem_of(word: str) -> str:
    """The word in small letters, without the s of a plural."""
    word = word.lower()
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word


def respell(code: str, rng: random.Random) -> str:
    """Other letters before the same number."""
    letters = code.rstrip("0123456789")
    return _draw_letters(len(letters), rng) + code[len(letters) :]


def _draw_letters(count: int, rng: random.Random) -> str:
    return "".join(rng.choices(LETTERS, k=count))


def _renumber(codes: list[str], rng: random.Random) -> dict[str, str]:
    """Other letters and numbers for codes; those of one kind keep their order."""
    renaming: dict[str, str] = {}
    kinds: dict[tuple[str, int], list[str]] = {}
    for code in codes:
        letters, _, digits = code.partition("-")
        kinds.setdefault((letters, len(digits)), []).append(code)
    for (letters, length), members in kinds.items():
        new_letters = _draw_letters(len(letters), rng)
        numbers = rng.sample(range(10 ** (length - 1), 10**length), len(members))
        for code, number in zip(members, sorted(numbers), strict=True):
            renaming[code] = f"{new_letters}-{number}"
    # Two kinds may have drawn the same letters.
    return renaming if len(set(renaming.values())) == len(renaming) else {}


def _respell(codes: list[str], rng: random.Random) -> dict[str, str]:
    """Other letters before the same numbers."""
    renaming: dict[str, str] = {}
    for code in codes:
        renaming[code] = respell(code, rng)
    return renaming if len(set(renaming.values())) == len(renaming) else {}


def is_fixed(word: str) -> bool:
    """Whether no renaming touches the word: a month, a word of the tree or of the dialect."""
    return word in KEPT or word.lower() in RESERVED


def _draw_new_word(rng: random.Random, others: list[str], pieces: Pieces) -> str:
    if others and rng.random() < TWIN_SHARE:
        return rng.choice(others) + rng.choice(_ONSETS) + rng.choice(_VOWELS)
    return make_word(rng, pieces)


def rename_step(
    prompt: str,
    answer: str,
    interface: Collection[str],
    rng: random.Random,
    pieces: Pieces = NO_PIECES,
) -> tuple[str, str]:
    """A step whose elements' names are made up, alike in page, task, history and answer; so are the
    options of a drop-down, which are names as well.

    Words of the `interface` stay, and so do those that name no element: they may be the task's
    verbs, and whoever renames these has another task."""
    names = element_names(prompt).difference(interface)
    text = f"{prompt}\n{answer}"
    renaming = make_renaming(text, rng, kept=set(WORD.findall(text)) - names, pieces=pieces)
    return rename(prompt, renaming), rename(answer, renaming)


def element_names(prompt: str) -> set[str]:
    """Words that may be parts of names, of elements and of the options of drop-downs."""
    # The page comes first in a prompt; its lines alone have numbers.
    return {
        word
        for line in parse_tree(prompt)
        if line.ref is not None
        for text in (line.name, *line.options)
        for word in WORD.findall(text)
    }


def words_of(text: str) -> set[str]:
    """Its words, in small and capital letters as they are there."""
    return set(re.findall(r"[A-Za-z]+", text))


def rename(text: str, renaming: Renaming) -> str:
    """The text with its words renamed, those in small letters too ("cart" follows "Cart")."""
    small = {old.lower(): new.lower() for old, new in renaming.items()}
    return _TOKEN.sub(lambda match: renaming.get(match[0]) or small.get(match[0]) or match[0], text)
