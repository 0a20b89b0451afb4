"""Numbers as people write them: digits with separators, words, a unit after them.

Guarantees: a text that holds anything else than one number and a known unit is no number.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal, InvalidOperation

from envs.gyms.kit.locale import Locale

MAX_DIGITS = 20
_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {word: value for value, word in enumerate(_SMALL)} | {
    word: 10 * value for value, word in enumerate(_TENS, 2)
}


def parse_number(text: str, locale: Locale, units: Collection[str] = ()) -> Decimal | None:
    """The number that the text states, perhaps with one of the units after it; None for any other
    text. Thousands and decimals as in the locale; a decimal point is always understood."""
    bare = " ".join(text.casefold().split())
    for unit in sorted(map(str.casefold, units), key=len, reverse=True):
        if bare.endswith(unit) and bare != unit:
            bare = bare.removesuffix(unit).rstrip()
            break
    return _parse_digits(bare, locale) if bare[:1] in "-+.0123456789" else _parse_words(bare)


def _parse_digits(text: str, locale: Locale) -> Decimal | None:
    thousands, point = locale.separators
    if re.fullmatch(rf"[-+]?\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+", text):
        text = text.replace(thousands, "")
    elif re.fullmatch(rf"[-+]?\d+{re.escape(point)}\d+", text):
        text = text.replace(point, ".")
    try:
        value = Decimal(text) if len(text) <= MAX_DIGITS else None
    except InvalidOperation:
        return None
    return value if value is not None and value.is_finite() else None


def _parse_words(text: str) -> Decimal | None:
    """ "two hundred and five", "twenty-one": below a thousand."""
    words = [word for word in text.replace("-", " ").split() if word != "and"]
    hundreds = 0
    if len(words) >= 2 and words[1] == "hundred":
        if words[0] not in _SMALL[1:10]:
            return None
        hundreds, words = 100 * _VALUES[words[0]], words[2:]
        if not words:
            return Decimal(hundreds)
    if len(words) == 2 and words[0] in _TENS and words[1] in _SMALL[1:10]:
        return Decimal(hundreds + _VALUES[words[0]] + _VALUES[words[1]])
    if len(words) == 1 and words[0] in _VALUES:
        return Decimal(hundreds + _VALUES[words[0]])
    return None
