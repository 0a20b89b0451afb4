"""How dates and money are written and read in the locale of a seed.

Guarantees: `parse_date` and `parse_money` read what `format_date` and `format_money` write; ISO
dates are always understood.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

Region = Literal["us", "gb", "eu"]
REGIONS: tuple[Region, ...] = ("us", "gb", "eu")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NAMED = re.compile(
    r"([A-Za-z]{3,9})\.? (\d{1,2}),? (\d{4})|(\d{1,2})\.? ([A-Za-z]{3,9})\.? (\d{4})"
)
_NUMBERS = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})")


@dataclass(frozen=True, slots=True)
class Locale:
    """Formats and parses dates (ISO) and money (cents) as people of a region write them."""

    region: Region

    @classmethod
    def sample(cls, rng: random.Random) -> Locale:
        """A locale at random."""
        return cls(rng.choice(REGIONS))

    def format_date(self, day: str) -> str:
        """ "2026-03-05" as people of the region write it."""
        at = date.fromisoformat(day)
        month = MONTHS[at.month - 1]
        if self.region == "us":
            return f"{month[:3]} {at.day}, {at.year}"
        if self.region == "gb":
            return f"{at.day} {month[:3]} {at.year}"
        return f"{at.day:02d}.{at.month:02d}.{at.year}"

    def parse_date(self, text: str) -> str | None:
        """The ISO date that a person wrote; None when the text is no date."""
        text = " ".join(text.split())
        try:
            if match := _ISO.fullmatch(text):
                return date(*map(int, match.groups())).isoformat()
            if match := _NAMED.fullmatch(text):
                name, day, year = (
                    (match[1], match[2], match[3]) if match[1] else (match[5], match[4], match[6])
                )
                return date(int(year), _month_number(name), int(day)).isoformat()
            if match := _NUMBERS.fullmatch(text):
                first, second, year = map(int, match.groups())
                month, day = (first, second) if self.region == "us" else (second, first)
                return date(year, month, day).isoformat()
        except ValueError:
            return None
        return None

    @property
    def date_example(self) -> str:
        """A date in the region's format, as a hint in forms."""
        return self.format_date("2026-03-05")

    def format_money(self, cents: int) -> str:
        """An amount with the region's currency and separators."""
        sign, cents = ("-", -cents) if cents < 0 else ("", cents)
        whole = f"{cents // 100:,}"
        if self.region == "eu":
            return f"{sign}{whole.replace(',', '.')},{cents % 100:02d} €"
        return f"{sign}{'$' if self.region == 'us' else '£'}{whole}.{cents % 100:02d}"

    def parse_money(self, text: str) -> int | None:
        """Cents of an amount in the region's format, with or without currency; None when the text
        is no amount."""
        bare = re.sub(r"[\s$£€]|USD|GBP|EUR", "", text)
        thousands, point = (".", ",") if self.region == "eu" else (",", ".")
        whole = rf"(-?)(\d{{1,9}}|\d{{1,3}}(?:{re.escape(thousands)}\d{{3}})+)"
        match = re.fullmatch(rf"{whole}(?:{re.escape(point)}(\d{{2}}))?", bare)
        if match is None:
            return None
        cents = int(match[2].replace(thousands, "")) * 100 + int(match[3] or 0)
        return -cents if match[1] else cents


def _month_number(name: str) -> int:
    """Raises ValueError."""
    for number, month in enumerate(MONTHS, 1):
        if len(name) >= 3 and month.lower().startswith(name.lower()):
            return number
    raise ValueError(name)
