"""What the rollout controller decides, as pure functions of counts, versions and lengths.

Guarantees: a group that is too old is never trained on, and none is too old while it runs if every
due group is waited for. More groups may become due at once than a step takes; what is left of them
is refused, and others are submitted in their place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def capacity(*, lag: int, version: int, batch: int, accepted: int, running: int, total: int) -> int:
    """Groups that may be submitted now.

    `version`: learner steps that are done; `batch`: groups in one; `accepted`: groups that the
    learner took or that wait for it; `running`: groups under way; `total`: groups of the whole
    phase. At a lag of 0 nothing is in flight while the learner works.

    Source: AReaL (arXiv:2505.24298), equation 3: the batch that a new group belongs to is at most
    `lag` versions ahead of the learner, floor((submitted - 1) / batch) <= version + lag."""
    allowed = min((lag + version + 1) * batch, total)
    return max(allowed - accepted - running, 0)


def dispatch_order(expected_steps: Sequence[float | None]) -> list[int]:
    """Indices of tasks, longest expected first, so that the long ones are not the tail that all
    slots wait for. Unknown lengths come first, since they may be long; equal ones keep their order.

    Source: longest processing time first (Graham, "Bounds on multiprocessing timing anomalies",
    1969)."""

    def rank(index: int) -> float:
        steps = expected_steps[index]
        return float("-inf") if steps is None else -steps

    return sorted(range(len(expected_steps)), key=rank)


def is_hopeless(oldest: int | None, version: int, max_staleness: int) -> bool:
    """Whether a group with tokens of version `oldest` is too old for any learner step from now
    on; one that has not begun (None) is not."""
    return oldest is not None and version - oldest > max_staleness


def is_due(oldest: int | None, version: int, max_staleness: int) -> bool:
    """Whether the coming learner step is the last that may train on the group."""
    is_last = is_hopeless(oldest, version + 1, max_staleness)
    return is_last and not is_hopeless(oldest, version, max_staleness)


def groups_to_cancel(
    running: Mapping[str, int | None], version: int, max_staleness: int
) -> list[str]:
    """Ids of running groups, by their oldest version, that no learner step can train on."""
    return [key for key, oldest in running.items() if is_hopeless(oldest, version, max_staleness)]


def groups_to_take(waiting: Sequence[int | None], count: int) -> list[int]:
    """Indices of `count` complete groups, given their oldest versions in order of submission: those
    of the oldest version first, which are due soonest, then those submitted first. Fewer where
    fewer wait.

    Source: earliest deadline first (Liu and Layland, "Scheduling algorithms for multiprogramming in
    a hard-real-time environment", 1973)."""

    def deadline(index: int) -> float:
        oldest = waiting[index]
        return float("inf") if oldest is None else oldest

    return sorted(range(len(waiting)), key=deadline)[:count]
