"""The plots draw one bar a row, also where every trial or none succeeded."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import pytest

from agent_server.evaluation.figures.summary import Summary, summarize
from agent_server.evaluation.job.plan import EvalSpec
from agent_server.evaluation.job.results import read_trials
from agent_server.evaluation.report.plots import draw_outcomes, draw_success, draw_time
from agent_server.html.plots import WIDTH_INCHES
from tests.agent_server.evaluation.recorded_evaluation import End, record, task

TASKS = [("mail", task("m1")), ("files", task("f1"))]


def summary_of(folder: Path, score: float) -> Summary:
    ends = {("oracle", name, 0): End(score=score) for name in ("m1", "f1")}
    evaluation = record(folder / "run", EvalSpec(policy="oracle"), TASKS, ends)
    return summarize(evaluation, read_trials(folder / "run", evaluation))


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_rates_of_none_and_of_all_have_error_bars(tmp_path: Path, score: float) -> None:
    figure, axes = plt.subplots()
    draw_success(axes, summary_of(tmp_path, score).policies[0].domains)
    assert [bar.get_width() for bar in axes.patches] == [score, score]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["mail", "files"]
    plt.close(figure)


def test_outcomes_and_times_have_a_bar_each(tmp_path: Path) -> None:
    policy = summary_of(tmp_path, 1.0).policies[0]
    figure, (outcomes, times) = plt.subplots(2)
    draw_outcomes(outcomes, policy.total)
    assert [bar.get_width() for bar in outcomes.patches] == [2]
    draw_time(times, policy.domains)
    assert len(times.patches) == 7 * 2
    plt.close(figure)


def test_the_legend_of_times_is_above_the_bars(tmp_path: Path) -> None:
    figure, axes = plt.subplots(figsize=(WIDTH_INCHES, 2.8))
    draw_time(axes, summary_of(tmp_path, 1.0).policies[0].domains)
    figure.canvas.draw()
    legend = axes.get_legend()
    assert legend is not None
    assert legend.get_window_extent().y0 >= axes.get_window_extent().y1
    plt.close(figure)
