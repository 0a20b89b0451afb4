"""The table of algorithms: the only place that knows their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from envs.contract.validation import describe_first
from trainer.algorithms.dapo import Dapo
from trainer.algorithms.dart import Dart
from trainer.algorithms.digirl import DigiRl
from trainer.algorithms.dpo import Dpo
from trainer.algorithms.gigpo import GiGpo
from trainer.algorithms.grpo import Grpo
from trainer.algorithms.gspo import Gspo
from trainer.algorithms.hgpo import Hgpo
from trainer.algorithms.length_decay import LengthDecay
from trainer.algorithms.max_rl import MaxRl
from trainer.algorithms.protocol import Algorithm
from trainer.algorithms.reinforce import Reinforce
from trainer.algorithms.rloo import Rloo
from trainer.algorithms.same_state import SameState
from trainer.algorithms.semi_online import SemiOnline
from trainer.algorithms.spear import Spear
from trainer.algorithms.step_grpo import StepGrpo
from trainer.algorithms.task_norm import TaskNorm

ALGORITHMS: Mapping[str, type[Algorithm]] = {
    "same_state": SameState,
    "step_grpo": StepGrpo,
    "grpo": Grpo,
    "rloo": Rloo,
    "max_rl": MaxRl,
    "gspo": Gspo,
    "dapo": Dapo,
    "gigpo": GiGpo,
    "hgpo": Hgpo,
    "task_norm": TaskNorm,
    "length_decay": LengthDecay,
    "dart": Dart,
    "spear": Spear,
    "dpo": Dpo,
    "reinforce": Reinforce,
    "digirl": DigiRl,
    "semi_online": SemiOnline,
}


def check_name(name: str) -> None:
    """Raises ValueError for a name that is not in the table."""
    if name not in ALGORITHMS:
        raise ValueError(f"no algorithm is called {name!r}; there are {', '.join(ALGORITHMS)}")


def make_algorithm(name: str, options: Mapping[str, Any]) -> Algorithm:
    """The algorithm of this name with these settings. Raises ValueError in one sentence, for an
    unknown name, an unknown setting and a value that cannot be used."""
    check_name(name)
    kind = ALGORITHMS[name]
    known = ", ".join(kind.model_fields) or "none"
    unknown = sorted(set(options) - set(kind.model_fields))
    if unknown:
        raise ValueError(f"{name} has no option {unknown[0]!r} (its options: {known})")
    try:
        return kind.model_validate(dict(options))
    except ValidationError as error:
        raise ValueError(f"options of {name}: {describe_first(error)}") from error
