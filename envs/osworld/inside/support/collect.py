"""Collects, in the box, the values that a task's evaluator asks for.

Guarantees: getters read and judge nothing; a value that is missing or unreadable is marked as such
and does not stop the others; files stay in the box until they are fetched, and are described by
size and hash; a collection ends within COLLECT_S.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.osworld.format.ending import Ending
from envs.osworld.format.getters import Parameters, call_getter
from envs.osworld.inside.getters import GETTERS
from envs.osworld.inside.machine import Machine
from envs.osworld.inside.support.setup import Setup
from envs.state.evidence import Collected, Value

COLLECT_S = 60.0


class Collector:
    """The last collection. Its files are kept, by their positions in the answer, until `drop`."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._files: list[list[Path]] = []

    def drop(self) -> None:
        """Deletes the files that getters made."""
        self._files = []
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def file(self, value: int, number: int) -> Path:
        """File `number` of the value at index `value`. Raises KeyError."""
        try:
            return self._files[value][number]
        except IndexError as error:
            raise KeyError(f"no file {number} of value {value} was collected") from error

    async def collect(
        self,
        machine: Machine,
        setup: Setup,
        postconfig: Sequence[Parameters],
        getters: Sequence[Parameters],
    ) -> Collected:
        """Runs the evaluator's setup steps, then each getter. Raises EpisodeFault that names the
        step or getter at which it failed."""
        self.drop()
        self._folder = tempfile.TemporaryDirectory(prefix="collected-", ignore_cleanup_errors=True)
        ending = Ending(None, False, scratch=Path(self._folder.name))
        getter: Parameters | None = None
        try:
            async with asyncio.timeout(COLLECT_S):
                notes = await setup.run(postconfig)
                values = []
                for getter in getters:
                    values.append(await self._value(machine, ending, getter))
                return Collected(values=tuple(values), notes=tuple(notes))
        except TimeoutError as error:
            place = setup.step if getter is None else f"getter {getter.get('type')!r}"
            detail = f"the collection did not end in {COLLECT_S:g} s: it was at {place}"
            raise EpisodeFault(InvalidReason.EVALUATOR_ERROR, detail) from error

    async def _value(self, machine: Machine, ending: Ending, parameters: Parameters) -> Value:
        value, files = await call_getter(GETTERS, machine, ending, parameters)
        self._files.append(files)
        return value
