"""The HTML report of an evaluation: one file with figures, plots and every trajectory.

Guarantees: the page needs no network and no other file; it is written completely or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agent_server.evaluation.figures.summary import Figures, PolicyFigures, Summary
from agent_server.evaluation.figures.tables import interval, percent, statement
from agent_server.evaluation.job.failures import clusters
from agent_server.evaluation.job.plan import read_planned_tasks
from agent_server.evaluation.job.results import Trial
from agent_server.evaluation.report.plots import summary_plots
from agent_server.evaluation.report.viewer import VIEWER_CSS, VIEWER_JS, viewer_data
from agent_server.html.page import page_templates
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from envs.io.atomic_write import write_whole


def write_report(path: Path, folder: Path, summary: Summary, trials: Sequence[Trial]) -> None:
    """Write the report of the evaluation in `folder`; its failures are listed first."""
    policy = summary.evaluation.spec.policy
    ordered = sorted(trials, key=lambda trial: (trial.policy != policy, trial.success))
    template = page_templates(Path(__file__).parent).get_template("report.html")
    artifacts = Artifacts(Settings(run_dir=folder).artifacts)
    # Generated piece by piece: the pictures of all trials together may be tens of megabytes.
    pieces = template.generate(
        **_figures(folder, summary, ordered),
        viewer_css=VIEWER_CSS,
        viewer_js=VIEWER_JS,
        viewer_data=viewer_data(artifacts, read_planned_tasks(folder), ordered),
    )
    write_whole(path, (piece.encode() for piece in pieces))


def _figures(folder: Path, summary: Summary, trials: Sequence[Trial]) -> dict[str, Any]:
    evaluation, (evaluated, *others) = summary.evaluation, summary.policies
    return {
        "title": f"Evaluation {folder.resolve().name}",
        "statement": statement(summary),
        "figures": _figures_table(evaluated),
        "rivals": [_figures_table(rival) for rival in others if not rival.control],
        "controls": [_figures_table(control) for control in others if control.control],
        "plots": summary_plots(summary),
        "failures": _failures(trials, evaluated.policy),
        "unsupported": [
            [task.id, task.domain, "; ".join(task.reasons)] for task in evaluation.not_run
        ],
        "broken": evaluation.broken,
        "stamp": list(evaluation.stamp.model_dump(mode="json").items()),
        "definitions": list(summary.definitions.items()),
    }


def _figures_table(policy: PolicyFigures) -> dict[str, Any]:
    ks = [k for k in policy.total.pass_hat_k if k != "1"]
    head = [policy.policy, "tasks", "solved", "success", "95% (trials)", "95% (tasks)"]
    head += [f"{kind}{k}" for k in ks for kind in ("pass@", "pass^")]
    head += ["score", "lost", "steps p50 / p90 / p95", "tokens", "seconds"]
    rows = [policy.total] if len(policy.domains) == 1 else [policy.total, *policy.domains]
    return {"head": head, "rows": [_cells(row, ks) for row in rows]}


def _cells(row: Figures, ks: Sequence[str]) -> list[str]:
    passes = [percent(rate.get(k)) for k in ks for rate in (row.pass_at_k, row.pass_hat_k)]
    return [
        row.domain,
        str(row.tasks),
        f"{row.solved}/{row.n}",
        percent(row.success_rate, "not run yet"),
        interval(row.ci95),
        interval(row.ci95_tasks),
        *passes,
        "-" if row.score_mean is None else f"{row.score_mean:.3f}",
        str(row.lost),
        _percentiles(row.steps, ".0f"),
        _percentiles(row.tokens, ".0f"),
        _percentiles(row.wall_s, ".2f"),
    ]


def _percentiles(values: dict[str, float] | None, number_format: str) -> str:
    if values is None:
        return "not measured"
    return " / ".join(f"{value:{number_format}}" for value in values.values())


def _failures(trials: Sequence[Trial], policy: str) -> list[dict[str, Any]]:
    """Clusters of failed trials; `index` is the trial's place in the viewer's list."""
    places = {id(trial): index for index, trial in enumerate(trials)}
    return [
        {
            "reason": cluster.reason,
            "domains": ", ".join(f"{name} {count}" for name, count in cluster.domains.items()),
            "rows": [
                {
                    "index": places[id(trial)],
                    "task": trial.task_id,
                    "trial": trial.trial + 1,
                    "detail": trial.explanation,
                }
                for trial in cluster.trials
            ],
        }
        for cluster in clusters([trial for trial in trials if trial.policy == policy])
    ]
