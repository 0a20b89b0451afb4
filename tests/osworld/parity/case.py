"""One call of a metric, to be scored by ours and by the published package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final


class Absent:
    """Stands for an `expected` that the call leaves out."""


ABSENT: Final = Absent()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """`module` is upstream's, below desktop_env.evaluators.metrics. Values are JSON; files are
    Path. `differs` names the defect of upstream's for which our score is another one."""

    name: str
    metric: str
    module: str
    result: Any
    expected: Any = ABSENT
    options: dict[str, Any] = field(default_factory=dict)
    differs: str = ""


def cases_of(module: str, metric: str) -> Callable[..., Case]:
    """Makes cases of one metric: (name, result, expected, differs, **options)."""

    def case(
        name: str, result: Any, expected: Any = ABSENT, differs: str = "", **options: Any
    ) -> Case:
        return Case(
            name=name, metric=metric, module=module,
            result=result, expected=expected, differs=differs, options=options,
        )  # fmt: skip

    return case


def cases_in(module: str) -> Callable[..., Case]:
    """The same of a module's metrics, the metric's name first."""
    return lambda metric, *given, **more: cases_of(module, metric)(*given, **more)
