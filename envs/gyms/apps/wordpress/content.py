"""What the site of a world says: posts, pages, comments, people, from the company of a seed.

Draws take from the random source in a fixed order, so that a seed always makes the same site.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal

from envs.gyms.kit.company import Company, Firm, Person
from envs.gyms.kit.names import CITIES

STAFF, FIRMS = 9, 22
PUBLISHED, DRAFTS, TRASHED = 12, 4, 3
NOW = datetime(2025, 6, 1, 9)
"""What a site takes for the time, whatever day its world has: a later day than that of the machine
would make each post one that waits."""
NOW_TEXT = f"{NOW:%Y-%m-%d %H:%M:%S}"
CATEGORIES = {
    "Clients": "Those we work for",
    "Events": "Fairs, visits, open days",
    "Press": "For journalists",
    "Products": "What is new",
    "Team": "Who works here",
}
DEFAULT_CATEGORY = "Uncategorized"
TAGS = ("2024", "award", "fair", "interview", "office", "partner", "photo", "travel")
TITLES = (
    "{firm} opens an office in {city}",
    "{firm} renews its contract",
    "A visit to {firm}",
    "{firm} wins an award",
    "What we do for {firm}",
    "{firm} and the fair in {city}",
)
TEXTS = (
    "We were glad to be there, and say thanks to everybody who made it possible.",
    "The agreement holds for three years. Both sides have worked on it since spring.",
    "Pictures of the day are in the press folder. Questions go to the office.",
    "It is the second time in a row. The team celebrated with cake.",
)
PAGES = {
    "About us": "Who we are and what we do.",
    "History": "How it began, and what became of it.",
    "Jobs": "Nothing is open at the moment.",
    "Contact": "The office is open from nine to five.",
}
REMARKS = (
    "Congratulations, well deserved.",
    "Is there a picture of the new office?",
    "We would like to hear more about this.",
    "The date in the second line is wrong, I think.",
    "Great news for the whole region.",
)
ADVERTS = (
    "Cheap watches, click my name for more.",
    "I made a fortune at home, ask me how.",
    "Best casino bonus of the year.",
)
ROLES = ("author", "editor", "contributor", "subscriber")
TAGLINES = ("News and notes", "What moves us", "From the workshop", "Made with care")
Status = Literal["publish", "draft", "trash"]
CommentStatus = Literal["1", "0", "spam"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A post or a page as it is at the start."""

    title: str
    text: str
    author: str
    at: str
    kind: Literal["post", "page"] = "post"
    status: Status = "publish"
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    comments: Literal["open", "closed"] = "open"
    parent: str = ""
    sticky: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """`status`: "1" approved, "0" waiting, "spam"."""

    post: str
    author: str
    email: str
    text: str
    status: CommentStatus
    at: str


@dataclass(slots=True, kw_only=True)
class Site:
    """A site. `roles`: of the staff, by name; `unnamed` are firms that no post is about."""

    staff: list[Person]
    unnamed: list[Firm]
    roles: dict[str, str]
    tagline: str
    posts: list[Post] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    categories: dict[str, str] = field(default_factory=lambda: dict(CATEGORIES))

    def titles(self, status: Status, kind: str = "post") -> list[str]:
        """Of posts of this status, in the order in which they were made."""
        return [post.title for post in self.posts if (post.status, post.kind) == (status, kind)]

    def post(self, title: str) -> Post:
        """By title."""
        return next(post for post in self.posts if post.title == title)


def slug_of(title: str) -> str:
    """The part of an address that WordPress makes of a title in ASCII."""
    words = re.sub(r"[^a-z0-9_\s-]", "", re.sub(r"[./]", "-", title.lower()))
    return re.sub(r"[\s-]+", "-", words).strip("-")


def make_site(world: Company) -> Site:
    """The site of a world; always the same."""
    rng = world.rng("wordpress")
    people = [person for person in world.people if person.id != world.user.id]
    staff, firms = rng.sample(people, STAFF), rng.sample(world.firms, FIRMS)
    # At least one of each role, or a question about it would have no answer.
    roles = [*ROLES, *(rng.choice(ROLES) for _ in staff[len(ROLES) :])]
    used = PUBLISHED + DRAFTS + TRASHED
    site = Site(
        staff=staff,
        unnamed=firms[used:],
        roles={person.name: role for person, role in zip(staff, roles, strict=True)},
        tagline=rng.choice(TAGLINES),
    )
    ages = iter(sorted(rng.sample(range(100, 9000), used + len(PAGES) + 20), reverse=True))
    for title, text in PAGES.items():
        parent = "About us" if title == "History" else ""
        author = world.user.name
        site.posts.append(
            Post(title=title, text=text, author=author, at=_date(ages), kind="page", parent=parent)
        )
    counts: dict[Status, int] = {"publish": PUBLISHED, "draft": DRAFTS, "trash": TRASHED}
    statuses = [status for status, count in counts.items() for _ in range(count)]
    rng.shuffle(statuses)
    for firm, status in zip(firms, statuses, strict=False):
        title = rng.choice(TITLES).format(firm=firm.name, city=rng.choice(CITIES))
        site.posts.append(
            Post(
                title=title,
                text=rng.choice(TEXTS),
                author=rng.choice(staff).name,
                at=_date(ages),
                status=status,
                categories=(rng.choice(list(CATEGORIES)),),
                tags=tuple(sorted(rng.sample(TAGS, rng.randint(1, 3)))),
            )
        )
    _write_comments(rng, site, firms, ages)
    return site


def _write_comments(rng: random.Random, site: Site, firms: list[Firm], ages: Iterator[int]) -> None:
    """One by each of some firms' contacts, so that a search for the author finds one."""
    published = site.titles("publish")
    contacts = {firm.contact: firm for firm in firms}
    names = rng.sample(sorted(contacts), 12)
    numbers: dict[CommentStatus, int] = {"1": 4, "0": 5, "spam": 3}
    kinds = [status for status, count in numbers.items() for _ in range(count)]
    for name, status in zip(names, kinds, strict=True):
        site.comments.append(
            Comment(
                post=rng.choice(published),
                author=name,
                email=contacts[name].email,
                text=rng.choice(ADVERTS if status == "spam" else REMARKS),
                status=status,
                at=_date(ages),
            )
        )


def _date(ages: Iterator[int]) -> str:
    hours = next(ages)
    return (NOW - timedelta(hours=hours)).strftime("%Y-%m-%d %H:%M:%S")
