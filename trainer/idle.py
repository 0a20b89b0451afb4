"""How much of a reinforce phase the learner, the policy and the environments had nothing to do.

Guarantees: only what lies in the phase's own windows counts, so that the time of a process that was
killed after its last checkpoint is in neither side of a share. Times are seconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent_server.store.artifacts import Artifacts
from trainer.context import PhaseRecord
from trainer.report_rows import EpisodeRow, union_s

Span = tuple[float, float]
"""Start and end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Busy:
    """Seconds of a phase, and how many of them each part worked. `policy_s` is None where no
    request was timed. `slot_s` are the seconds of all worker slots together; None: nobody
    counted the slots."""

    phase_s: float = 0.0
    learner_s: float = 0.0
    policy_s: float | None = 0.0
    episodes_s: float = 0.0
    slot_s: float | None = 0.0

    def __add__(self, other: Busy) -> Busy:
        return Busy(
            phase_s=self.phase_s + other.phase_s,
            learner_s=self.learner_s + other.learner_s,
            policy_s=_sum(self.policy_s, other.policy_s),
            episodes_s=self.episodes_s + other.episodes_s,
            slot_s=_sum(self.slot_s, other.slot_s),
        )


def measure_busy(record: PhaseRecord, rows: Sequence[EpisodeRow], requests: Iterable[Span]) -> Busy:
    """Of one phase, from its episodes and the requests to the policy."""
    windows, timed = record.windows, list(requests)
    phase_s = sum(end - start for start, end in windows)
    episodes = [
        (row.started_at.timestamp(), row.finished_at.timestamp())
        for row in rows
        if row.started_at is not None and row.finished_at is not None
    ]
    return Busy(
        phase_s=phase_s,
        learner_s=record.learner_s,
        policy_s=union_s(clip(timed, windows)) if timed else None,
        episodes_s=sum(end - start for start, end in clip(episodes, windows)),
        slot_s=None if record.slots is None else record.slots * phase_s,
    )


def idle_shares(busy: Busy) -> dict[str, float | None]:
    """Shares by part; None where nothing was measured."""
    return {
        "learner": _idle_share(busy.learner_s, busy.phase_s),
        "policy": _idle_share(busy.policy_s, busy.phase_s),
        "environments": _idle_share(busy.episodes_s, busy.slot_s),
    }


def clip(spans: Iterable[Span], windows: Sequence[Span]) -> Iterator[Span]:
    """The parts of the spans that lie in one of the windows."""
    for start, end in spans:
        for first, last in windows:
            if max(start, first) < min(end, last):
                yield max(start, first), min(end, last)


def policy_requests(artifacts: Artifacts, rows: Sequence[EpisodeRow]) -> Iterator[Span]:
    """When the policy was asked and when it had answered, of every step, as the worker saw it."""
    for row in rows:
        if row.finished_at is None or "total_s" not in row.timings:
            continue
        began = row.finished_at.timestamp() - row.timings["total_s"]
        for step in artifacts.read_trajectory(row.id).steps:
            yield from _request(began, step.timings_ms)


def _request(began: float, timings_ms: Mapping[str, float]) -> Iterator[Span]:
    if "asked" in timings_ms:
        begin = began + timings_ms["asked"] / 1000
        yield begin, begin + timings_ms["policy"] / 1000


def _sum(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first + second


def _idle_share(busy_s: float | None, available_s: float | None) -> float | None:
    if busy_s is None or not available_s:
        return None
    return round(min(max(1 - busy_s / available_s, 0.0), 1.0), 4)
