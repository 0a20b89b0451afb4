"""The report of an evaluation for people: one HTML file, plots and every trajectory inside.

Guarantees: it needs no network and no other file; it is replaced as a whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from matplotlib.axes import Axes

from agent_server.evaluation.failures import clusters
from agent_server.evaluation.plan import read_planned_tasks
from agent_server.evaluation.results import PARTS, Trial
from agent_server.evaluation.summary import Figures, PolicyFigures, Summary
from agent_server.evaluation.tables import interval, statement
from agent_server.evaluation.viewer import VIEWER_STYLE, viewer
from agent_server.report_parts import BLUE, GREEN, GREY, ORANGE, PURPLE, STYLE, plot
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from envs.whole_file import write_whole

COLORS = (GREY, ORANGE, BLUE, PURPLE, GREEN, "#c2557f", "#bbb")
ROW_INCHES = 0.24


def write_report(path: Path, folder: Path, summary: Summary, trials: Sequence[Trial]) -> None:
    asked = summary.evaluation.asked.policy
    ordered = sorted(trials, key=lambda one: (one.policy != asked, one.success))
    write_whole(path, (piece.encode() for piece in _pieces(folder, summary, ordered)))


def _pieces(folder: Path, summary: Summary, trials: Sequence[Trial]) -> Iterator[str]:
    asked = summary.policies[0]
    title = f"Evaluation {escape(folder.resolve().name)}"
    yield f"<!doctype html><meta charset=utf-8><title>{title}</title>"
    yield f"<style>{STYLE}{VIEWER_STYLE}</style><h1>{title}</h1>"
    yield "".join(f"<p>{escape(line)}</p>" for line in statement(summary))
    yield f"<h2>Success by domain</h2>{_figures_table(asked)}"
    if summary.policies[1:]:
        yield f"<h2>Controls</h2>{''.join(map(_figures_table, summary.policies[1:]))}"
    yield f"<h2>Plots</h2><div class=plots>{''.join(_plots(summary))}</div>"
    yield f"<h2>Why trials were not solved</h2>{_failures(trials, asked.policy)}"
    yield _not_run(summary)
    yield "<h2>Trajectories</h2>"
    artifacts = Artifacts(Settings(run_dir=folder).artifacts)
    yield from viewer(artifacts, read_planned_tasks(folder), trials)
    yield f"<h2>How it was measured</h2>{_stamp(summary)}{_definitions(summary)}"


def _figures_table(policy: PolicyFigures) -> str:
    ks = [k for k in policy.total.pass_hat_k if k != "1"]
    head = [policy.policy, "tasks", "solved", "success", "95% (trials)", "95% (tasks)"]
    head += [f"{kind}{k}" for k in ks for kind in ("pass@", "pass^")]
    head += ["score", "lost", "steps p50 / p90 / p95", "tokens", "seconds"]
    rows = [policy.total] if len(policy.domains) == 1 else [policy.total, *policy.domains]
    return _table(head, [_cells(row, ks) for row in rows])


def _cells(row: Figures, ks: Sequence[str]) -> list[str]:
    passes = [f"{rate[k]:.1%}" for k in ks for rate in (row.pass_at_k, row.pass_hat_k)]
    return [
        row.domain, str(row.tasks), f"{row.solved}/{row.n}", f"{row.success_rate:.1%}",
        interval(row.ci95), interval(row.ci95_tasks), *passes, f"{row.score_mean:.3f}",
        str(row.lost), _spread(row.steps, ".0f"), _spread(row.tokens, ".0f"),
        _spread(row.wall_s, ".2f"),
    ]  # fmt: skip


def _spread(found: dict[str, float] | None, form: str) -> str:
    return (
        "not measured" if found is None else " / ".join(f"{one:{form}}" for one in found.values())
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = "".join(f"<th>{escape(name)}" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(one)}" for one in row) for row in rows)
    return f"<table><tr>{cells}{body}</table>"


def _plots(summary: Summary) -> Iterator[str]:
    asked = summary.policies[0]
    height = max(2.8, 0.8 + ROW_INCHES * len(asked.domains))
    yield plot(
        "Success by domain (95% interval of trials)",
        lambda axes: _success(axes, asked.domains), height, "x",
    )  # fmt: skip
    yield plot(
        "Success of policy and controls (95% interval of trials)",
        lambda axes: _success(axes, [one.total.model_copy(update={"domain": one.policy})
                                     for one in summary.policies]), grid="x",
    )  # fmt: skip
    yield plot("Outcomes", lambda axes: _outcomes(axes, asked.total), grid="x")
    yield plot(
        "Where time went, seconds a trial", lambda axes: _time(axes, asked.domains), height, "x"
    )


def _success(axes: Axes, rows: Sequence[Figures]) -> None:
    rows = rows[::-1]
    rates = [row.success_rate for row in rows]
    errors = [
        [row.success_rate - row.ci95[0] for row in rows],
        [row.ci95[1] - row.success_rate for row in rows],
    ]
    axes.barh([row.domain for row in rows], rates, xerr=errors, color=BLUE, capsize=2)
    axes.set_xlim(0, 1)
    axes.tick_params(axis="y", labelsize=7)


def _outcomes(axes: Axes, total: Figures) -> None:
    axes.barh(list(total.outcomes), list(total.outcomes.values()), color=BLUE)
    for index, count in enumerate(total.outcomes.values()):
        axes.text(count, index, f" {count}", va="center", fontsize=8)


def _time(axes: Axes, rows: Sequence[Figures]) -> None:
    measured = [row for row in rows if row.time_s is not None][::-1]
    names = [row.domain for row in measured]
    left = [0.0] * len(measured)
    for part, color in zip(PARTS, COLORS, strict=True):
        seconds = [row.time_s[part] if row.time_s else 0.0 for row in measured]
        axes.barh(names, seconds, left=left, color=color, label=part)
        left = [before + more for before, more in zip(left, seconds, strict=True)]
    axes.tick_params(axis="y", labelsize=7)
    axes.legend(fontsize=7, frameon=False, ncols=4)


def _failures(trials: Sequence[Trial], policy: str) -> str:
    """A click on a trial opens it in the viewer."""
    places = {id(trial): index for index, trial in enumerate(trials)}
    found = clusters([trial for trial in trials if trial.policy == policy])
    parts = []
    for cluster in found:
        rows = "".join(
            f"<tr data-open={places[id(trial)]}><td>{escape(trial.task_id)}<td>{trial.trial + 1}"
            f"<td>{escape(trial.detail)}"
            for trial in cluster.trials
        )
        where = ", ".join(f"{name} {count}" for name, count in cluster.domains.items())
        parts.append(
            f"<details><summary><b>{len(cluster.trials)}</b> {escape(cluster.reason)} "
            f"<small>({escape(where)})</small></summary><table>{rows}</table></details>"
        )
    return "".join(parts) or "<p>All were solved.</p>"


def _not_run(summary: Summary) -> str:
    evaluation = summary.evaluation
    if not evaluation.not_run and not evaluation.broken:
        return ""
    rows = [[one.id, one.domain, "; ".join(one.reasons)] for one in evaluation.not_run]
    broken = "".join(f"<p>{escape(one)}</p>" for one in evaluation.broken)
    return (
        f"<h2>Not in the denominator</h2><details><summary>{len(rows)} tasks cannot run here, "
        f"{len(evaluation.broken)} errors in files that were skipped</summary>"
        f"{_table(['task', 'domain', 'why'], rows)}{broken}</details>"
    )


def _stamp(summary: Summary) -> str:
    stamp = summary.evaluation.stamp.model_dump(mode="json")
    return _table(["stamp", ""], [[name, str(value)] for name, value in stamp.items()])


def _definitions(summary: Summary) -> str:
    return _table(["figure", "how"], [list(pair) for pair in summary.definitions.items()])
