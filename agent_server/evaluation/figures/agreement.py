"""How far a judge agrees with verifiers: pure figures of pairs of opinions.

Guarantees: equal input gives equal output; a judge that did not answer agrees with nobody in
`coverage`, and is in no other figure.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from agent_server.evaluation.figures.statistics import Interval, wilson

Pair = tuple[bool, bool | None]
"""What the verifier says, and the judge; None: the judge failed."""
RESAMPLES = 2000


class Agreement(BaseModel):
    """A rate is None where nothing was there to count."""

    model_config = ConfigDict(frozen=True)

    n: int = Field(description="attempts that both judged")
    failed: int = Field(description="attempts on which the judge gave no opinion")
    both_yes: int
    both_no: int
    only_judge: int = Field(description="the judge says yes, the verifier no: a false reward")
    only_verifier: int = Field(description="the verifier says yes, the judge no: a lost reward")
    coverage: float | None
    agreement: float | None
    agreement_ci95: Interval
    kappa: float | None = Field(description="Cohen's; None where one of them always says the same")
    kappa_ci95: Interval | None
    precision: float | None = Field(description="of the judge's yes, the verifier's share")
    precision_ci95: Interval
    recall: float | None = Field(description="of the verifier's yes, the judge's share")
    recall_ci95: Interval


def measure_agreement(pairs: Sequence[Pair], seed: int = 0) -> Agreement:
    """Confusion, rates with Wilson intervals, and Cohen's kappa (1960) with a bootstrap's."""
    read = [(verifier, judge) for verifier, judge in pairs if judge is not None]
    table = np.array([[0, 0], [0, 0]])
    for verifier, judge in read:
        table[int(verifier), int(judge)] += 1
    (both_no, only_judge), (only_verifier, both_yes) = table.tolist()
    n, agreeing = len(read), both_no + both_yes
    judge_yes, verifier_yes = both_yes + only_judge, both_yes + only_verifier
    return Agreement(
        n=n,
        failed=len(pairs) - n,
        both_yes=both_yes,
        both_no=both_no,
        only_judge=only_judge,
        only_verifier=only_verifier,
        coverage=_rate(n, len(pairs)),
        agreement=_rate(agreeing, n),
        agreement_ci95=wilson(agreeing, n),
        kappa=cohens_kappa(table),
        kappa_ci95=_kappa_interval(table, seed),
        precision=_rate(both_yes, judge_yes),
        precision_ci95=wilson(both_yes, judge_yes),
        recall=_rate(both_yes, verifier_yes),
        recall_ci95=wilson(both_yes, verifier_yes),
    )


def cohens_kappa(table: np.ndarray) -> float | None:
    """(p_o - p_e) / (1 - p_e) of a 2 x 2 table of counts; None where chance alone agrees."""
    total = table.sum()
    if total == 0:
        return None
    observed = np.trace(table) / total
    expected = float(table.sum(0) @ table.sum(1)) / float(total) ** 2
    return None if expected >= 1.0 else float((observed - expected) / (1.0 - expected))


def _kappa_interval(table: np.ndarray, seed: int) -> Interval | None:
    if cohens_kappa(table) is None:
        return None
    total = int(table.sum())
    rng = np.random.Generator(np.random.PCG64(seed))
    # Resampling pairs with replacement is drawing the four counts together.
    draws = rng.multinomial(total, table.ravel() / total, RESAMPLES).reshape(-1, 2, 2)
    kappas = [kappa for draw in draws if (kappa := cohens_kappa(draw)) is not None]
    low, high = np.percentile(kappas, [2.5, 97.5])
    return float(low), float(high)


def _rate(part: int, whole: int) -> float | None:
    return part / whole if whole else None
