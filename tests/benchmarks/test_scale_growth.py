"""More machines, and their price."""

from __future__ import annotations

from pathlib import Path

from benchmarks.scale_check import compare
from benchmarks.scale_costs import calibrate
from benchmarks.scale_growth import grow, make_figures, write_plots
from tests.benchmarks.test_scale_costs import RUN


def test_more_machines_do_more_and_cost_more() -> None:
    few, many = grow(calibrate([RUN]), sizes=(32, 64))
    assert many.outcome.steps_per_s > 1.8 * few.outcome.steps_per_s
    figures = make_figures([few, many], core_hour=0.5)
    assert figures["scale.sessions_64.a_day"]["p50"] == many.cores * 24 * 0.5


def test_the_plots_are_pictures_of_their_own(tmp_path: Path) -> None:
    costs = calibrate([RUN])
    write_plots(tmp_path, [compare(costs, RUN)], grow(costs, sizes=(32,)))
    assert len(list(tmp_path.iterdir())) == 3
    assert all(file.read_text().startswith("<svg") for file in tmp_path.iterdir())
