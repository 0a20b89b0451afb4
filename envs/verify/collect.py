"""Collects, in the box, what a task's evaluator wants to look at.

Guarantees: getters look and judge nothing; what is missing, and what cannot be looked at, is said
of each one; files stay where they are until they are fetched, and are told by size and hash; all of
it ends in COLLECT_S.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from envs.outcomes import EpisodeFault, InvalidReason
from envs.verify import getters as _getters  # noqa: F401  registers them
from envs.verify.evidence import Collected, Fault, Missing, Value, packed
from envs.verify.machine import Machine
from envs.verify.registry import GETTERS, Ending

COLLECT_S = 60.0
MAX_REASON = 2000
Postconfig = Callable[[Sequence[Mapping[str, Any]]], Awaitable[None]]


class Collector:
    """What was collected last; its files, by their places in the answer, until `drop`."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._files: list[list[Path]] = []

    def drop(self) -> None:
        self._files = []
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def file(self, value: int, number: int) -> Path:
        """Raises KeyError."""
        try:
            return self._files[value][number]
        except IndexError as error:
            raise KeyError(f"no file {number} of value {value} was collected") from error

    async def collect(
        self,
        machine: Machine,
        prepare: Postconfig,
        postconfig: Sequence[Mapping[str, Any]],
        wanted: Sequence[Mapping[str, Any]],
    ) -> Collected:
        """`prepare` runs the evaluator's setup steps. Raises EpisodeFault."""
        self.drop()
        self._folder = tempfile.TemporaryDirectory(prefix="collected-", ignore_cleanup_errors=True)
        ending = Ending(None, False, scratch=Path(self._folder.name))
        try:
            async with asyncio.timeout(COLLECT_S):
                await prepare(postconfig)
                return Collected(
                    values=tuple([await self._value(machine, ending, given) for given in wanted])
                )
        except TimeoutError as error:
            raise EpisodeFault(
                InvalidReason.EVALUATOR_ERROR, f"nothing was collected in {COLLECT_S:g} s"
            ) from error

    async def _value(self, machine: Machine, ending: Ending, given: Mapping[str, Any]) -> Value:
        value, files = await got(machine, ending, given)
        self._files.append(files)
        return value


async def got(
    machine: Machine | None, ending: Ending, given: Mapping[str, Any], folder: Path | None = None
) -> tuple[Value, list[Path]]:
    """What the getter gives, and its files; see `packed`. Raises EpisodeFault."""
    kind = given.get("type")
    if kind not in GETTERS:
        return Fault(reason=f"there is no getter {kind!r}"), []
    try:
        found = await GETTERS[kind](machine, ending, given)
        value = await asyncio.to_thread(packed, found, folder)
    except EpisodeFault:
        raise
    except FileNotFoundError as error:
        return Missing(what=str(error)[:MAX_REASON]), []
    except Exception as error:
        told = f"getter {kind}: {type(error).__name__}: {error}"
        return Fault(reason=told[:MAX_REASON]), []
    listed = found if isinstance(found, list) else [found]
    return value, [one for one in listed if isinstance(one, Path)]
