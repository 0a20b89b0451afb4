"""Runs the setup steps of a task: OSWorld's `config`, and steps that make files from parameters.

Guarantees: steps run in order; a step that fails raises an `EpisodeFault(RESET)` that names it, and
no later step runs; every wait is bounded. Equal steps make equal files, byte for byte.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envs.contract.outcomes import EpisodeFault, InvalidReason
from envs.osworld.inside.machine import Machine
from envs.osworld.inside.steps import STEPS


async def run_setup(machine: Machine, steps: Sequence[Mapping[str, Any]]) -> None:
    """Runs the steps in order. Raises EpisodeFault: UNRUNNABLE for a step of no
    known type, else RESET."""
    for number, step in enumerate(steps, 1):
        kind = step.get("type")
        if kind not in STEPS:
            raise EpisodeFault(
                InvalidReason.UNRUNNABLE, f"setup step {number}: there is no step type {kind!r}"
            )
        try:
            await STEPS[kind](machine, step.get("parameters", {}))
        except EpisodeFault:
            raise
        except Exception as error:
            raise EpisodeFault(
                InvalidReason.RESET,
                f"setup step {number} ({kind}): {type(error).__name__}: {error}",
            ) from error
