"""What tasks in OSWorld's format need of the desktop they run on: setup steps and evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from envs.desktop.desktop import Desktop
from envs.osworld.inside.support.collect import Collector
from envs.osworld.inside.support.setup import SETUP_S, Setup
from envs.state.evidence import Collected


class OsworldSupport:
    """See `envs.desktop.session.TaskSupport`."""

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop
        self._collector = Collector()
        self._lent: dict[str, BinaryIO] = {}
        """For the next task: those of this one are the desktop's."""

    async def set_up(self, steps: Sequence[Mapping[str, Any]]) -> list[str]:
        """Runs setup steps in order; returns notes. Raises EpisodeFault(RESET)."""
        self._desktop.lent, self._lent = self._lent, {}
        return await Setup(self._desktop).run(steps, SETUP_S)

    async def collect(
        self, postconfig: Sequence[Mapping[str, Any]], getters: Sequence[Mapping[str, Any]]
    ) -> Collected:
        """What getters return, after the evaluator's setup steps. Neither trusts the agent's PATH
        and start-up files. Raises EpisodeFault."""
        setup = Setup(self._desktop, "step of the evaluator")
        with self._desktop.judging():
            return await self._collector.collect(self._desktop, setup, postconfig, getters)

    def file(self, value: int, number: int) -> Path:
        """A collected file, until `drop`. Raises KeyError."""
        return self._collector.file(value, number)

    def lend(self, name: str, file: BinaryIO) -> None:
        """A file of the client's mirror, for the next task."""
        self._lent[name] = file

    def drop(self) -> None:
        """Removes what was collected, and what was lent for the task before."""
        self._collector.drop()
        self._desktop.lent = {}
