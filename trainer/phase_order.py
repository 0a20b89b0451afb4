"""Which phases there are, which order of them is possible, and what goes on from one to the next.

A phase that reinforces directly after another one goes on with its optimizer and its reference. A
`reset` between the two makes either new. After any other phase both are new.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from agent_server.run_metrics import REINFORCING

PhaseKind = Literal["imitate", "reinforce", "pulse", "reset", "expert_iteration", "interleave"]
Carried = Literal["optimizer", "reference"]
"""What a phase can take over. The reference is what `ref_kl` pulls to."""
CARRIED: frozenset[Carried] = frozenset(get_args(Carried))
KEEPING = frozenset({"reinforce", "interleave", "expert_iteration"})
"""Phases whose successes are kept."""


def phase_names(schedule: Sequence[str]) -> list[str]:
    """Unique names: the second reinforce of a schedule is "reinforce-2"."""
    names = []
    for index, kind in enumerate(schedule):
        number = schedule[: index + 1].count(kind)
        names.append(f"{kind}-{number}" if schedule.count(kind) > 1 else kind)
    return names


def why_impossible(schedule: Sequence[str]) -> str:
    """One sentence on the first phase that cannot be where it is; empty where all can."""
    names = phase_names(schedule)
    for index, kind in enumerate(schedule):
        before, after = schedule[:index], schedule[index + 1 :]
        if kind == "pulse" and not KEEPING.intersection(before):
            return (
                f"{names[index]} imitates kept successes, and no phase before it keeps any: put "
                f"{_any_of(KEEPING)} before it"
            )
        if kind == "reset" and not (
            before and before[-1] in REINFORCING and after and after[0] in REINFORCING
        ):
            return (
                f"{names[index]} has no effect there: it belongs directly between two phases of "
                f"{_any_of(REINFORCING)}, as after all others optimizer and reference are new "
                "anyway"
            )
    return ""


def unused_sections(schedule: Sequence[str]) -> frozenset[str]:
    """Sections of the configuration that matter to none of these phases."""
    used = set(schedule)
    if "interleave" in used:
        used |= {"reinforce", "pulse"}
    if "reinforce" in used:
        used.add("feedback")
    return frozenset({*get_args(PhaseKind), "feedback"}) - used


def carried_over(schedule: Sequence[str], index: int, reset: Sequence[Carried]) -> set[Carried]:
    """What the phase at `index` takes over from the one before; `reset` is what a reset between
    them makes new."""
    before = schedule[:index]
    new: set[Carried] = set()
    if before and before[-1] == "reset":
        before, new = before[:-1], set(reset)
    goes_on = schedule[index] in REINFORCING and bool(before) and before[-1] in REINFORCING
    return set(CARRIED - new) if goes_on else set()


def _any_of(kinds: frozenset[str]) -> str:
    return " or ".join(sorted(kinds, reverse=True))
