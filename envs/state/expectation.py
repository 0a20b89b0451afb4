"""What a task had to change, compared with what was changed.

The expectation is a state: `expected`, computed by applying the app's own rules to the state
before. Its difference to the state before is what is required; every other change is forbidden,
except incidental paths (looking around) and passing ones (steps on the way, undone at the end).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from envs.state.canonical import Change, canonical, diff


@dataclass(frozen=True, slots=True)
class Findings:
    """Each list holds changes by path. `holds`: the state after is the expected one."""

    missing: tuple[Change, ...]
    wrong: tuple[Change, ...]
    """Made at a required path, with another value."""
    passing: tuple[Change, ...]
    forbidden: tuple[Change, ...]

    @property
    def holds(self) -> bool:
        """Whether the state after is the expected one."""
        return not (self.missing or self.wrong or self.passing or self.forbidden)

    def summary(self, limit: int = 10) -> dict[str, list[str]]:
        """Short text for a verdict's details."""
        return {
            kind: [f"{change.kind} {change.path}" for change in changes[:limit]]
            for kind in ("missing", "wrong", "passing", "forbidden")
            if (changes := getattr(self, kind))
        }


def check(
    before: Any,
    expected: Any,
    after: Any,
    incidental: Iterable[str] = (),
    passing: Iterable[str] = (),
) -> Findings:
    """`incidental` and `passing` hold glob patterns of paths."""
    ignored, on_the_way = tuple(incidental), tuple(passing)
    required = {change.path: change for change in diff(before, expected, ignored)}
    made = {change.path: change for change in diff(before, after, ignored)}
    unasked = [change for path, change in made.items() if path not in required]
    undone = [change for change in unasked if _matches(change.path, on_the_way)]
    return Findings(
        missing=tuple(change for path, change in required.items() if path not in made),
        wrong=tuple(
            made[path]
            for path, change in required.items()
            if path in made and _after(made[path]) != _after(change)
        ),
        passing=tuple(undone),
        forbidden=tuple(change for change in unasked if change not in undone),
    )


def _after(change: Change) -> tuple[str, bytes]:
    """To compare what changes lead to; to Python, False and 0 are the same."""
    return change.kind, canonical(change.after)


def _matches(path: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(path, pattern) for pattern in patterns)
