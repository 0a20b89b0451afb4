"""The plots of a training run, for its report and for the console."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from markupsafe import Markup
from matplotlib.axes import Axes

from agent_server.html.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, SERIES, plot
from agent_server.run_metrics import Event, reinforce_series

RED = "#b00020"
TRAINED = "templates trained on"
IDLE_PARTS = ("learner", "policy", "environments")
Report = dict[str, Any]
"""report.json: `phases`, and `episodes` by outcome."""


@dataclass(frozen=True, slots=True)
class RunPlot:
    """One plot. `draw` fills the axes from a report and the events of metrics.jsonl."""

    name: str
    title: str
    draw: Callable[[Axes, Report, Sequence[Event]], None]
    has_data: Callable[[Report, Sequence[Event]], bool]

    def render(self, report: Report, events: Sequence[Event], is_dark: bool = False) -> Markup:
        """An SVG element."""
        return plot(self.title, lambda axes: self.draw(axes, report, events), is_dark=is_dark)


def _curve(name: str, title: str, key: str) -> RunPlot:
    return RunPlot(
        name,
        title,
        lambda axes, _, events: _plot_curve(axes, events, key),
        lambda _, events: bool(reinforce_series(events, key)),
    )


def _plot_evaluations(axes: Axes, phases: Sequence[dict[str, Any]]) -> None:
    """A group of bars for each phase: the trained templates, then each unseen set."""
    evaluated = [phase for phase in phases if phase["eval"]]
    titles = [TRAINED, *(evaluated[-1]["eval"].get("unseen", {}) if evaluated else ())]
    width = 0.7 / len(titles)
    for index, (title, color) in enumerate(zip(titles, cycle(SERIES), strict=False)):
        # Unseen sets are evaluated after the last phase only.
        measured = [
            (place, phase["eval"] if title == TRAINED else phase["eval"]["unseen"][title])
            for place, phase in enumerate(evaluated)
            if title == TRAINED or title in phase["eval"].get("unseen", {})
        ]
        results = [result for _, result in measured]
        rates = [result["success_rate"] for result in results]
        low = [result["success_rate"] - result["ci95"][0] for result in results]
        high = [result["ci95"][1] - result["success_rate"] for result in results]
        offset = (index - (len(titles) - 1) / 2) * width
        places = [place + offset for place, _ in measured]
        axes.bar(
            places, rates, width, yerr=[low, high], color=color, ecolor=GREY, capsize=3, label=title
        )
    axes.set_xticks(range(len(evaluated)), [phase["name"] for phase in evaluated])
    axes.set_ylim(0, 1)
    if len(titles) > 1:
        axes.legend(fontsize=8, frameon=False)


def _plot_curve(axes: Axes, events: Sequence[Event], key: str) -> None:
    """One line for each reinforce phase, behind one another."""
    series = reinforce_series(events, key)
    begin = 0
    for (name, values), color in zip(series.items(), (BLUE, ORANGE, GREY), strict=False):
        end = begin + len(values)
        axes.plot(range(begin, end), values, marker="o", ms=3, color=color, label=name)
        begin = end
    axes.set_xlabel("learner step", fontsize=8)
    if begin:
        axes.legend(fontsize=8, frameon=False)


def _plot_entropy(axes: Axes, events: Sequence[Event]) -> None:
    values = [(event.get("entropy_mean", event.get("entropy")), event["event"]) for event in events]
    points = [(value, name) for value, name in values if value is not None]
    names = list(dict.fromkeys(name for _, name in points))
    colors = dict(zip(names, (GREY, BLUE, GREEN, ORANGE, PURPLE), strict=False))
    for name in names:
        xs = [index for index, (_, phase) in enumerate(points) if phase == name]
        axes.plot(xs, [points[x][0] for x in xs], color=colors.get(name, GREY), label=name)
    axes.set_yscale("log")
    if names:
        axes.legend(fontsize=8, frameon=False)


def _plot_swaps(axes: Axes, events: Sequence[Event]) -> None:
    swaps = [event for event in events if event["event"] == "swap"]
    axes.bar(
        [event["step"] for event in swaps],
        [event["pause_ms"] for event in swaps],
        color=[BLUE if event["accepted"] else RED for event in swaps],
    )


def _plot_unused(axes: Axes, events: Sequence[Event]) -> None:
    keys = {"flat": "zero-variance groups", "stale": "stale episodes"}
    for (key, label), color in zip(keys.items(), (BLUE, ORANGE), strict=True):
        values = [value for series in reinforce_series(events, key).values() for value in series]
        axes.plot(values, color=color, label=label, marker="o", ms=3)
    axes.legend(fontsize=8, frameon=False)


def _plot_outcomes(axes: Axes, episodes: dict[str, Any]) -> None:
    parts = {key: episodes[key] for key in ("scored", "truncated", "cancelled")}
    parts |= {f"invalid: {reason}": count for reason, count in episodes["invalid"].items()}
    axes.barh(list(parts), list(parts.values()), color=BLUE)
    for index, count in enumerate(parts.values()):
        axes.text(count, index, f" {count}", va="center", fontsize=8)


def _plot_idle(axes: Axes, phases: Sequence[dict[str, Any]]) -> None:
    """A group of bars for each reinforce phase: learner, policy, environments."""
    measured = [phase for phase in phases if phase.get("idle")]
    width = 0.7 / len(IDLE_PARTS)
    for index, (part, color) in enumerate(zip(IDLE_PARTS, SERIES, strict=False)):
        offset = (index - (len(IDLE_PARTS) - 1) / 2) * width
        # A share that was not measured has no bar, and no place in the legend.
        shares = {
            place + offset: phase["idle"][part]
            for place, phase in enumerate(measured)
            if phase["idle"][part] is not None
        }
        if shares:
            axes.bar(list(shares), list(shares.values()), width, color=color, label=part)
    axes.set_xticks(range(len(measured)), [phase["name"] for phase in measured])
    axes.set_ylim(0, 1)
    if measured:
        axes.legend(fontsize=8, frameon=False)


PLOTS = (
    RunPlot(
        "success",
        "Held-out success after each phase (95% interval)",
        lambda axes, report, _: _plot_evaluations(axes, report["phases"]),
        lambda report, _: any(phase["eval"] for phase in report["phases"]),
    ),
    _curve("training", "Training success", "success"),
    RunPlot(
        "entropy",
        "Entropy of the policy, nats a token",
        lambda axes, _, events: _plot_entropy(axes, events),
        lambda _, events: any("entropy" in event or "entropy_mean" in event for event in events),
    ),
    _curve("entropy_fixed", "Entropy on the fixed states, nats a token", "entropy_fixed"),
    _curve("steps", "Episode length, steps", "steps_mean"),
    _curve("mismatch", "Train/serve logprob difference, nats a token", "mismatch/abs_logprob_mean"),
    RunPlot(
        "swaps",
        "Pause of each swap, ms",
        lambda axes, _, events: _plot_swaps(axes, events),
        lambda _, events: any(event["event"] == "swap" for event in events),
    ),
    _curve("throughput", "Learner throughput, tokens/s", "tokens_per_s"),
    RunPlot(
        "unused",
        "Groups without signal, stale episodes",
        lambda axes, _, events: _plot_unused(axes, events),
        lambda _, events: bool(reinforce_series(events, "stale")),
    ),
    RunPlot(
        "idle",
        "Idle share of each reinforce phase",
        lambda axes, report, _: _plot_idle(axes, report["phases"]),
        lambda report, _: any(phase.get("idle") for phase in report["phases"]),
    ),
    RunPlot(
        "outcomes",
        "Outcomes of all episodes",
        lambda axes, report, _: _plot_outcomes(axes, report["episodes"]),
        lambda report, _: bool(report["episodes"]),
    ),
)
"""In the order of a page."""


def make_plots(report: Report, events: Sequence[Event]) -> list[Markup]:
    """SVG elements, in the order of the page."""
    return [entry.render(report, events) for entry in PLOTS]
