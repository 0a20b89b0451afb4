"""Snapshots of a host's sessions. Any of its sessions can be put into any of these states.

Guarantees: at most `cap` are kept, the newest; their gym sessions are deleted with them. A gym
server drops what nobody used for its idle time, and says so when it is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from envs.contract.session import CannotSnapshot
from envs.contract.task import Task

if TYPE_CHECKING:
    from envs.browser.page_state import PageState


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """`key`: of the copy that the gym server keeps of its session."""

    id: str
    task: Task
    key: str
    state_hash: str
    page: PageState
    pointer: tuple[float, float]
    clipboard: str


class Snapshots:
    """Snapshots by id."""

    def __init__(self, cap: int = 256) -> None:
        self._cap = cap
        self._snapshots: dict[str, Snapshot] = {}

    def add(self, snapshot: Snapshot) -> list[Snapshot]:
        """Keeps it; gives those that had to go."""
        self._snapshots[snapshot.id] = snapshot
        surplus = list(self._snapshots)[: max(0, len(self._snapshots) - self._cap)]
        return [self._snapshots.pop(key) for key in surplus]

    def get(self, snapshot_id: str) -> Snapshot:
        """Raises CannotSnapshot if there is none."""
        snapshot = self._snapshots.get(snapshot_id)
        if snapshot is None:
            raise CannotSnapshot(f"this host has no snapshot {snapshot_id[:60]!r}")
        return snapshot
