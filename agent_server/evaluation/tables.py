"""The figures of evaluations as tables on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from agent_server.evaluation.compare import Comparison
from agent_server.evaluation.failures import clusters
from agent_server.evaluation.results import PARTS, Trial
from agent_server.evaluation.summary import ALL, Figures, PolicyFigures, Summary

SHOWN_REASONS = 3
SHOWN_TASKS = 20
DETAIL_CHARS = 160


def show(console: Console, summary: Summary, trials: Sequence[Trial]) -> None:
    """Results last: what a reader looks for is at the end of the output."""
    asked = summary.policies[0]
    if any(not trial.success for trial in trials if trial.policy == asked.policy):
        console.print(_failures([one for one in trials if one.policy == asked.policy]))
    console.print(_outcomes(summary.policies))
    if any(one.total.time_s for one in summary.policies):
        console.print(_time(summary.policies))
    if summary.policies[1:]:
        console.print(
            _results("controls", [(one.policy, one.total) for one in summary.policies[1:]])
        )
    several = len(asked.domains) > 1
    rows = [(one.domain, one) for one in (*(asked.domains if several else ()), asked.total)]
    console.print(_results(asked.policy, rows))
    for line in statement(summary):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def statement(summary: Summary) -> list[str]:
    """The result in sentences: rate, intervals, denominator, what is not in it."""
    evaluation, total = summary.evaluation, summary.policies[0].total
    low, high = total.ci95
    lines = [
        f"success {total.success_rate:.1%}  [{low:.1%}, {high:.1%}]  n={total.n}  "
        f"lost {total.lost}  (95% over tasks: {interval(total.ci95_tasks)})"
    ]
    for policy in summary.policies[1:]:
        lines.append(f"{policy.policy}: {policy.total.success_rate:.1%}  n={policy.total.n}")
    if total.format_errors:
        lines.append(f"{total.format_errors} answers could not be read")
    if total.cost is not None:
        lines.append(f"cost {total.cost:.2f}, at the prices of the agent's file")
    if total.not_run_yet:
        lines.append(
            f"not complete: {total.not_run_yet} of {total.n} trials have not run; they count as "
            "not solved"
        )
    if evaluation.not_run:
        first = evaluation.not_run[0]
        lines.append(
            f"{len(evaluation.not_run)} tasks of the set cannot run here and are not in n (first: "
            f"{first.id}: {first.reasons[0]}); counted as not solved the rate is "
            f"{summary.success_rate_whole_set:.1%}"
        )
    if evaluation.broken:
        lines.append(f"{len(evaluation.broken)} broken files were skipped, {evaluation.broken[0]}")
    stamp = evaluation.stamp
    lines.append(
        f"task set {stamp.task_set[:12]}, commit {stamp.commit or 'unknown'}, policy "
        f"{policy_name(summary)}, seed {stamp.seed}, {stamp.device}"
        + (", judged with OSWorld's own defects" if stamp.compat else "")
    )
    return lines


def policy_name(summary: Summary) -> str:
    stamp = summary.evaluation.stamp.policy
    version = f" version {stamp.version}" if stamp.version is not None else ""
    weights = f" ({stamp.sha256[:12]})" if stamp.sha256 else ""
    agent = stamp.agent
    asked = f" ({agent.dialect}: {agent.model or agent.endpoint})" if agent is not None else ""
    return stamp.name + version + weights + asked


def interval(found: tuple[float, float] | None) -> str:
    return "-" if found is None else f"{found[0]:.1%} to {found[1]:.1%}"


def _results(title: str, rows: Sequence[tuple[str, Figures]]) -> Table:
    k = max(rows[-1][1].pass_hat_k, key=int)
    table = Table(
        Column(title, no_wrap=True), "tasks", "solved", "success", "95% (trials)", "95% (tasks)",
        *([f"pass@{k}", f"pass^{k}"] if k != "1" else []), "score", "steps p50/p90",
        "tokens p50", "seconds p50/p90",
    )  # fmt: skip
    for name, row in rows:
        rates = [f"{row.pass_at_k[k]:.1%}", f"{row.pass_hat_k[k]:.1%}"] if k != "1" else []
        table.add_row(
            name,
            str(row.tasks),
            f"{row.solved}/{row.n}",
            f"{row.success_rate:.1%}",
            interval(row.ci95),
            interval(row.ci95_tasks),
            *rates,
            f"{row.score_mean:.3f}",
            _pair(row.steps, ".0f"),
            "-" if row.tokens is None else f"{row.tokens['p50']:.0f}",
            _pair(row.wall_s, ".1f"),
            style="bold" if len(rows) > 1 and name == ALL else None,
        )
    return table


def _pair(found: dict[str, float] | None, form: str) -> str:
    return "-" if found is None else f"{found['p50']:{form}} / {found['p90']:{form}}"


def _outcomes(policies: Sequence[PolicyFigures]) -> Table:
    names = sorted({name for one in policies for name in one.total.outcomes})
    table = Table("outcome", *(one.policy for one in policies))
    for name in names:
        table.add_row(name, *(str(one.total.outcomes.get(name, 0)) for one in policies))
    return table


def _time(policies: Sequence[PolicyFigures]) -> Table:
    table = Table("seconds a trial", *(one.policy for one in policies))
    for part in PARTS:
        table.add_row(part, *(_seconds(one.total, part) for one in policies))
    return table


def _seconds(total: Figures, part: str) -> str:
    return "-" if total.time_s is None else f"{total.time_s[part]:.3f}"


def _failures(trials: Sequence[Trial]) -> Table:
    table = Table("not solved because", "trials", "where", "for example", "detail")
    for cluster in clusters(trials):
        where = [f"{name} {count}" for name, count in cluster.domains.items()]
        more = ", ..." if len(where) > SHOWN_REASONS else ""
        first = cluster.trials[0]
        table.add_row(
            cluster.reason,
            str(len(cluster.trials)),
            ", ".join(where[:SHOWN_REASONS]) + more,
            f"{first.task_id} {first.episode_id or ''}".strip(),
            escape(first.detail[:DETAIL_CHARS]),
        )
    return table


def show_comparison(console: Console, found: Comparison, names: tuple[str, str]) -> None:
    first, second = names
    table = Table("solved the task", f"by {second}", f"not by {second}")
    table.add_row(f"by {first}", str(found.both), str(len(found.only_first)))
    table.add_row(f"not by {first}", str(len(found.only_second)), str(found.neither))
    console.print(table)
    for title, tasks in ((first, found.only_first), (second, found.only_second)):
        for task in tasks[:SHOWN_TASKS]:
            console.print(f"only {title}: {task}", highlight=False, markup=False, soft_wrap=True)
        if len(tasks) > SHOWN_TASKS:
            console.print(f"only {title}: {len(tasks) - SHOWN_TASKS} more", highlight=False)
    for note in found.notes:
        console.print(f"note: {note}", style="yellow", highlight=False, markup=False)
    low, high = found.ci95
    console.print(
        f"{first} {found.first_rate:.1%}  {second} {found.second_rate:.1%}  difference "
        f"{found.difference:+.1%}  [{low:+.1%}, {high:+.1%}]  p={found.p_value:.4f} (McNemar)  "
        f"{found.tasks} tasks",
        highlight=False,
        soft_wrap=True,
    )
