"""What is injected, when and into which process: made from a seed alone.

Guarantees: the same seed, round and table of kinds make the same schedule; an injection comes after
so many scored episodes of its round, not after so many seconds, so that a slow machine gets the
same round. A schedule is a JSON file that can be shortened and replayed.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from envs.io.atomic_write import write_whole

MAX_DELAY_S = 0.6
"""An episode takes about so long: an injection meets it anywhere."""


class Injection(BaseModel):
    """One fault. `pick` in [0, 1) chooses among several processes or messages."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int
    kind: str = Field(description="`injections.KINDS` lists them")
    after: int = Field(ge=0, description="scored episodes of the round before it")
    delay_s: float = Field(0.0, ge=0, description="seconds after that")
    seconds: float = Field(1.0, ge=0, description="how long the fault lasts")
    pick: float = Field(0.0, ge=0, lt=1)


class Schedule(BaseModel):
    """The injections of one round, in order."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    seed: int
    round: int
    profile: str = "browser"
    injections: tuple[Injection, ...]

    @classmethod
    def read(cls, path: Path) -> Schedule:
        """Raises OSError, pydantic.ValidationError."""
        return cls.model_validate_json(path.read_bytes())

    def write(self, path: Path) -> None:
        """Raises OSError."""
        write_whole(path, [self.model_dump_json(indent=1).encode(), b"\n"])

    def keep(self, numbers: frozenset[int]) -> Schedule:
        """The same round with these injections only."""
        kept = tuple(each for each in self.injections if each.number in numbers)
        return self.model_copy(update={"injections": kept})


class Kind(BaseModel):
    """How often a kind of fault comes, and for how many seconds."""

    model_config = ConfigDict(frozen=True)

    weight: float
    seconds: tuple[float, float] = (0.0, 0.0)


def make_schedule(
    seed: int, round_number: int, profile: str, kinds: Mapping[str, Kind], count: int, pace: float
) -> Schedule:
    """`pace`: scored episodes from one injection to the next, on average."""
    rng = random.Random(f"faults/{seed}/{round_number}/{profile}")
    names = sorted(kinds)
    chosen = rng.choices(names, [kinds[name].weight for name in names], k=count)
    places = sorted(rng.uniform(1, max(1.0, count * pace)) for _ in range(count))
    injections = tuple(
        Injection(
            number=number,
            kind=kind,
            after=int(place),
            delay_s=round(rng.uniform(0, MAX_DELAY_S), 3),
            seconds=round(rng.uniform(*kinds[kind].seconds), 3),
            pick=rng.random(),
        )
        for number, (kind, place) in enumerate(zip(chosen, places, strict=True))
    )
    return Schedule(seed=seed, round=round_number, profile=profile, injections=injections)
