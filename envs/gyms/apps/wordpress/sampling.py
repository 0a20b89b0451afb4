"""How the templates choose what is on the site."""

from __future__ import annotations

import random
from typing import Any

from envs.gyms.apps.wordpress.application import get_site
from envs.gyms.apps.wordpress.content import Comment, Site, Status
from envs.gyms.kit.company import Company, Person
from envs.gyms.server.gym import State


def site_of(world: Company) -> Site:
    """The site as it is at the start."""
    return get_site(world.seed)


def choose_post(world: Company, rng: random.Random, status: Status = "publish") -> str:
    """The title of a post that nobody has commented on."""
    site = site_of(world)
    discussed = {comment.post for comment in site.comments}
    return rng.choice([title for title in site.titles(status) if title not in discussed])


def choose_comment(world: Company, rng: random.Random, *statuses: str) -> Comment:
    """A comment of one of these statuses; its author wrote no other one."""
    return rng.choice([entry for entry in site_of(world).comments if entry.status in statuses])


def choose_person(world: Company, rng: random.Random) -> Person:
    """Somebody who works on the site, but not the user."""
    return rng.choice(site_of(world).staff)


def choose_stranger(world: Company, rng: random.Random) -> Person:
    """Somebody of the company who does not work on the site."""
    known = {world.user.name, *site_of(world).roles}
    return rng.choice([person for person in world.people if person.name not in known])


def part_of(state: State, name: str) -> dict[str, Any]:
    """One of the maps of the site's state: posts, categories, comments, users, settings."""
    part: dict[str, Any] = state["wordpress"][name]
    return part
