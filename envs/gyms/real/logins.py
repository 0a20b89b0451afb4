"""The names that the company's people sign in with in applications of others."""

from __future__ import annotations

from envs.gyms.kit.company import Person


def login_of(person: Person) -> str:
    """The name that a person signs in with; neither name nor address tells it."""
    return f"{person.name.split()[-1].lower()}{person.id.removeprefix('u')}"
