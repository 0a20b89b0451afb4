"""Sums and means over completions of a packed row."""

from __future__ import annotations

import pytest
from torch import tensor

from trainer.packing import pack
from trainer.samples import Sample
from trainer.sequences import completion_means, completion_sums


def test_sums_and_means_are_of_a_completions_own_tokens() -> None:
    samples = [
        Sample((1, 2, 3), (4, 5), ce=1.0, prompt_ce=0.5),
        Sample((1, 2, 3), (6,), ce=1.0, prompt_ce=0.5),
    ]
    (batch,) = pack(samples, 100)
    # Two targets of the shared prompt, then the completions.
    assert batch.completion_N.tolist() == [0, 0, 1, 1, 1]
    values = tensor([100.0, 100.0, 1.0, 3.0, 5.0])
    assert completion_sums(values, batch).tolist()[2:] == pytest.approx([4, 4, 5])
    assert completion_means(values, batch).tolist() == pytest.approx([0, 0, 2, 2, 5])
