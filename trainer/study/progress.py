"""What a study says of a run while it runs: a line for each phase that was evaluated.

Guarantees: each phase is told once; a run.json that is not there yet, or is being replaced, is no
error.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from trainer.context import PhaseRecord
from trainer.run_file import NotARun, RunFile


class PhaseReporter:
    """Follows the folder of one run. Phases that it had before are not told: a copy of the trunk
    has the trunk's."""

    def __init__(self, run_dir: Path, name: str, show: Callable[[str], None]) -> None:
        self._run_dir, self._name, self._show = run_dir, name, show
        self._told = len(self._read_evaluations())

    def tell(self) -> None:
        """Shows the phases that were evaluated since the last call."""
        records = self._read_evaluations()
        for record in records[self._told :]:
            self._show(f"{self._name}: {describe_phase(record)}")
        self._told = max(self._told, len(records))

    def _read_evaluations(self) -> list[PhaseRecord]:
        try:
            return [record for record in RunFile.read(self._run_dir).records if record.eval]
        except NotARun:
            return []


def describe_phase(record: PhaseRecord) -> str:
    """Its success on held-out tasks, and its minutes."""
    low, high = record.eval["ci95"]
    return (
        f"{record.name} {record.eval['success_rate']:.1%} [{low:.1%}, {high:.1%}] of "
        f"{record.eval['n']}, {(record.wall_s + record.eval_s) / 60:.1f} minutes"
    )
