"""report.json and report.html of a pre-training: where it is, its curve, and what it reads."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import Any

import orjson
from matplotlib.axes import Axes

from agent_server.html.page import page_templates
from agent_server.html.plots import SERIES, plot
from agent_server.provenance import commit, device
from envs.io.atomic_write import write_whole
from trainer.reading.config import ReaderConfig

PAGES = page_templates(Path(__file__).parent)
REPORT = "report.json"
DEFINITIONS = {
    "read": "share of answers whose whole text the policy gives more than 0.9",
    "dev": "pages of dev seeds: apps that are trained on, names that are not",
    "dev, renamed": "the same pages and questions with made-up words for names; where no "
    "demonstration is asked for, also for words of the interface",
    "unseen": "pages of an app that is never trained on",
    "cpu_s": "CPU seconds of the learner's process",
}
GROUP_HEAD = ("pages", "read", "95% interval", "probability", "n")


def write_report(run_dir: Path, config: ReaderConfig, state: dict[str, Any]) -> dict[str, Any]:
    """Writes both files and returns the content of report.json."""
    report = {
        "run_id": run_dir.name,
        "preset": config.preset,
        "seed": config.seed,
        "commit": commit() or "unknown",
        "device": device(),
        **state,
        "definitions": DEFINITIONS,
        "config": config.model_dump(mode="json"),
    }
    write_whole(run_dir / REPORT, [orjson.dumps(report, option=orjson.OPT_INDENT_2)])
    write_whole(run_dir / "report.html", [render(report).encode()])
    return report


def render(report: dict[str, Any]) -> str:
    """The page of a report.json."""
    newest = report["curve"][-1]
    return PAGES.get_template("reading.html").render(
        title=f"Deskhand pre-training {report['run_id']}",
        report=report,
        facts={
            "updates": report["update"],
            "answers": f"{report['answers']:,}",
            "tokens": f"{report['tokens'] / 1e6:.2f} M",
            "wall clock": f"{report['wall_s'] / 60:.1f} min",
            "CPU": f"{report['cpu_s'] / 60:.1f} min",
            "ended by": report["ended_by"] or "running",
        },
        groups={
            "head": GROUP_HEAD,
            "rows": [_row(name, g) for name, g in newest["groups"].items()],
        },
        kinds={"head": ("question", *newest["groups"]), "rows": _kind_rows(newest["groups"])},
        plots=[
            plot("Answers read, of pages not trained on", lambda axes: _plot(axes, report, "read")),
            plot("Probability of a whole answer", lambda axes: _plot(axes, report, "probability")),
        ],
    )


def _row(name: str, figures: dict[str, Any]) -> list[str]:
    low, high = figures["ci95"]
    return [
        name,
        f"{figures['read']:.1%}",
        f"{low:.1%} to {high:.1%}",
        f"{figures['probability']:.3f}",
        str(figures["n"]),
    ]


def _kind_rows(groups: dict[str, dict[str, Any]]) -> list[list[str]]:
    kinds = sorted({kind for figures in groups.values() for kind in figures["kinds"]})
    return [
        [kind]
        + [
            f"{figures['kinds'][kind]['read']:.0%} of {figures['kinds'][kind]['n']}"
            if kind in figures["kinds"]
            else ""
            for figures in groups.values()
        ]
        for kind in kinds
    ]


def _plot(axes: Axes, report: dict[str, Any], key: str) -> None:
    curve = report["curve"]
    for name, color in zip(curve[0]["groups"], cycle(SERIES), strict=False):
        xs = [point["answers"] for point in curve]
        axes.plot(xs, [point["groups"][name][key] for point in curve], color=color, label=name)
    axes.set_xlabel("answers trained on", fontsize=8)
    axes.set_ylim(0, 1)
    axes.legend(fontsize=8, frameon=False)
