"""Standard scores against values worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from trainer.algorithms.scores import has_signal, joined_scores, pieces, standard_scores


def test_scores_have_mean_zero_and_deviation_one() -> None:
    # Mean 2, deviation sqrt((1 + 1) / 2) = 1.
    assert standard_scores(np.array([1.0, 3.0])) == pytest.approx([-1.0, 1.0])
    assert standard_scores(np.array([0.0, 4.0]), scale=False) == pytest.approx([-2.0, 2.0])


def test_rounding_is_no_difference() -> None:
    assert not has_signal(np.array([0.1 + 0.2, 0.3]))
    assert not has_signal(np.array([1.0]))
    assert standard_scores(np.array([0.1 + 0.2, 0.3])).tolist() == [0.0, 0.0]


def test_parts_share_one_mean_and_keep_their_lengths() -> None:
    scores = joined_scores([np.array([1.0]), np.array([]), np.array([3.0, 2.0])], scale=False)
    assert [part.tolist() for part in scores] == [[-1.0], [], [1.0, 0.0]]
    assert joined_scores([]) == []
    assert pieces(np.array([]), []) == []
