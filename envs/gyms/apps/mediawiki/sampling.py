"""How the templates choose pages and people, and what they do to the state's pages."""

from __future__ import annotations

import random

from envs.gyms.apps.mediawiki.application import get_handbook
from envs.gyms.apps.mediawiki.content import Handbook
from envs.gyms.apps.mediawiki.state import fold_text
from envs.gyms.kit.company import Company, Firm, Person
from envs.gyms.server.gym import State


def book_of(world: Company) -> Handbook:
    """The handbook as it is at the start."""
    return get_handbook(world.seed)


def choose_client(world: Company, rng: random.Random) -> Firm:
    """A client whose page nobody spoilt."""
    book = book_of(world)
    return rng.choice([firm for firm in book.clients if firm.name not in book.vandalised])


def choose_person(world: Company, rng: random.Random) -> Person:
    """Somebody who has a page."""
    return rng.choice(book_of(world).staff)


def pages_of(state: State) -> dict[str, str]:
    """The folded texts of the wiki's pages, by title."""
    pages: dict[str, str] = state["mediawiki"]["pages"]
    return pages


def replace_in_page(state: State, title: str, old: str, new: str) -> None:
    """Replaces what stands in a page once. Raises ValueError where it does not."""
    text = pages_of(state)[title]
    if text.count(old) != 1:
        raise ValueError(f"{old!r} stands {text.count(old)} times in {title!r}")
    pages_of(state)[title] = fold_text(text.replace(old, new))
