"""The held-out part can be read, and is as large as the figures need."""

from __future__ import annotations

from collections import Counter

from benchmarks.guard.cases import KINDS, load_cases


def test_the_held_out_part_has_enough_of_every_kind() -> None:
    cases = load_cases("test")
    attacks = Counter(case.kind for case in cases if case.is_attack)
    assert sum(attacks.values()) >= 100
    assert set(attacks) == set(KINDS)
    assert sum(not case.is_attack for case in cases) >= 30
    assert len({(case.name, case.kind) for case in cases}) == len(cases)
