"""What an audit says of a template: how many seeds each check held for, and what did not hold."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from envs.contract.outcomes import EpisodeFault
from envs.contract.session import CannotSnapshot
from envs.gyms.kit.template import Unsatisfiable
from envs.gyms.server.audit_answers import Guess
from envs.gyms.server.gym import OracleLost

MAX_FAILURE = 400


@dataclass(slots=True)
class Row:
    """A template: how many seeds each check held for, and what did not hold."""

    gym: str
    template: str
    level: int | None
    seeds: int
    held: dict[str, int] = field(default_factory=dict)
    steps: list[int] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    least_wins: float = 1.0
    skipped: dict[str, int] = field(default_factory=dict)
    """At how many seeds a check did not apply; they count as held."""
    best_guess: Guess | None = None

    @property
    def holds(self) -> bool:
        """Whether every check held for every seed, or as often as chance allows."""
        return all(count >= self.least_wins * self.seeds for count in self.held.values()) and (
            not self.failures or self.least_wins < 1
        )

    def skip(self, check: str) -> None:
        """The check does not apply to the current seed."""
        self.skipped[check] = self.skipped.get(check, 0) + 1
        self.held[check] += 1

    def leave_out_what_never_applied(self) -> None:
        """So that the row has only checks that were made."""
        for check, count in self.skipped.items():
            if count == self.seeds:
                self.held.pop(check)


@contextlib.contextmanager
def record_failure(row: Row, task: str, check: str) -> Iterator[None]:
    """What fails is a failure of the check, not of the audit: an oracle's script that reads a page
    which is not there raises whatever reading it raises."""
    try:
        yield
    except (AssertionError, OracleLost, EpisodeFault, CannotSnapshot, Unsatisfiable) as error:
        row.failures.append(f"{check} {task}: {error}"[:MAX_FAILURE])
    except (LookupError, RuntimeError, StopIteration, ValueError) as error:
        row.failures.append(f"{check} {task}: {error!r}"[:MAX_FAILURE])
