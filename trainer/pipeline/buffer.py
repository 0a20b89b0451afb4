"""Complete groups that wait for the learner, in the order of their submission.

Guarantees: what is handed out is fresh: episodes whose oldest token is more than `max_staleness`
versions behind the learner are refused and counted, and a group of which nothing is left takes no
place in a batch. The oldest version of a waiting group is that of its oldest episode that can still
be trained on.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field

from agent_server.store.tables import Episode
from trainer.collector import FinishedGroup, Staleness
from trainer.pipeline.rules import groups_to_take, is_hopeless


@dataclass(slots=True)
class EpisodeBuffer:
    """One for each reinforce phase; `staleness` is the run's."""

    max_staleness: int
    staleness: Staleness
    _groups: list[FinishedGroup] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self._groups)

    @property
    def groups(self) -> tuple[FinishedGroup, ...]:
        """Those that wait, in the order of submission."""
        return tuple(self._groups)

    def add(self, groups: list[FinishedGroup]) -> None:
        """Takes in groups that are complete."""
        self._groups = sorted([*self._groups, *groups], key=lambda group: group.number)

    def drop_stale(self, version: int) -> None:
        """Refuses episodes that are too old for the learner at `version`, and groups of which
        nothing is left. One that lost all its episodes otherwise stays: its place in the batch is
        used up, or a run whose infrastructure is gone would never end."""
        kept = []
        for group in self._groups:
            fresh = tuple(row for row in group.episodes if not self._is_stale(row, version))
            refused = len(group.episodes) - len(fresh)
            self.staleness.refused += refused
            if fresh or not refused:
                group = dataclasses.replace(group, episodes=fresh, stale=group.stale + refused)
                kept.append(group)
        self._groups = kept

    def take(self, count: int, version: int) -> list[FinishedGroup]:
        """`count` groups for the learner at `version`, oldest first; fewer where fewer wait."""
        self.drop_stale(version)
        oldest = [_oldest_version(group) for group in self._groups]
        chosen = groups_to_take(oldest, count)
        taken = [self._groups[index] for index in chosen]
        self._groups = [
            group for index, group in enumerate(self._groups) if index not in set(chosen)
        ]
        for row in (row for group in taken for row in group.episodes):
            self.staleness.add(_staleness(row, version), row.steps)
        return taken

    def _is_stale(self, row: Episode, version: int) -> bool:
        return is_hopeless(row.version_min, version, self.max_staleness)


def _oldest_version(group: FinishedGroup) -> int | None:
    versions = [row.version_min for row in group.episodes if row.version_min is not None]
    return min(versions, default=None)


def _staleness(row: Episode, version: int) -> int:
    # An oracle's episode has no version. A version above the learner's is one that was rejected
    # after it had produced tokens.
    return 0 if row.version_min is None else max(version - row.version_min, 0)
