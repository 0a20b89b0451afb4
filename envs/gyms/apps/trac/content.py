"""What the tracker of a world says: tickets, milestones, pages, people, from the company of a seed.

Draws take from the random source in a fixed order, so that a seed always makes the same tracker.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from envs.gyms.kit.company import Company, Firm, Person
from envs.gyms.real.logins import login_of

STAFF, FIRMS = 7, 34
TICKETS: dict[str, int] = {"new": 7, "assigned": 5, "accepted": 4, "closed": 6}
"""How many tickets of each status there are."""
COMPONENTS = {
    "Accounts": "Who may sign in",
    "Exports": "Files for others",
    "Invoices": "What is sent at the end of a month",
    "Mail": "What arrives and what does not",
    "Website": "What visitors see",
}
MILESTONES = {
    "Autumn release": "Once the fair is over",
    "Spring release": "The big one",
    "Summer release": "Small things before the holidays",
    "Winter release": "What did not make it in autumn",
}
VERSIONS = ("1.0", "1.1", "2.0")
TYPES = ("defect", "enhancement", "task")
PRIORITIES = ("blocker", "critical", "major", "minor", "trivial")
RESOLUTIONS = ("fixed", "invalid", "wontfix", "duplicate", "worksforme")
KEYWORDS = ("address", "login", "logo", "monthly", "print", "urgent")
SUMMARIES = (
    "{firm} cannot sign in",
    "{firm} gets each mail twice",
    "Export for {firm} stops half way",
    "Invoice shows the old address of {firm}",
    "New logo for {firm}",
    "{firm} asks for a monthly report",
)
DESCRIPTIONS = (
    "It began last week. Nobody has changed anything since.",
    "They called this morning and would like to hear from us today.",
    "Seen with two browsers. A second try does not help.",
    "This is part of the contract, so it should not take long.",
)
REMARKS = (
    "I had a look, it is on our side.",
    "Could somebody call them?",
    "Waiting for an answer since Monday.",
    "A first version is ready for a test.",
    "The same happens with the other one.",
)
PAGE_TEXTS = (
    "We have worked for them for three years.",
    "They pay by the month, and always in time.",
    "Their office is hard to find: ask for the back door.",
    "A visit is planned for the end of the year.",
)
START_PAGE = "WikiStart"
DAY_S = 86400


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """A comment on a ticket. `by`: a login; `at`: seconds since 1970."""

    by: str
    text: str
    at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """A ticket as it is at the start."""

    summary: str
    description: str
    kind: str
    component: str
    priority: str
    milestone: str
    version: str
    reporter: str
    owner: str
    status: str
    resolution: str
    keywords: str
    at: int
    remarks: tuple[Remark, ...]

    def to_fields(self) -> dict[str, str]:
        """As Trac names them."""
        names = ("summary", "description", "component", "priority", "milestone", "version")
        fields = {name: str(getattr(self, name)) for name in names}
        more = {name: getattr(self, name) for name in ("reporter", "owner", "status", "keywords")}
        return fields | more | {"type": self.kind, "resolution": self.resolution, "cc": ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A milestone. `due` and `completed`: seconds since 1970, 0 for never."""

    description: str
    due: int
    completed: int


@dataclass(slots=True, kw_only=True)
class Tracker:
    """A tracker. `unnamed`: firms that nothing is about; `pages`: texts of the wiki, by name."""

    staff: list[Person]
    unnamed: list[Firm]
    owners: dict[str, str]
    """Of components: logins."""
    milestones: dict[str, Stage]
    tickets: list[Issue] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)

    def tickets_of(self, *statuses: str) -> list[Issue]:
        """In the order in which they were made."""
        return [ticket for ticket in self.tickets if ticket.status in statuses]

    def ticket(self, summary: str) -> Issue:
        """By summary."""
        return next(ticket for ticket in self.tickets if ticket.summary == summary)

    @property
    def client_pages(self) -> list[str]:
        """Names of the wiki's pages on firms."""
        return [name for name in self.pages if name != START_PAGE]


def make_tracker(world: Company, now: int) -> Tracker:
    """The tracker of a world, of which it is `now`; always the same."""
    rng = world.rng("trac")
    staff = rng.sample([person for person in world.people if person.id != world.user.id], STAFF)
    logins = [login_of(person) for person in staff]
    firms = iter(rng.sample(world.firms, FIRMS))
    tracker = Tracker(
        staff=staff,
        unnamed=[],
        owners={name: rng.choice(logins) for name in COMPONENTS},
        milestones=_make_milestones(rng, now),
    )
    statuses = [status for status, count in TICKETS.items() for _ in range(count)]
    rng.shuffle(statuses)
    ages = iter(sorted(rng.sample(range(20, 1500), len(statuses)), reverse=True))
    for status in statuses:
        issue = _make_ticket(rng, tracker, next(firms), status, now - next(ages) * 3600)
        tracker.tickets.append(issue)
    for firm in _take(firms, 5):
        text = f"Our contact is {firm.contact}, {firm.email}.\n\n{rng.choice(PAGE_TEXTS)}"
        tracker.pages[firm.name] = text
    links = "\n".join(f' * [wiki:"{name}" {name}]' for name in sorted(tracker.pages))
    tracker.pages[START_PAGE] = f"= {world.name} =\n\nWhat to know about our clients:\n\n{links}"
    tracker.unnamed = list(firms)
    return tracker


def _make_milestones(rng: random.Random, now: int) -> dict[str, Stage]:
    names = list(MILESTONES)
    rng.shuffle(names)
    # The first is over, the second has no day yet.
    days = (-40, 0, rng.randint(10, 40), rng.randint(60, 90))
    today = now - now % DAY_S
    return {
        name: Stage(
            description=MILESTONES[name],
            due=today + day * DAY_S if day else 0,
            completed=today + day * DAY_S if day < 0 else 0,
        )
        for name, day in zip(names, days, strict=True)
    }


def _make_ticket(rng: random.Random, tracker: Tracker, firm: Firm, status: str, at: int) -> Issue:
    logins = [login_of(person) for person in tracker.staff]
    component = rng.choice(list(COMPONENTS))
    owner = tracker.owners[component] if status == "new" else rng.choice(logins)
    open_stages = [name for name, stage in tracker.milestones.items() if not stage.completed]
    remarks = [
        Remark(by=rng.choice(logins), text=text, at=at + (place + 1) * 3600)
        for place, text in enumerate(rng.sample(REMARKS, rng.choice((0, 1, 1, 2))))
    ]
    return Issue(
        summary=rng.choice(SUMMARIES).format(firm=firm.name),
        description=rng.choice(DESCRIPTIONS),
        kind=rng.choice(TYPES),
        component=component,
        priority=rng.choice(PRIORITIES),
        milestone=rng.choice(open_stages),
        version=rng.choice(VERSIONS),
        reporter=rng.choice(logins),
        owner=owner,
        status=status,
        resolution=rng.choice(RESOLUTIONS) if status == "closed" else "",
        keywords=rng.choice(KEYWORDS),
        at=at,
        remarks=tuple(remarks),
    )


def _take(firms: Iterator[Firm], count: int) -> list[Firm]:
    return [next(firms) for _ in range(count)]
