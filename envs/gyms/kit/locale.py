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
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Days outside of these are none: an app may add years to a day that it was given."""
CURRENCIES: dict[Region, tuple[str, ...]] = {
    "us": ("US$", "$", "USD", "dollars"),
    "gb": ("£", "GBP", "pounds"),
    "eu": ("€", "EUR", "euros", "euro"),
}
"""What may stand before or after an amount; another currency is another amount."""
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NAMED = re.compile(
    r"([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})"
    r"|(?:the )?(\d{1,2})(?:\.|st|nd|rd|th)? (?:of )?([A-Za-z]{3,9})\.?,? (\d{4})"
)
_WEEKDAY = re.compile(r"([A-Za-z]{3,9})(?:\., ?|, ?|\. | )(.+)")
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
        """The ISO date that a person wrote, with or without its day of the week; None when the
        text is no date, or that day is another day of the week."""
        text = " ".join(text.split())
        match = _WEEKDAY.fullmatch(text)
        weekday = _weekday_number(match[1]) if match else None
        try:
            day = self._parse_day(match[2] if match and weekday is not None else text)
        except ValueError:
            return None
        if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
            return None
        if weekday not in (None, day.weekday()):
            return None
        return day.isoformat()

    def _parse_day(self, text: str) -> date | None:
        """Raises ValueError for a day that there is not."""
        if match := _ISO.fullmatch(text):
            return date(*map(int, match.groups()))
        if match := _NAMED.fullmatch(text):
            name, day, year = (
                (match[1], match[2], match[3]) if match[1] else (match[5], match[4], match[6])
            )
            return date(int(year), _month_number(name), int(day))
        if match := _NUMBERS.fullmatch(text):
            first, second, year = map(int, match.groups())
            month, day_number = (first, second) if self.region == "us" else (second, first)
            return date(year, month, day_number)
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

    @property
    def separators(self) -> tuple[str, str]:
        """Between thousands, and before decimals."""
        return (".", ",") if self.region == "eu" else (",", ".")

    def parse_money(self, text: str) -> int | None:
        """Cents of an amount in the region's format, with or without the region's currency, as
        sign, code or word; None when the text is no amount, or one of another currency."""
        thousands, point = map(re.escape, self.separators)
        currency = "|".join(map(re.escape, CURRENCIES[self.region]))
        whole = rf"(\d{{1,9}}|\d{{1,3}}(?:{thousands}\d{{3}})+)(?:{point}(\d{{2}}))?"
        match = re.fullmatch(
            rf"(-?)\s*(?:(?:{currency})\s*(-?){whole}|{whole}(?:\s*(?:{currency}))?)",
            text.strip(),
            re.IGNORECASE,
        )
        if match is None:
            return None
        digits, decimals = match[3] or match[5], match[4] or match[6]
        cents = int(digits.replace(self.separators[0], "")) * 100 + int(decimals or 0)
        return -cents if match[1] or match[2] else cents


def _weekday_number(name: str) -> int | None:
    for number, weekday in enumerate(WEEKDAYS):
        if len(name) >= 3 and weekday.lower().startswith(name.lower()):
            return number
    return None


def _month_number(name: str) -> int:
    """Raises ValueError."""
    for number, month in enumerate(MONTHS, 1):
        if len(name) >= 3 and month.lower().startswith(name.lower()):
            return number
    raise ValueError(name)
