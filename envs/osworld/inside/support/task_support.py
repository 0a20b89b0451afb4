"""What tasks in OSWorld's format need of the desktop they run on: setup steps and evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from envs.desktop.desktop import Desktop
from envs.osworld.inside.support.collect import Collector
from envs.osworld.inside.support.setup import run_setup
from envs.state.evidence import Collected


class OsworldSupport:
    """See `envs.desktop.session.TaskSupport`."""

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop
        self._collector = Collector()

    async def set_up(self, steps: Sequence[Mapping[str, Any]]) -> None:
        """Runs setup steps in order. Raises EpisodeFault(RESET)."""
        await run_setup(self._desktop, steps)

    async def collect(
        self, postconfig: Sequence[Mapping[str, Any]], getters: Sequence[Mapping[str, Any]]
    ) -> Collected:
        """What getters return, after the evaluator's setup steps. Raises EpisodeFault."""
        prepare = partial(run_setup, self._desktop)
        return await self._collector.collect(self._desktop, prepare, postconfig, getters)

    def file(self, value: int, number: int) -> Path:
        """A collected file, until `drop`. Raises KeyError."""
        return self._collector.file(value, number)

    def drop(self) -> None:
        """Removes what was collected."""
        self._collector.drop()
