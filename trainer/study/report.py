"""study.json, study.html and results.jsonl of a study: a row a run, a row an arm, plots.

Guarantees: figures are of finished runs only, and it is said which are missing; arms are compared
on seeds that both have; what was not measured is null.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from agent_server.html.page import page_templates
from agent_server.html.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, plot
from agent_server.provenance import commit, device
from envs.io.atomic_write import write_whole
from trainer.study.config import StudyConfig
from trainer.study.figures import Estimate, Outcomes, difference, success
from trainer.study.rows import write_rows
from trainer.study.runs import StudyRuns

PAGES = page_templates(Path(__file__).parent)
COLORS = (GREY, BLUE, ORANGE, GREEN, PURPLE)
HEAD = (
    "arm",
    "seeds",
    "success [95%]",
    "more than the reference [95%]",
    "entropy at the end",
    "groups without signal",
    "unseen",
    "env steps",
    "learner tokens",
    "minutes",
)
DEFINITIONS = {
    "success": "held-out episodes after the last phase with score >= 1 / episodes, mean over seeds",
    "95%": "bootstrap over seeds and over the tasks within them; with one seed over tasks alone. A "
    "task that a run drew several times counts as often, as if the draws were different tasks",
    "difference": "the arm's minus the reference's on the same tasks, on the seeds that both have",
    "entropy": "of the policy on its run's fixed states after the last phase, nats a token, mean "
    "over seeds",
    "flat_share": "groups whose rewards were all equal / groups, of the last phase, mean over "
    "seeds",
    "env_steps": "steps of training episodes of a run, mean over seeds; phases that an arm shares "
    "with others are counted in each",
    "learner_tokens": "prompt and completion tokens given to the learner in a run, mean over seeds",
    "commits": "of the runs: settings may be the same and worlds or code not, where there are "
    "several",
    "minutes": "of training and of evaluations in between, mean over seeds",
}


def write_study(runs: StudyRuns) -> dict[str, Any]:
    """Writes the three files into the folder of the study; returns the content of study.json."""
    study = runs.study
    by_run = runs.rows()
    rows = list(by_run.values())
    report = {
        "study": study.name,
        "commit": commit() or "unknown",
        "device": device(),
        "commits": sorted({row["commit"] for row in rows}),
        "reference": study.reference,
        "seeds": list(study.seeds),
        "missing": [
            f"{arm}/seed-{seed}"
            for arm in study.arms
            for seed in study.seeds
            if (arm, seed) not in by_run
        ],
        "arms": {arm: _arm_figures(study, rows, arm) for arm in study.arms},
        "definitions": DEFINITIONS,
        "config": study.model_dump(mode="json"),
    }
    # With those of seeds and arms that the study has no more.
    write_rows(runs.folder, list((runs.recorded | by_run).values()))
    write_whole(runs.folder / "study.json", [orjson.dumps(report, option=orjson.OPT_INDENT_2)])
    write_whole(runs.folder / "study.html", [render(report, rows).encode()])
    return report


def _arm_figures(
    study: StudyConfig, rows: Sequence[Mapping[str, Any]], arm: str
) -> dict[str, Any] | None:
    """None without a finished run."""
    own = {row["seed"]: row for row in rows if row["arm"] == arm}
    if not own:
        return None
    reference = {row["seed"]: row for row in rows if row["arm"] == study.reference}
    both = [seed for seed in own if seed in reference]
    compared = None
    if arm != study.reference and both:
        pairs = ([_outcomes(side[seed]) for seed in both] for side in (reference, own))
        compared = dataclasses.asdict(difference(*pairs))
    last_phases = [row["phases"][-1] for row in own.values()]
    return {
        "seeds": sorted(own),
        "success": dataclasses.asdict(success([_outcomes(row) for row in own.values()])),
        "difference": compared,
        "entropy_fixed": _mean([phase["entropy_fixed"] for phase in last_phases]),
        "flat_share": _mean([phase["flat_share"] for phase in last_phases]),
        "unseen": _unseen(list(own.values())),
        "reasoning": _mean([row["reasoning"] for row in own.values()]),
        "env_steps": _mean([row["env_steps"] for row in own.values()]),
        "learner_tokens": _mean([row["learner_tokens"] for row in own.values()]),
        "minutes": _mean([row["minutes"] for row in own.values()]),
    }


def _outcomes(row: Mapping[str, Any]) -> Outcomes:
    """A task that was drawn several times is several."""
    times: Counter[str] = Counter()
    names = []
    for task in row["solved"]:
        times[task] += 1
        names.append(f"{task} {times[task]}")
    return Outcomes(row["tasks"], frozenset(names))


def _unseen(rows: Sequence[Mapping[str, Any]]) -> dict[str, float | None]:
    names = sorted({name for row in rows for name in row["unseen"]})
    return {
        name: _mean([row["unseen"][name]["success_rate"] for row in rows if name in row["unseen"]])
        for name in names
    }


def _mean(values: Sequence[float | None]) -> float | None:
    measured = [value for value in values if value is not None]
    return float(np.mean(measured)) if measured else None


def render(report: dict[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    """The page of a study.json."""
    return PAGES.get_template("study.html").render(
        title=f"Deskhand study {report['study']}",
        report=report,
        arms={"head": HEAD, "rows": table_rows(report)},
        plots=[
            plot(
                "Held-out success after the last phase (95%)", lambda axes: _plot_arms(axes, report)
            ),
            plot("Held-out success, phase by phase", lambda axes: _plot_phases(axes, rows)),
            plot(
                "Entropy on the fixed states, learner step by learner step",
                lambda axes: _plot_readings(axes, rows, "entropy"),
            ),
            plot(
                "Groups without signal, learner step by learner step",
                lambda axes: _plot_readings(axes, rows, "flat"),
            ),
        ],
    )


def table_rows(report: dict[str, Any]) -> list[list[str]]:
    """The table of arms as text."""
    rows = []
    for arm, figures in report["arms"].items():
        if figures is None:
            rows.append([arm, "0", *["not measured"] * (len(HEAD) - 2)])
            continue
        unseen = ", ".join(f"{name} {value:.1%}" for name, value in figures["unseen"].items())
        is_reference = arm == report["reference"]
        rows.append(
            [
                arm,
                str(len(figures["seeds"])),
                _format(Estimate(**figures["success"]), ".1%"),
                "reference"
                if is_reference
                else "not measured"
                if figures["difference"] is None
                else _format(Estimate(**figures["difference"]), "+.1%"),
                _number(figures["entropy_fixed"], ".4f"),
                _number(figures["flat_share"], ".0%"),
                unseen or "not measured",
                _number(figures["env_steps"], ",.0f"),
                _number(figures["learner_tokens"], ",.0f"),
                _number(figures["minutes"], ".1f"),
            ]
        )
    return rows


def _format(estimate: Estimate, spec: str) -> str:
    return f"{estimate.mean:{spec}} [{estimate.low:{spec}}, {estimate.high:{spec}}]"


def _number(value: float | None, spec: str) -> str:
    return "not measured" if value is None else format(value, spec)


def _plot_arms(axes: Axes, report: dict[str, Any]) -> None:
    measured = {arm: figures for arm, figures in report["arms"].items() if figures}
    for place, figures in enumerate(measured.values()):
        estimate = figures["success"]
        spread = [[estimate["mean"] - estimate["low"]], [estimate["high"] - estimate["mean"]]]
        color = COLORS[place % len(COLORS)]
        axes.bar(place, estimate["mean"], 0.6, yerr=spread, color=color, capsize=3)
    axes.set_xticks(range(len(measured)), list(measured), fontsize=8)
    axes.set_ylim(0, 1)


def _plot_phases(axes: Axes, rows: Sequence[Mapping[str, Any]]) -> None:
    """Means over seeds after each phase that was evaluated; a dot a seed."""
    for arm, color in _arms(rows):
        curves = [
            [phase["success"] for phase in row["phases"] if phase["success"] is not None]
            for row in rows
            if row["arm"] == arm
        ]
        for curve in curves:
            axes.plot(range(1, len(curve) + 1), curve, "o", ms=2, color=color, alpha=0.5)
        _plot_mean(axes, curves, arm, color)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("phases evaluated", fontsize=8)
    axes.set_ylim(0, 1)
    _add_legend(axes)


def _plot_readings(axes: Axes, rows: Sequence[Mapping[str, Any]], key: str) -> None:
    for arm, color in _arms(rows):
        curves = [
            [
                reading[key]
                for phase in row["phases"]
                for reading in phase["readings"]
                if reading[key] is not None
            ]
            for row in rows
            if row["arm"] == arm
        ]
        _plot_mean(axes, curves, arm, color)
    axes.set_xlabel("learner step", fontsize=8)
    _add_legend(axes)


def _plot_mean(axes: Axes, curves: Sequence[Sequence[float]], name: str, color: str) -> None:
    """Over the seeds, as far as all of them go."""
    length = min(map(len, curves), default=0)
    if length:
        means = np.mean([curve[:length] for curve in curves], axis=0)
        axes.plot(range(1, length + 1), means, color=color, label=name)


def _arms(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    names = list(dict.fromkeys(row["arm"] for row in rows))
    return [(name, COLORS[place % len(COLORS)]) for place, name in enumerate(names)]


def _add_legend(axes: Axes) -> None:
    if axes.get_legend_handles_labels()[0]:
        axes.legend(fontsize=8, frameon=False)
