"""Two phases compared on the tasks that both tried: pure functions of what each solved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from agent_server.evaluation.figures.statistics import mcnemar_exact


def paired_phases(evaluations: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Each phase with the one before, and the last with the first.

    `evaluations` are (phase, its `eval` entry), which names the tasks that were `solved` of the
    same `n`, each as often as it was. A phase without them is left out."""
    measured = [(name, result) for name, result in evaluations if "solved" in result]
    pairs = list(pairwise(measured))
    if len(measured) > 2:
        pairs.append((measured[0], measured[-1]))
    return [
        {"first": first[0], "second": second[0], **compare_solved(first[1], second[1])}
        for first, second in pairs
    ]


def compare_solved(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Tasks that only one of two evaluations solved, or solved more often, the difference of their
    success rates, and McNemar's exact two-sided p over these tasks. Raises ValueError where they
    did not try equally many."""
    if first["n"] != second["n"]:
        raise ValueError(f"{first['n']} tasks against {second['n']}: not the same ones")
    solved_first, solved_second = Counter(first["solved"]), Counter(second["solved"])
    only_first, only_second = solved_first - solved_second, solved_second - solved_first
    return {
        "n": first["n"],
        "only_first": len(only_first),
        "only_second": len(only_second),
        "difference": (solved_second.total() - solved_first.total()) / first["n"],
        "p": mcnemar_exact(len(only_first), len(only_second)),
    }
