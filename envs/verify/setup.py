"""Setup steps of a task: OSWorld's `config`, and steps that make files from what the task says.

Guarantees: steps run in order; one that fails is an `EpisodeFault(RESET)` that names it, never
something to go on without; every wait is bounded. Files made from equal steps are equal byte for
byte.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from envs.outcomes import EpisodeFault, InvalidReason
from envs.verify.machine import Machine

Step = Callable[[Any, Mapping[str, Any]], Awaitable[None]]
STEPS: dict[str, Step] = {}


def step(name: str) -> Callable[[Step], Step]:
    """Registers `async def f(machine, parameters)` as the setup step of this type."""

    def register(function: Step) -> Step:
        STEPS[name] = function
        return function

    return register


async def run(machine: Machine, steps: Sequence[Mapping[str, Any]]) -> None:
    """Raises EpisodeFault(RESET)."""
    for number, wanted in enumerate(steps, 1):
        kind = wanted.get("type")
        if kind not in STEPS:
            raise EpisodeFault(
                InvalidReason.RESET, f"setup step {number}: there is no step type {kind!r}"
            )
        try:
            await STEPS[kind](machine, wanted.get("parameters", {}))
        except EpisodeFault:
            raise
        except Exception as error:
            raise EpisodeFault(
                InvalidReason.RESET,
                f"setup step {number} ({kind}): {type(error).__name__}: {error}",
            ) from error
