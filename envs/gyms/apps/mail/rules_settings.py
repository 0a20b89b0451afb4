"""What mail allows with its settings."""

from __future__ import annotations

from envs.gyms.server.gym import Refused, State


def set_signature(state: State, text: str) -> None:
    """An empty text removes the signature."""
    state["settings"]["signature"] = text


def set_vacation(state: State, on: bool, first: str, last: str, text: str, today: str) -> None:
    """`first` and `last` are ISO dates, and checked only if the responder is turned on."""
    if on:
        if first < today:
            raise Refused("First day must not be in the past")
        if last < first:
            raise Refused("Last day must not be before the first day")
    state["settings"]["vacation"] = {"on": on, "first": first, "last": last, "text": text}
