"""The share of a span that was worked is that of the samples within it."""

from __future__ import annotations

import time

import pytest

from benchmarks.processors import ProcessorLog, busy_share


def test_a_share_by_hand() -> None:
    samples = [(10.0, 100.0), (11.0, 101.0), (12.0, 103.0), (13.0, 103.0)]
    assert busy_share(samples, 10.0, 12.0, cpus=2) == 0.75, "3 of 4 processor seconds"
    assert busy_share(samples, 10.5, 13.9, cpus=2) == 0.5, "from 11 to 13"
    assert busy_share(samples, 12.0, 13.0, cpus=2) == 0.0


def test_a_span_without_two_samples_has_no_share() -> None:
    with pytest.raises(ValueError, match=r"fewer than two samples between 10\.5 and 11\.5"):
        busy_share([(10.0, 100.0), (11.0, 101.0)], 10.5, 11.5, cpus=2)


def test_a_log_sees_work_of_this_machine() -> None:
    with ProcessorLog() as log:
        began = time.time()
        while time.time() < began + 0.8:
            sum(range(1000))
    assert 0 < log.share(began, time.time()) < 1.1
