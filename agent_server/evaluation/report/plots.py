"""The plots of an evaluation's report."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup
from matplotlib.axes import Axes

from agent_server.evaluation.figures.summary import Figures, Summary
from agent_server.evaluation.job.results import PARTS
from agent_server.html.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, plot

PART_COLORS = (GREY, ORANGE, BLUE, PURPLE, GREEN, "#c2557f", "#bbb")
"""One for each of `PARTS`."""
ROW_INCHES = 0.24


def summary_plots(summary: Summary) -> list[Markup]:
    """Success by domain and by policy, outcomes, and where the time went, as SVG."""
    evaluated = summary.policies[0]
    by_policy = [
        policy.total.model_copy(update={"domain": policy.policy}) for policy in summary.policies
    ]
    height = max(2.8, 0.8 + ROW_INCHES * len(evaluated.domains))
    return [
        plot(
            "Success by domain (95% interval of trials)",
            lambda axes: draw_success(axes, evaluated.domains),
            height=height,
            grid="x",
        ),
        plot(
            "Success of policy and controls (95% interval of trials)",
            lambda axes: draw_success(axes, by_policy),
            grid="x",
        ),
        plot("Outcomes", lambda axes: draw_outcomes(axes, evaluated.total), grid="x"),
        plot(
            "Where time went, seconds a trial",
            lambda axes: draw_time(axes, evaluated.domains),
            height=height,
            grid="x",
            title_pad=16.0,
        ),
    ]


def draw_success(axes: Axes, rows: Sequence[Figures]) -> None:
    """Horizontal bars with error bars, the first row on top; without rows that have not run."""
    measured = [
        (row.domain, row.success_rate, *row.ci95)
        for row in rows[::-1]
        if row.success_rate is not None and row.ci95 is not None
    ]
    names = [name for name, *_ in measured]
    rates = [rate for _, rate, _, _ in measured]
    errors = [
        [rate - low for _, rate, low, _ in measured],
        [high - rate for _, rate, _, high in measured],
    ]
    axes.barh(names, rates, xerr=errors, color=BLUE, capsize=2)
    axes.set_xlim(0, 1)
    axes.tick_params(axis="y", labelsize=7)


def draw_outcomes(axes: Axes, total: Figures) -> None:
    """One bar an outcome, with its count."""
    axes.barh(list(total.outcomes), list(total.outcomes.values()), color=BLUE)
    for index, count in enumerate(total.outcomes.values()):
        axes.text(count, index, f" {count}", va="center", fontsize=8)


def draw_time(axes: Axes, rows: Sequence[Figures]) -> None:
    """One stacked bar a domain that was measured: mean seconds by part."""
    measured = [row for row in rows if row.time_s is not None][::-1]
    names = [row.domain for row in measured]
    starts = [0.0] * len(measured)
    for part, color in zip(PARTS, PART_COLORS, strict=True):
        seconds = [row.time_s[part] if row.time_s else 0.0 for row in measured]
        axes.barh(names, seconds, left=starts, color=color, label=part)
        starts = [start + length for start, length in zip(starts, seconds, strict=True)]
    axes.tick_params(axis="y", labelsize=7)
    # Above the bars, which may be as long as the plot is wide.
    axes.legend(
        fontsize=7,
        frameon=False,
        ncols=len(PARTS),
        loc="lower left",
        bbox_to_anchor=(0, 1),
        columnspacing=0.8,
        handlelength=1.0,
        borderaxespad=0.2,
    )
