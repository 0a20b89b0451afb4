"""What a gym is to the rest of Deskhand: tasks made from seeds, and oracles; a web gym also serves
an app and judges its tasks.

A web gym's app is a web server whose state is owned by the server, one state per session key, out
of reach of the agent's page. The host that runs the browser talks to the app's admin routes with a
token that never reaches the page. Everything that a verdict needs is in two canonical states
(before and after) and the answer, so a verdict can be recomputed offline.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from envs.contract.actions import Action
from envs.contract.gym_api import PageScripts
from envs.contract.observations import Observation
from envs.contract.session import Verdict
from envs.contract.task import Env, Task

if TYPE_CHECKING:
    from starlette.routing import Route

State = dict[str, Any]
"""Canonical JSON state of one session: plain dicts, lists, strings, numbers, booleans, None."""


@dataclass(frozen=True, slots=True)
class OracleMove:
    """One step of a demonstration: a short written reason, and the action."""

    thought: str
    action: Action
    called: str | None = None
    """what to call the action's element where that means it: its first words, or "" for its ref
    alone; None: as names usually are"""


class Oracle(Protocol):
    """Solves one task through the page alone: it sees what a policy sees, plus the task's params.

    Raises `OracleLost` when the page is not one from which it knows the way."""

    def move(self, observation: Observation) -> OracleMove:
        """The next step, given what is seen now."""
        ...


class OracleLost(Exception):
    """The oracle found no element it expected; a bug of the gym or of the observation."""


class Refused(Exception):
    """The app does not accept this; the message is shown to the customer.

    `event`: what the session's log records then, whether a page or a tool showed it."""

    def __init__(self, message: str, event: str | None = None) -> None:
        super().__init__(message)
        self.event = event


class NotFound(Exception):
    """There is no such page; the message says what is missing."""


class ApplicationFailed(Exception):
    """An application of others, which a gym shows, does not do what it should: a fault of the
    infrastructure. The message says what happened."""


class Gym(Protocol):
    """Registered in `envs.gyms.server.registry` under its name."""

    name: str
    env: Env

    @property
    def templates(self) -> tuple[str, ...]:
        """Names of the templates."""
        ...

    def make_task(self, template: str, seed: int) -> Task:
        """Deterministic. The split follows from the seed (`envs.contract.task.split_of`)."""
        ...

    def oracle(self, task: Task) -> Oracle:
        """A fresh oracle for one episode of the task."""
        ...

    def corpus(self, seed: int) -> list[str]:
        """Text that the gym's pages and instructions are made of, for training a tokenizer."""
        ...


STEPS_OF_LEVEL = (4, 7, 11, 16)
"""The longest oracle of levels 1 to 4; what takes longer is level 5."""


def level_of(steps: int) -> int:
    """How hard a task is, 1 to 5, by the length of its oracle."""
    return 1 + sum(steps > most for most in STEPS_OF_LEVEL)


class WebGym(Gym, Protocol):
    """A gym whose app is served by `envs.gyms.server` under /<name>/."""

    def level(self, template: str) -> int | None:
        """See `level_of`; None where no oracle tells."""
        ...

    def initial_state(self, task: Task) -> State:
        """The state in which the task begins; each call makes its own."""
        ...

    def verdict(
        self, task: Task, before: State, after: State, answer: str | None, infeasible: bool
    ) -> Verdict:
        """Pure: made of the task, the states and the ending alone."""
        ...

    def apply_stray_change(self, state: State, rng: random.Random) -> None:
        """Changes something that no task asks for, by the app's own rules: for audits."""
        ...

    def start_path(self, task: Task) -> str:
        """Where the browser opens a fresh session."""
        ...

    def routes(self) -> list[Route]:
        """The app's pages, below /<name>. A request's `GymSession` is `scope["gym_session"]`."""
        ...


@runtime_checkable
class PageOwned(Protocol):
    """What a web gym has besides when its pages own their state. A page that is still open begins
    the next task of its template without being loaded; the verdict is made from its report."""

    @property
    def solved_templates(self) -> tuple[str, ...]:
        """The templates that have an oracle."""
        ...

    @property
    def standard_templates(self) -> tuple[str, ...]:
        """The templates of which published results are made."""
        ...

    def page_scripts(self, task: Task) -> PageScripts:
        """How the host drives the task's page."""
        ...

    def least_wins(self, template: str) -> float:
        """The share of seeds that the oracle has to solve: below 1 where chance decides as well."""
        ...


@runtime_checkable
class ApplicationOwned(Protocol):
    """What a web gym has besides when an application of others keeps the state: the server tells it
    of each session, and reads the state before it needs it."""

    async def open_session(self, key: str, task: Task) -> None:
        """The application at the start of the task. Raises ApplicationFailed."""
        ...

    async def read_state(self, key: str, log: list[str]) -> State:
        """The session's state now, when all its requests have been answered; `log`: what the
        session has recorded. Raises ApplicationFailed."""
        ...

    async def copy_session(self, key: str, to: str) -> None:
        """Makes the session `to` equal to `key`. Raises ApplicationFailed."""
        ...

    def close_session(self, key: str) -> None:
        """The session is gone."""
        ...

    async def stop(self) -> None:
        """Ends the application; it starts again when it is needed."""
        ...
