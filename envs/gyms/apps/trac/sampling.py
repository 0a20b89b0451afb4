"""How the templates choose what is in the tracker."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from envs.gyms.apps.trac.application import get_tracker
from envs.gyms.apps.trac.content import Issue, Tracker
from envs.gyms.kit.company import Company, Person
from envs.gyms.real.logins import login_of
from envs.gyms.server.gym import State


def tracker_of(world: Company) -> Tracker:
    """The tracker as it is at the start."""
    return get_tracker(world.seed)


def choose_ticket(world: Company, rng: random.Random, *statuses: str) -> Issue:
    """A ticket of one of these statuses; without any, one that is open."""
    return rng.choice(tracker_of(world).tickets_of(*(statuses or ("new", "assigned", "accepted"))))


def choose_other(rng: random.Random, options: Sequence[str], old: str) -> str:
    """One that is not the old one."""
    return rng.choice([option for option in options if option != old])


def choose_login(world: Company, rng: random.Random, old: str = "") -> str:
    """Somebody of the tracker's people, but neither the user nor this one."""
    return choose_other(rng, [login_of(person) for person in tracker_of(world).staff], old)


def choose_person(world: Company, rng: random.Random) -> Person:
    """Somebody of the tracker's people, but not the user."""
    return rng.choice(tracker_of(world).staff)


def part_of(state: State, name: str) -> dict[str, Any]:
    """One of the maps of the tracker's state: tickets, milestones, components, pages, ..."""
    part: dict[str, Any] = state["trac"][name]
    return part
