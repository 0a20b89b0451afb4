"""Constraint puzzles: three or four people on as many days. Every assignment that keeps the
rules is right."""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trainer.naming.names import sample_names
from trainer.reasoning.problem import Problem

DAYS = ("Mon", "Tue", "Wed", "Thu")


@dataclass(frozen=True, slots=True)
class Rule:
    """`kind`: before (first's day is before second's), next_to, not_on (a day)."""

    kind: str
    first: str
    second: str

    @property
    def text(self) -> str:
        """As it is told."""
        match self.kind:
            case "before":
                return f"{self.first} comes before {self.second}."
            case "next_to":
                return f"{self.first} and {self.second} come on days side by side."
            case _:
                return f"{self.first} does not come on {self.second}."

    def holds(self, days: Mapping[str, str]) -> bool:
        """Whether an assignment of days to people keeps it."""
        place = DAYS.index(days[self.first])
        match self.kind:
            case "before":
                return place < DAYS.index(days[self.second])
            case "next_to":
                return abs(place - DAYS.index(days[self.second])) == 1
            case _:
                return days[self.first] != self.second


def make_puzzle(rng: random.Random) -> Problem:
    """Rules that hold for a hidden assignment, two to three of them."""
    people = sample_names(rng, rng.randint(3, 4))
    days = DAYS[: len(people)]
    hidden = dict(zip(people, rng.sample(days, len(days)), strict=True))
    rules = _sample_rules(people, days, hidden, rng)
    return Problem(
        kind="puzzles",
        lines=tuple(rule.text for rule in rules),
        question=f"One person comes on each day, {days[0]} to {days[-1]}: {', '.join(people)}. "
        "Name them in the order of their days, with commas between them.",
        answer=", ".join(sorted(people, key=lambda name: DAYS.index(hidden[name]))),
        is_right=lambda answer: keeps_rules(rules, people, days, answer),
    )


def keeps_rules(
    rules: Sequence[Rule], people: Sequence[str], days: Sequence[str], answer: str
) -> bool:
    """Whether the answer names everybody once, in an order that keeps the rules."""
    order = [part.strip() for part in answer.rstrip(".").split(",")]
    if sorted(order) != sorted(people):
        return False
    assigned = dict(zip(order, days, strict=True))
    return all(rule.holds(assigned) for rule in rules)


def _sample_rules(
    people: Sequence[str], days: Sequence[str], hidden: Mapping[str, str], rng: random.Random
) -> list[Rule]:
    pairs = list(itertools.permutations(people, 2))
    candidates = [Rule(kind, *pair) for kind in ("before", "next_to") for pair in pairs]
    candidates += [Rule("not_on", name, day) for name in people for day in days]
    holding = [rule for rule in candidates if rule.holds(hidden)]
    return rng.sample(holding, rng.randint(2, 3))
