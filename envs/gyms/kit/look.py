"""How the apps of a seed present themselves: layout, theme, and how dates and money are written.

Guarantees: what `date` and `money` write, `read_date` and `read_money` read back; ISO dates are
always understood.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

Locale = Literal["us", "gb", "eu"]
LAYOUTS, THEMES = 3, 4
LOCALES: tuple[Locale, ...] = ("us", "gb", "eu")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NAMED = re.compile(
    r"([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})|(\d{1,2})\.? ([A-Za-z]{3,9})\.? (\d{4})"
)
_NUMBERS = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})")


@dataclass(frozen=True, slots=True)
class Look:
    """`layout` places the navigation (0 above, 1 at the left, 2 behind a menu button)."""

    layout: int
    theme: int
    locale: Locale

    @classmethod
    def drawn(cls, rng: random.Random) -> Look:
        return cls(rng.randrange(LAYOUTS), rng.randrange(THEMES), rng.choice(LOCALES))

    @property
    def page_size(self) -> int:
        return (10, 12, 8)[self.layout]

    def date(self, day: str) -> str:
        """ "2026-03-05" as people of the locale write it."""
        at = date.fromisoformat(day)
        month = MONTHS[at.month - 1]
        if self.locale == "us":
            return f"{month[:3]} {at.day}, {at.year}"
        if self.locale == "gb":
            return f"{at.day} {month[:3]} {at.year}"
        return f"{at.day:02d}.{at.month:02d}.{at.year}"

    def read_date(self, text: str) -> str | None:
        """The ISO date of what a person wrote; None when it is none."""
        words = " ".join(text.split())
        try:
            if found := _ISO.fullmatch(words):
                return date(*map(int, found.groups())).isoformat()
            if found := _NAMED.fullmatch(words):
                name, day, year = (
                    (found[1], found[2], found[3]) if found[1] else (found[5], found[4], found[6])
                )
                return date(int(year), _month(name), int(day)).isoformat()
            if found := _NUMBERS.fullmatch(words):
                first, second, year = map(int, found.groups())
                month, day = (first, second) if self.locale == "us" else (second, first)
                return date(year, month, day).isoformat()
        except ValueError:
            return None
        return None

    @property
    def date_hint(self) -> str:
        return self.date("2026-03-05")

    def money(self, cents: int) -> str:
        sign, cents = ("-", -cents) if cents < 0 else ("", cents)
        whole = f"{cents // 100:,}"
        if self.locale == "eu":
            return f"{sign}{whole.replace(',', '.')},{cents % 100:02d} €"
        return f"{sign}{'$' if self.locale == 'us' else '£'}{whole}.{cents % 100:02d}"

    def read_money(self, text: str) -> int | None:
        """Cents of an amount in the locale's way, its currency left out or not; None when none."""
        bare = re.sub(r"[\s$£€]|USD|GBP|EUR", "", text)
        thousands, point = (".", ",") if self.locale == "eu" else (",", ".")
        whole = rf"(-?)(\d{{1,9}}|\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+)"
        found = re.fullmatch(rf"{whole}(?:{re.escape(point)}(\d{{2}}))?", bare)
        if found is None:
            return None
        cents = int(found[2].replace(thousands, "")) * 100 + int(found[3] or 0)
        return -cents if found[1] else cents


def _month(name: str) -> int:
    """Raises ValueError."""
    for number, month in enumerate(MONTHS, 1):
        if len(name) >= 3 and month.lower().startswith(name.lower()):
            return number
    raise ValueError(name)
