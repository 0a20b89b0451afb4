"""Whether a served adapter does what the trained one does.

An adapter that an engine silently leaves out gives the base's logprobs. While it is young these are
closer to the learner's than any tolerance, so the difference that the adapter makes is compared
instead: with the learner's differences e and the server's s, the share s·e / e·e is 1 for a live
adapter and 0 for a dead one, whatever its size. Its standard error is that of least squares.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

LEAST_SHARE = 0.5
LARGEST_ERROR = 0.1
"""Above, the probes cannot tell: the adapter makes less difference than two engines do."""


@dataclass(frozen=True, slots=True)
class Effect:
    """`share` of the adapter's effect that the server shows, and its standard error."""

    share: float
    error: float

    @property
    def is_dead(self) -> bool:
        """Whether the server certainly shows less than half of it."""
        return self.error <= LARGEST_ERROR and self.share < LEAST_SHARE


def measure_effect(trained: Sequence[float], served: Sequence[float]) -> Effect:
    """How far the logprobs of learner and server, with the adapter, are from those without it."""
    energy = sum(value * value for value in trained)
    if energy == 0.0:
        return Effect(0.0, math.inf)
    share = sum(a * b for a, b in zip(trained, served, strict=True)) / energy
    rest = sum((b - share * a) ** 2 for a, b in zip(trained, served, strict=True))
    return Effect(share, math.sqrt(rest / max(len(trained) - 1, 1) / energy))
