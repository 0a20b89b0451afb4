"""The world of a seed: a company, the people in it and the firms it deals with.

Every app of a seed shows the same world, so that a task can cross apps. Deterministic, cached,
immutable. Names are unique but many are near one another, which punishes carelessness.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from envs.contract.task import Split, split_of
from envs.gyms.kit.appearance import Appearance
from envs.gyms.kit.locale import Locale
from envs.gyms.kit.names import (
    CITIES,
    DEPARTMENTS,
    FIRM_SECOND,
    FIRST_DAYS,
    STREETS,
    TITLES,
    NamePool,
    names_of,
)

PEOPLE, FIRMS = 64, 44
NEAR = 0.3
"""Share of the people and firms whose name is near that of another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody who works for the company."""

    id: str
    name: str
    email: str
    department: str
    title: str
    phone: str
    city: str
    manager: str | None
    """Id of the head of the department; None for heads."""
    hired: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Firm:
    """A customer or supplier, with the person one talks to there."""

    id: str
    name: str
    contact: str
    email: str
    phone: str
    street: str
    city: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Company:
    """The world of most apps, see `envs.gyms.kit.world.World`."""

    seed: int
    appearance: Appearance
    locale: Locale
    name: str
    domain: str
    today: str
    """The apps' date; nothing in a gym depends on the clock on the wall."""
    people: tuple[Person, ...]
    firms: tuple[Firm, ...]
    user: Person
    """Who is signed in."""

    def person(self, key: str) -> Person:
        """By id."""
        return next(person for person in self.people if person.id == key)

    def firm(self, key: str) -> Firm:
        """By id."""
        return next(firm for firm in self.firms if firm.id == key)

    def day(self, offset: int) -> str:
        """ISO date, so many days from today."""
        return (date.fromisoformat(self.today) + timedelta(days=offset)).isoformat()

    @property
    def split(self) -> Split:
        """Which names, numbers and days it has."""
        return split_of(self.seed)

    @property
    def names(self) -> NamePool:
        """What else of this world is named after; no other split has these names."""
        return names_of(self.seed)

    def rng(self, purpose: str) -> random.Random:
        """Chance of its own for each purpose, so that one app's draws do not move another's."""
        return random.Random(f"{purpose}:{self.seed}")


@lru_cache(maxsize=128)
def get_company(seed: int) -> Company:
    """The company of a seed; always the same."""
    rng = random.Random(f"company:{seed}")
    appearance, locale = Appearance.sample(rng), Locale.sample(rng)
    names = names_of(seed)
    name = rng.choice(names.companies)
    domain = f"{name.lower()}.example"
    first_day = FIRST_DAYS[split_of(seed)]
    today = (first_day + timedelta(days=rng.randrange(0, 300))).isoformat()
    people = _make_people(rng, names, domain, today)
    heads = {person.manager for person in people if person.manager}
    user = rng.choice([person for person in people if person.id not in heads])
    return Company(
        seed=seed,
        appearance=appearance,
        locale=locale,
        name=name,
        domain=domain,
        today=today,
        people=people,
        firms=_make_firms(rng, names),
        user=user,
    )


def _make_people(
    rng: random.Random, names: NamePool, domain: str, today: str
) -> tuple[Person, ...]:
    pairs: list[tuple[str, str]] = []
    while len(pairs) < PEOPLE:
        pair = (rng.choice(names.first), rng.choice(names.last))
        if pairs and rng.random() < NEAR:
            other = rng.choice(pairs)
            pair = (other[0], pair[1]) if rng.random() < 0.5 else (pair[0], other[1])
        if pair not in pairs:
            pairs.append(pair)
    heads: dict[str, str] = {}
    people = []
    for index, (first, last) in enumerate(pairs):
        key = f"u{index + 1}"
        department = DEPARTMENTS[index % len(DEPARTMENTS)]
        head = heads.setdefault(department, key)
        people.append(
            Person(
                id=key,
                name=f"{first} {last}",
                email=f"{first}.{last}@{domain}".lower(),
                department=department,
                title=f"Head of {department}" if head == key else rng.choice(TITLES[department]),
                phone=f"+1 555 {rng.randint(100, 999)} {rng.randint(1000, 9999)}",
                city=rng.choice(CITIES),
                manager=None if head == key else head,
                hired=(
                    date.fromisoformat(today) - timedelta(days=rng.randint(40, 3600))
                ).isoformat(),
            )
        )
    return tuple(people)


def _make_firms(rng: random.Random, names: NamePool) -> tuple[Firm, ...]:
    taken: list[str] = []
    counts: Counter[str] = Counter()
    while len(taken) < FIRMS:
        first = rng.choice(names.firms)
        if taken and rng.random() < NEAR:
            first = rng.choice(taken).split()[0]
        name = f"{first} {rng.choice(FIRM_SECOND)}"
        if name not in taken and counts[first] < 4:
            counts[first] += 1
            taken.append(name)
    firms = []
    for index, name in enumerate(taken):
        first, last = rng.choice(names.first), rng.choice(names.last)
        firms.append(
            Firm(
                id=f"f{index + 1}",
                name=name,
                contact=f"{first} {last}",
                email=f"{first}.{last}@{name.replace(' ', '-')}.example".lower(),
                phone=f"+1 555 {rng.randint(100, 999)} {rng.randint(1000, 9999)}",
                street=f"{rng.randint(1, 180)} {rng.choice(STREETS)}",
                city=rng.choice(CITIES),
            )
        )
    return tuple(firms)
