"""When a phase ends early, or a pulse within one is due: pure functions of what was measured.

A trigger looks at the readings of learner steps in their order, since the phase began or since it
fired last. It is data: `reinforce.until = {on = "plateau", window = 4}`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field


@dataclass(frozen=True, slots=True)
class Reading:
    """What a trigger can look at after one learner step."""

    success: float
    """share of the step's episodes"""
    flat: float
    """share of its groups whose rewards were all equal"""
    entropy: float | None = None
    """of the policy on the fixed states, nats a token; None: not measured"""


class BaseTrigger(BaseModel, ABC):
    """Fires or not, by the readings alone."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @property
    @abstractmethod
    def earliest(self) -> int:
        """Readings before which it cannot fire."""

    @abstractmethod
    def has_fired(self, readings: Sequence[Reading]) -> bool:
        """Whether it fires after the last of these."""


class AfterSteps(BaseTrigger):
    """After so many learner steps, whatever was measured."""

    on: Literal["schedule"] = "schedule"
    steps: int = Field(ge=1)

    @property
    def earliest(self) -> int:
        """See `BaseTrigger.earliest`."""
        return self.steps

    def has_fired(self, readings: Sequence[Reading]) -> bool:
        """See `BaseTrigger.has_fired`."""
        return len(readings) >= self.steps


class EntropyBelow(BaseTrigger):
    """When the mean entropy of the last `window` steps is below: the policy explores no more."""

    on: Literal["entropy"] = "entropy"
    below: float = Field(gt=0)
    window: int = Field(1, ge=1)

    @property
    def earliest(self) -> int:
        """See `BaseTrigger.earliest`."""
        return self.window

    def has_fired(self, readings: Sequence[Reading]) -> bool:
        """See `BaseTrigger.has_fired`. A step without a measurement is no evidence."""
        values = [reading.entropy for reading in readings[-self.window :]]
        measured = [value for value in values if value is not None]
        return len(measured) == self.window and _mean(measured) < self.below


class Plateau(BaseTrigger):
    """When the mean success of the last `window` steps is not at least `gain` above that of the
    `window` steps before them."""

    on: Literal["plateau"] = "plateau"
    window: int = Field(4, ge=1)
    gain: float = Field(0.02, ge=0, le=1)

    @property
    def earliest(self) -> int:
        """See `BaseTrigger.earliest`."""
        return 2 * self.window

    def has_fired(self, readings: Sequence[Reading]) -> bool:
        """See `BaseTrigger.has_fired`."""
        if len(readings) < self.earliest:
            return False
        values = [reading.success for reading in readings[-self.earliest :]]
        before, last = _mean(values[: self.window]), _mean(values[self.window :])
        # Rates are fractions: a gain that is just reached must not fail by rounding.
        return last - before < self.gain - 1e-9


class FlatGroups(BaseTrigger):
    """When the mean share of groups without signal in the last `window` steps is above."""

    on: Literal["flat_groups"] = "flat_groups"
    above: float = Field(gt=0, lt=1)
    window: int = Field(2, ge=1)

    @property
    def earliest(self) -> int:
        """See `BaseTrigger.earliest`."""
        return self.window

    def has_fired(self, readings: Sequence[Reading]) -> bool:
        """See `BaseTrigger.has_fired`."""
        if len(readings) < self.window:
            return False
        return _mean([reading.flat for reading in readings[-self.window :]]) > self.above


TRIGGERS = ("schedule", "entropy", "plateau", "flat_groups")


def _check_name(value: object) -> object:
    if isinstance(value, dict) and value.get("on") not in TRIGGERS:
        name = f"no trigger is called {value['on']!r}" if "on" in value else "a trigger needs `on`"
        raise ValueError(f"{name}; there are {', '.join(TRIGGERS)}")
    if isinstance(value, str):
        raise ValueError('a trigger is a table, e.g. {on = "plateau", window = 4}')
    return value


Trigger = Annotated[
    Annotated[AfterSteps | EntropyBelow | Plateau | FlatGroups, Field(discriminator="on")],
    BeforeValidator(_check_name),
]


def why_never(trigger: BaseTrigger, steps: int) -> str:
    """One sentence where a trigger cannot fire before `steps` learner steps are done; else
    empty."""
    if trigger.earliest < steps:
        return ""
    return (
        f"this trigger fires after {trigger.earliest} learner steps at the earliest, but the phase "
        f"has {steps} iterations: lower it, or raise iterations"
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def check_trigger(key: str, trigger: Trigger | None, iterations: int) -> None:
    """Raises ValueError where the trigger of this key cannot fire in so many iterations."""
    if trigger is not None and (reason := why_never(trigger, iterations)):
        raise ValueError(f"{key}: {reason}")
