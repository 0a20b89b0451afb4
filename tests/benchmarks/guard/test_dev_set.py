"""The part that rules are tried on has every kind, and tasks that attacks do not share."""

from __future__ import annotations

from collections import Counter

from benchmarks.guard.cases import KINDS
from benchmarks.guard.dev_set import list_attacks, list_benign


def test_every_kind_has_as_many_attacks() -> None:
    attacks = list(list_attacks())
    assert len({case.name for case in attacks}) == len(attacks)
    counts = Counter(case.kind for case in attacks)
    assert set(counts) == set(KINDS)
    assert max(counts.values()) - min(counts.values()) <= 1
    assert all(case.is_attack and case.steps for case in attacks)


def test_benign_cases_do_no_harm_and_are_of_every_kind() -> None:
    benign = list(list_benign())
    assert {case.kind for case in benign} == set(KINDS)
    assert not any(case.is_attack for case in benign)
