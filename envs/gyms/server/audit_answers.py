"""Whether a template's question can be answered without a look at the site, and whether its right
answer is right however a person writes it.

Guesses: one and the same answer at every seed, a value that stands in the phrasings themselves,
and the value of one and the same param that the instruction names, such as the first of two people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import sqrt
from typing import Any

from envs.contract.task import Task
from envs.gyms.kit.answers import Kind, same_answer
from envs.gyms.kit.gym import AppGym
from envs.gyms.kit.locale import CURRENCIES, MONTHS, WEEKDAYS, Locale
from envs.gyms.kit.template import Template

MAX_GUESSED = 0.25
"""Share of the seeds at which a guess may be right: a choice of four."""
DEVIATIONS = 3.0
"""Standard deviations that chance may add to it where the seeds are few."""


@dataclass(frozen=True, slots=True)
class Guess:
    """The guess that is right most often; none, and never right, where nothing is asked."""

    text: str
    right: int
    seeds: int

    @property
    def share(self) -> float:
        """Of the seeds at which it is right."""
        return self.right / self.seeds

    @property
    def is_too_good(self) -> bool:
        """Whether it is right at more than `MAX_GUESSED` of all seeds, as far as these tell."""
        deviation = sqrt(self.seeds * MAX_GUESSED * (1 - MAX_GUESSED))
        return self.right > MAX_GUESSED * self.seeds + DEVIATIONS * deviation


def measure_best_guess(gym: AppGym[Any], template: str, seeds: Sequence[int]) -> Guess:
    """The best of the guesses at these seeds."""
    spec = gym.spec(template)
    if spec.expected_answer is None:
        return Guess("", 0, len(seeds))
    right: Counter[str] = Counter()
    for seed in seeds:
        right.update(_list_right_guesses(gym, spec, gym.make_task(template, seed)))
    text, count = right.most_common(1)[0]
    return Guess(text, count, len(seeds))


def _list_right_guesses(gym: AppGym[Any], spec: Template[Any], task: Task) -> set[str]:
    """Names of the guesses that are right for a task."""
    assert spec.expected_answer is not None
    world = gym.make_world(task.seed)
    expected = spec.expected_answer(world, task.params, gym.initial_state(task))

    def is_right(guess: str) -> bool:
        return same_answer(guess, expected, spec.answer_kind, world.locale, spec.answer_units)

    guesses = {f"always {expected}"}
    for key, value in _list_values(task.params):
        if value in task.instruction and is_right(value):
            guesses.add(f"param {key}")
    for phrasing in spec.phrasings:
        if any(is_right(word.strip(".,()?:")) for word in phrasing.split()):
            guesses.add("the example of the wording")
    return guesses


def _list_values(params: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Texts and numbers among the params, those in lists by their place."""
    for key, value in params.items():
        if isinstance(value, list):
            yield from ((f"{key}[{place}]", str(entry)) for place, entry in enumerate(value))
        else:
            yield key, str(value)


def list_spellings(
    expected: str, kind: Kind, locale: Locale, units: Collection[str]
) -> tuple[list[str], list[str]]:
    """Ways in which people write the right answer, and answers near it that are wrong. `expected`
    as templates give it, see `same_answer`."""
    if kind == "money":
        return _spell_money(int(expected), locale)
    if kind == "dollars":
        number = expected.removeprefix("$")
        return [expected, number, f"{number} USD"], [f"€{number}", f"{expected}1", f"-{expected}"]
    if kind == "date":
        return _spell_date(date.fromisoformat(expected), locale)
    if kind == "time":
        hour, minute = map(int, expected.split(":"))
        half = "pm" if hour >= 12 else "am"
        right = [expected, f"{hour}.{minute:02d}", f"{(hour - 1) % 12 + 1}:{minute:02d} {half}"]
        return right, [f"{(hour + 1) % 24}:{minute:02d}", f"{hour}:{minute:02d} to {hour + 1}:00"]
    if kind == "number":
        with_units = [f"{expected} {unit}" for unit in units]
        return [expected, f"{expected}.0", *with_units], [f"{expected}1", f"{expected} or more"]
    spaced = "  ".join(expected.split())
    return [expected, expected.upper(), f'"{expected}"', f" {spaced}. "], [
        f"{expected} or another",
        expected[:-1],
    ]


def _spell_money(cents: int, locale: Locale) -> tuple[list[str], list[str]]:
    amount = locale.format_money(cents)
    sign, code = next(
        (sign, code)
        for sign, code in (("$", "USD"), ("£", "GBP"), ("€", "EUR"))
        if code in CURRENCIES[locale.region]
    )
    number = amount.replace(sign, "").strip()
    foreign = next(other for other in ("$", "£", "€") if other != sign)
    right = [amount, number, f"{number} {code}", f"{code} {number}"]
    return right, [f"{foreign}{number}", locale.format_money(cents + 1), f"{amount} or less"]


def _spell_date(day: date, locale: Locale) -> tuple[list[str], list[str]]:
    written = locale.format_date(day.isoformat())
    ending = (
        "th" if day.day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day.day % 10, "th")
    )
    in_words = f"{MONTHS[day.month - 1]} {day.day}{ending}, {day.year}"
    weekday, other = WEEKDAYS[day.weekday()], WEEKDAYS[day.weekday() - 1]
    next_day = locale.format_date((day + timedelta(days=1)).isoformat())
    right = [written, day.isoformat(), in_words, f"{weekday}, {written}"]
    return right, [next_day, f"{other}, {written}", f"{written} or {next_day}"]
