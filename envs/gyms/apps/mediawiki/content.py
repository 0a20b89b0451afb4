"""What the handbook of a world says: pages with their history, from the company of a seed.

Draws take from the random source in a fixed order, so that a seed always makes the same wiki.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from envs.gyms.kit.company import Company, Firm, Person
from envs.gyms.kit.names import CITIES

STAFF, CLIENTS, GONE, DRAFTS = 16, 16, 3, 3
ROOMS = tuple(f"{floor}.{room:02d}" for floor in range(1, 6) for room in range(1, 40, 3))
STATUSES = ("active", "on hold", "renewal due", "closing")
GUIDES = {
    "Travel policy": "Trains are booked two weeks ahead. Flights need the consent of a manager.",
    "Expense rules": "Receipts are sent in by the end of the month. Meals are paid up to a limit.",
    "Visitor rules": "Visitors sign in at the desk. They wear a badge and are met by their host.",
    "Password rules": "Passwords have twelve characters or more. Nobody tells theirs to others.",
}
NOTES = (
    "Orders come by mail and are confirmed within two days.",
    "Invoices go to the head office. The contact wants them on paper.",
    "Deliveries are accepted in the morning only.",
    "The framework agreement is renewed each spring.",
    "Complaints are answered by the account manager in person.",
)
NONSENSE = (
    "lol this company is the worst hahaha",
    "BUY CHEAP WATCHES NOW",
    "asdf asdf asdf qwertz",
    "nobody reads this page anyway!!!",
)
TYPOS = {
    "adress": "address",
    "recieves": "receives",
    "seperate": "separate",
    "tommorow": "tomorrow",
    "calender": "calendar",
}
MISSPELLED = {
    "adress": "The adress of the second office is on the door.",
    "recieves": "The team recieves visitors on Fridays.",
    "seperate": "There is a seperate entrance for deliveries.",
    "tommorow": "What cannot wait until tommorow goes to the deputy.",
    "calender": "Absences are in the shared calender.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One version of a page, saved so many hours before the session begins."""

    title: str
    by: str
    text: str
    summary: str
    hours_ago: int


@dataclass(slots=True, kw_only=True)
class Handbook:
    """A wiki. `staff` and `clients` have pages; `vandalised`, `misspelled` and `drafts` are titles
    among all; `lone` are people of the company who have no page."""

    staff: list[Person]
    clients: list[Firm]
    lone: list[Person]
    rooms: dict[str, str] = field(default_factory=dict)
    managers: dict[str, Person] = field(default_factory=dict)
    """Account managers by the name of their client."""
    contracts: dict[str, str] = field(default_factory=dict)
    statuses: dict[str, str] = field(default_factory=dict)
    teams: dict[str, list[Person]] = field(default_factory=dict)
    revisions: list[Revision] = field(default_factory=list)
    vandalised: list[str] = field(default_factory=list)
    misspelled: dict[str, str] = field(default_factory=dict)
    drafts: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    watched: list[str] = field(default_factory=list)
    protected: list[str] = field(default_factory=list)

    @property
    def texts(self) -> dict[str, str]:
        """What pages say now, by title; deleted ones are not among them."""
        return {
            revision.title: revision.text
            for revision in self.revisions
            if revision.title not in self.deleted
        }

    def last_editor(self, title: str) -> str:
        """Who saved the newest version."""
        return [revision.by for revision in self.revisions if revision.title == title][-1]


def make_handbook(world: Company) -> Handbook:
    """The handbook of a world; always the same."""
    rng = world.rng("mediawiki")
    people = [person for person in world.people if person.id != world.user.id]
    rng.shuffle(people)
    firms = rng.sample(world.firms, CLIENTS + GONE)
    book = Handbook(staff=people[:STAFF], clients=firms[:CLIENTS], lone=people[STAFF:])
    first = 10_000 if world.split == "train" else 40_000 if world.split == "dev" else 70_000
    numbers = rng.sample(range(first, first + 9_000), CLIENTS + GONE)
    for firm, number in zip(firms, numbers, strict=True):
        book.contracts[firm.name] = f"C-{number}"
        book.managers[firm.name] = rng.choice(book.staff)
        book.statuses[firm.name] = rng.choice(STATUSES)
        book.teams[firm.name] = rng.sample(book.staff, rng.randint(2, 4))
    _write_pages(rng, world, book, firms)
    titles = [firm.name for firm in book.clients] + [person.name for person in book.staff]
    book.watched = sorted(rng.sample(titles, 5))
    book.protected = sorted(rng.sample(list(GUIDES), 2))
    book.deleted = [firm.name for firm in firms[CLIENTS:]]
    return book


