"""Disturbances: what goes wrong or gets in the way on real sites, by seed and strength.

`strength` 0 is off, 1 the most. What happens depends on the task's id, the strength and the number
of the request alone, so an episode can be repeated. Nothing here changes an app's own state, and
everything can be overcome by what a person would do: dismiss, wait, try again, sign in again.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from envs.contract.task import Task

if TYPE_CHECKING:
    from envs.gyms.kit.request import RequestContext

Kind = Literal["banner", "offer", "error", "expired", "unsaved", "taken back", "slow"]
UNSAVED = "Your changes were not saved. Please try again"
TAKEN_BACK, TO_THE_FORM = "Your last changes were not saved after all", "Back to the form"
"""Message and link of the page after the one that showed the changes as saved."""
EXPIRED_TITLE, SIGN_IN = "Session expired", "Sign in again"
ERROR_TITLE, AGAIN = "Something went wrong", "Try again"
ACCEPT, NO_THANKS = "Accept all cookies", "No thanks"
SYNONYMS: dict[str, tuple[str, ...]] = {
    "Save": ("Apply", "Store", "Keep changes"),
    "Search": ("Find", "Look up"),
    "Cancel": ("Back", "Discard"),
    "Create": ("Add", "Make"),
    "Send": ("Submit", "Deliver"),
    "Delete": ("Remove", "Erase"),
    "Apply": ("Show", "Refresh"),
    "Add": ("Insert", "Include"),
    "Edit": ("Change", "Modify"),
}
"""Other words for a control's first word."""
PAGE_KINDS: tuple[Kind, ...] = ("banner", "offer", "error", "expired", "slow")
FORM_KINDS: tuple[Kind, ...] = ("unsaved", "expired", "taken back")
SPARE = 2
"""At least so many requests lie between two disturbances that stop somebody."""


@dataclass(frozen=True, slots=True)
class Disturbance:
    """Happens to one request. `delay_s` is for slow ones."""

    kind: Kind
    delay_s: float = 0.0


def sample_disturbance(task: Task, method: str, number: int, *, last: int) -> Disturbance | None:
    """What happens to the session's request `number`, when request `last` was disturbed last."""
    if task.disturb <= 0:
        return None
    rng = random.Random(f"upset:{task.id}:{task.disturb}:{number}")
    if number - last <= SPARE or rng.random() >= 0.5 * task.disturb:
        return None
    if method == "POST":
        return Disturbance(rng.choice(FORM_KINDS))
    kind = rng.choice(PAGE_KINDS)
    return Disturbance(kind, rng.uniform(0.1, 0.6) * task.disturb if kind == "slow" else 0.0)


def get_label(request: RequestContext[Any], text: str) -> str:
    """The words on a control. With disturbances some are synonyms, the same all episode long."""
    task = request.visit.session.task
    first, space, rest = text.partition(" ")
    if task.disturb <= 0 or first not in SYNONYMS:
        return text
    rng = random.Random(f"renamed:{task.id}:{first}")
    if rng.random() >= task.disturb:
        return text
    return f"{rng.choice(SYNONYMS[first])}{space}{rest}"


def get_possible_labels(text: str) -> tuple[str, ...]:
    """All words that a control may have in place of these; these come first."""
    first, space, rest = text.partition(" ")
    return (text, *(f"{synonym}{space}{rest}" for synonym in SYNONYMS.get(first, ())))
