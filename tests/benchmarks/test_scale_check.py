"""The model beside a run whose times are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.scale_check import compare, make_figures, make_plan
from benchmarks.scale_costs import calibrate
from tests.benchmarks.test_scale_costs import RUN


def test_the_model_repeats_the_run_that_it_was_made_from() -> None:
    compared = compare(calibrate([RUN]), RUN)
    assert compared.error == pytest.approx(0.0, abs=0.01)
    assert make_plan(RUN).episodes == 1


def test_the_largest_error_counts_whatever_its_sign() -> None:
    compared = compare(calibrate([RUN]), RUN)
    slower, faster = replace(compared, steps_per_s=0.4), replace(compared, steps_per_s=0.6)
    # The real run did 4 steps in 7 s.
    figures = make_figures([slower, faster])
    assert figures["scale.model_error"]["p50"] == pytest.approx(30.0)
