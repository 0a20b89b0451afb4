"""What became of the episodes of a run on a cluster, and of those that an outage met.

Guarantees: an account is made of what the database and the workers' logs say, not of what was meant
to happen. Nothing here starts or asks anything.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from envs.contract.outcomes import Status

DATA_KEYS = frozenset({"invalid", "policy_versions", "eval_policy_versions"})
"""Fields of a report whose keys are data: reasons, versions."""


@dataclass(frozen=True, slots=True)
class EpisodeEnd:
    """An episode's row, as far as an account needs it; its fields are columns."""

    id: str
    root_id: str
    phase: str
    status: Status
    reason: str | None
    lease_owner: str | None
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(slots=True)
class Outage:
    """A machine that was away. `kind`: what was done to it; `held`: episodes that it had then."""

    machine: str
    kind: str
    began: datetime
    held: frozenset[str]
    ended: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutageAccount:
    """Seconds count from the beginning, `back_s` from the return. `noticed_s`: until the last
    episode that the machine had was given up; `again_s`: until the last of these had its result
    elsewhere; `back_s`: until the machine got an episode. None: there was none."""

    machine: str
    kind: str
    away_s: float
    held: int
    reasons: dict[str, int]
    noticed_s: float | None
    again_s: float | None
    back_s: float | None
    after_return: int
    finds: list[str] = field(default_factory=list)


def find_open(rows: Iterable[EpisodeEnd]) -> list[str]:
    """A sentence for each chain that has no result, or more than one."""
    finds = []
    for root, chain in _chains(rows).items():
        scores = [row for row in chain if row.status.has_score]
        if len(scores) > 1:
            finds.append(f"{root} was scored {len(scores)} times")
        elif not scores and chain[-1].status is not Status.CANCELLED:
            finds.append(f"{root} has no result: {[f'{r.status} {r.reason}' for r in chain]}")
    return finds


def account_outage(
    outage: Outage, rows: Sequence[EpisodeEnd], machine_of: Mapping[str, str]
) -> OutageAccount:
    """`machine_of`: the machine of the outage's kind that an episode was on."""
    ended = outage.ended or outage.began
    lost = [row for row in rows if row.id in outage.held and row.status is Status.INVALID]
    chains, again, finds = _chains(rows), [], []
    for row in lost:
        results = [entry for entry in chains[row.root_id] if entry.status.has_score]
        if results and results[0].finished_at is not None:
            again.append((results[0].finished_at - outage.began).total_seconds())
        elif chains[row.root_id][-1].status is not Status.CANCELLED:
            finds.append(f"{row.id} was lost with {outage.machine} and never done again")
    returned = [
        row.started_at
        for row in rows
        if machine_of.get(row.id) == outage.machine
        and row.started_at is not None
        and row.started_at > ended
        and row.status.has_score
    ]
    if not returned:
        finds.append(f"{outage.machine} did no episode after its return")
    noticed = [(row.finished_at - outage.began).total_seconds() for row in lost if row.finished_at]
    return OutageAccount(
        machine=outage.machine,
        kind=outage.kind,
        away_s=round((ended - outage.began).total_seconds(), 1),
        held=len(outage.held),
        reasons=dict(Counter(str(row.reason) for row in lost)),
        noticed_s=_largest(noticed),
        again_s=_largest(again),
        back_s=round((min(returned) - ended).total_seconds(), 1) if returned else None,
        after_return=len(returned),
        finds=finds,
    )


def compare_shapes(first: Any, second: Any, path: str = "") -> list[str]:
    """Where two reports differ in their fields, their types, or in what was not measured."""
    if isinstance(first, dict) and isinstance(second, dict):
        if path.rpartition(".")[2] in DATA_KEYS:
            return []
        finds = [
            f"{path}.{key} is in one of them only" for key in sorted(first.keys() ^ second.keys())
        ]
        for key in first.keys() & second.keys():
            finds += compare_shapes(first[key], second[key], f"{path}.{key}")
        return sorted(finds)
    if isinstance(first, list) and isinstance(second, list):
        if len(first) != len(second):
            return [f"{path} has {len(first)} and {len(second)} entries"]
        pairs = enumerate(zip(first, second, strict=True))
        return [f for n, pair in pairs for f in compare_shapes(*pair, f"{path}[{n}]")]
    kinds = (_kind(first), _kind(second))
    return [] if kinds[0] == kinds[1] else [f"{path} is {kinds[0]} and {kinds[1]}"]


def _kind(value: Any) -> str:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    return "null" if value is None else type(value).__name__


def _chains(rows: Iterable[EpisodeEnd]) -> dict[str, list[EpisodeEnd]]:
    """By the first of each; rows come oldest first."""
    chains: dict[str, list[EpisodeEnd]] = defaultdict(list)
    for row in rows:
        chains[row.root_id].append(row)
    return chains


def _largest(seconds: Sequence[float]) -> float | None:
    return round(max(seconds), 1) if seconds else None
