"""Params are chosen so that no answer is more frequent than it need be."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from envs.gyms.kit.choices import choose_evenly, require_one_best
from envs.gyms.kit.template import Resample


def test_a_rare_answer_is_as_likely_as_a_frequent_one() -> None:
    candidates = [(1, number) for number in range(98)] + [(2, 0), (3, 0)]
    rng = random.Random(0)
    counts = Counter(choose_evenly(rng, candidates, lambda pair: pair[0])[0] for _ in range(3000))
    assert set(counts) == {1, 2, 3}
    assert max(counts.values()) < 1100


def test_nothing_to_choose_from_is_a_new_sample() -> None:
    with pytest.raises(Resample):
        choose_evenly(random.Random(0), [], str)


def test_a_tie_of_the_best_is_a_new_sample() -> None:
    require_one_best([1, 1, 2])
    with pytest.raises(Resample):
        require_one_best([2, 1, 2])
