"""Runs the setup steps of a task: OSWorld's `config`, and steps that make files from parameters.

Guarantees: steps run in order; a step that fails raises an `EpisodeFault(RESET)` that names it, and
no later step runs, unless it is one that OSWorld lets fail: then a note names it, and the next one
runs; every wait is bounded. Equal steps make equal files, byte for byte.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.osworld.inside.machine import Machine
from envs.osworld.inside.steps import STEPS
from envs.osworld.inside.steps.lenient import MAY_FAIL

SETUP_S = 55.0
"""For all steps of a reset: less than a host's limit for a call, which knows no step."""


class Setup:
    """One run of steps. `step`: the one that runs, or was the last to run, in words."""

    def __init__(self, machine: Machine, kind: str = "setup step") -> None:
        self._machine = machine
        self._kind = kind
        self.step = f"no {kind} yet"

    async def run(
        self, steps: Sequence[Mapping[str, Any]], limit_s: float | None = None
    ) -> list[str]:
        """Runs the steps in order; returns a sentence about each that failed and may. `limit_s`
        None: the caller bounds them. Raises EpisodeFault: UNRUNNABLE for a step of no known type,
        else RESET."""
        try:
            async with asyncio.timeout(limit_s):
                return await self._run(steps)
        except TimeoutError as error:
            detail = f"{self.step}: the steps did not end within {limit_s:g} s"
            raise EpisodeFault(InvalidReason.RESET, detail) from error

    async def _run(self, steps: Sequence[Mapping[str, Any]]) -> list[str]:
        notes = []
        for number, step in enumerate(steps, 1):
            kind = str(step.get("type"))
            self.step = f"{self._kind} {number} ({kind})"
            if kind not in STEPS:
                detail = f"{self._kind} {number}: there is no step type {step.get('type')!r}"
                raise EpisodeFault(InvalidReason.UNRUNNABLE, detail)
            try:
                await STEPS[kind](self._machine, step.get("parameters", {}))
            except EpisodeFault:
                raise
            except Exception as error:
                detail = f"{self.step}: {type(error).__name__}: {error}"
                if not isinstance(error, MAY_FAIL.get(kind, ())):
                    raise EpisodeFault(InvalidReason.RESET, detail) from error
                notes.append(f"{detail[:500]} (passed over, as OSWorld does)")
        return notes