def _write_pages(rng: random.Random, world: Company, book: Handbook, firms: list[Firm]) -> None:
    ages = iter(sorted(rng.sample(range(200, 4000), 80), reverse=True))

    def save(title: str, text: str, summary: str, by: Person | None = None) -> None:
        author = by or rng.choice(book.staff)
        book.revisions.append(
            Revision(title=title, by=author.name, text=text, summary=summary, hours_ago=next(ages))
        )

    for person in book.staff:
        book.rooms[person.name] = rng.choice(ROOMS)
        save(person.name, _staff_page(person, book), "page made")
    for firm in firms:
        save(firm.name, _client_page(rng, firm, book), "page made")
    for title, text in GUIDES.items():
        save(title, f"{text}\n\n[[Category:Rules]]", "page made")
    for client in rng.sample(book.clients, DRAFTS):
        title = f"{client.name} (draft)"
        book.drafts.append(title)
        save(title, f"Notes for the page of [[{client.name}]], which is there by now.", "a draft")
    save("Main Page", _main_page(world, book), "front page", book.staff[0])
    texts = book.texts
    for client in rng.sample(book.clients, 3):
        book.vandalised.append(client.name)
        text = texts[client.name].split("== Notes ==")[0]
        save(client.name, f"{text}== Notes ==\n{rng.choice(NONSENSE)}", "")
    intact = [person for person in book.staff if person.name not in book.vandalised]
    for person, typo in zip(rng.sample(intact, 3), rng.sample(list(TYPOS), 3), strict=True):
        book.misspelled[person.name] = typo
        mail = f"* Mail: {person.email}"
        text = texts[person.name].replace(mail, f"{mail}\n* Remark: {MISSPELLED[typo]}")
        save(person.name, text, "a remark")


def _staff_page(person: Person, book: Handbook) -> str:
    clients = [name for name, manager in book.managers.items() if manager is person]
    lines = [
        f"'''{person.name}''' is {person.title} in {person.department}.",
        "\n== Contact ==",
        f"* Phone: {person.phone}",
        f"* Room: {book.rooms[person.name]}",
        f"* City: {person.city}",
        f"* Mail: {person.email}",
        "\n== Clients ==",
        *([f"* [[{name}]]" for name in clients] or ["None."]),
        f"\n[[Category:{person.department}]]",
    ]
    return "\n".join(lines)


def _client_page(rng: random.Random, firm: Firm, book: Handbook) -> str:
    facts = {
        "City": rng.choice(CITIES),
        "Contact": firm.contact,
        "Account manager": f"[[{book.managers[firm.name].name}]]",
        "Contract": book.contracts[firm.name],
        "Status": book.statuses[firm.name],
    }
    rows = "".join(f"|-\n! {name}\n| {value}\n" for name, value in facts.items())
    team = "\n".join(f"* [[{person.name}]]" for person in book.teams[firm.name])
    return (
        f"'''{firm.name}''' is a client.\n\n== Facts ==\n{{| class=\"wikitable\"\n{rows}|}}\n\n"
        f"== Team ==\n{team}\n\n== Notes ==\n{rng.choice(NOTES)}\n\n[[Category:Clients]]"
    )


def _main_page(world: Company, book: Handbook) -> str:
    clients = "\n".join(f"* [[{firm.name}]]" for firm in book.clients)
    staff = "\n".join(f"* [[{person.name}]]" for person in book.staff)
    rules = "\n".join(f"* [[{title}]]" for title in GUIDES)
    return (
        f"Welcome to the handbook of '''{world.name}'''.\n\n== Clients ==\n{clients}\n\n"
        f"== Staff ==\n{staff}\n\n== Rules ==\n{rules}"
    )
