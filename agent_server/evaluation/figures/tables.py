"""The figures of evaluations as tables on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from agent_server.evaluation.figures.compare import Comparison
from agent_server.evaluation.figures.statistics import wilson
from agent_server.evaluation.figures.summary import ALL, Figures, PolicyFigures, Summary
from agent_server.evaluation.job.failures import clusters
from agent_server.evaluation.job.plan import PolicyStamp
from agent_server.evaluation.job.results import PARTS, Trial

SHOWN_REASONS = 3
SHOWN_TASKS = 20
DETAIL_CHARS = 160


def show(console: Console, summary: Summary, trials: Sequence[Trial]) -> None:
    """Print all tables; the results come last, where a reader looks first."""
    evaluated = summary.policies[0]
    if any(not trial.success for trial in trials if trial.policy == evaluated.policy):
        console.print(_failures([row for row in trials if row.policy == evaluated.policy]))
    console.print(_outcomes(summary.policies))
    if any(row.total.time_s for row in summary.policies):
        console.print(_time(summary.policies))
    controls = [(row.policy, row.total) for row in summary.policies if row.control]
    if controls:
        console.print(_results("controls", controls))
    for rival in summary.policies[1:]:
        if not rival.control:
            rows = [(row.domain, row) for row in _shown_rows(rival)]
            console.print(_results(rival.policy, rows))
            console.print(_efforts(rival.policy, rows))
    rows = [(row.domain, row) for row in _shown_rows(evaluated)]
    console.print(_results(evaluated.policy, rows))
    console.print(_efforts(evaluated.policy, rows))
    if summary.paired is not None:
        _show_flips(console, summary.paired, summary.evaluation.spec.contenders)
    for line in statement(summary):
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _shown_rows(policy: PolicyFigures) -> tuple[Figures, ...]:
    """The domains, where there are several, then all."""
    return (*(policy.domains if len(policy.domains) > 1 else ()), policy.total)


def statement(summary: Summary) -> list[str]:
    """The result in sentences: rate, intervals, denominator, and what is not in it."""
    evaluation, total = summary.evaluation, summary.policies[0].total
    lines = [f"no trial of {summary.policies[0].policy} has run yet  n={total.n}"]
    if total.success_rate is not None and total.ci95 is not None:
        low, high = total.ci95
        lines = [
            f"success {total.success_rate:.1%}  [{low:.1%}, {high:.1%}]  n={total.n}  "
            f"lost {total.lost}  (95% over tasks: {interval(total.ci95_tasks)})"
        ]
    if summary.elapsed_s is not None:
        lines[0] += f"  in {summary.elapsed_s / 60:.1f} min"
    for policy in summary.policies[1:]:
        rate = percent(policy.total.success_rate, "not run yet")
        lines.append(f"{policy.policy}: {rate}  n={policy.total.n}")
    within = ", ".join(f"{steps}: {rate:.1%}" for steps, rate in total.solved_within.items())
    if total.solved:
        lines.append(f"solved within so many steps: {within}")
    if summary.paired is not None:
        lines.append(comparison_line(summary.paired, evaluation.spec.contenders))
    if total.format_errors:
        lines.append(f"{total.format_errors} answers could not be parsed")
    if total.cost is not None:
        each = (
            "" if total.cost_per_success is None else f" ({total.cost_per_success:.4f} a success)"
        )
        lines.append(f"cost {_price(total.cost)}{each}, at the prices of the agent's file")
    if total.tokens_per_success is not None:
        lines.append(f"{total.tokens_per_success:.0f} tokens a success, failures included")
    if total.not_run_yet:
        lines.append(
            f"not complete: {total.not_run_yet} of {total.n} trials have not run; they count as "
            "not solved"
        )
        lines += _partial_result(total, summary.seconds_left)
    if evaluation.not_run:
        first = evaluation.not_run[0]
        lines.append(
            f"{len(evaluation.not_run)} tasks of the set cannot run here and are not in n (first: "
            f"{first.id}: {first.reasons[0]}); counted as not solved the rate is "
            f"{percent(summary.success_rate_whole_set, 'not known yet')}"
        )
    if evaluation.broken:
        lines.append(f"{len(evaluation.broken)} broken files were skipped, {evaluation.broken[0]}")
    stamp = evaluation.stamp
    lines.append(
        f"task set {stamp.task_version or stamp.task_set[:12]}, commit "
        f"{stamp.commit or 'unknown'}, policy {policy_name(stamp.policy)}, seed {stamp.seed}, "
        f"{stamp.device}" + (", judged with OSWorld's own defects" if stamp.compat else "")
    )
    lines.append(
        f"host {stamp.host}, image {stamp.image or 'none'}, {len(stamp.applications)} applications "
        f"(versions: --json), temperature {stamp.sampling.temperature:g}, top_p "
        f"{stamp.sampling.top_p:g}"
    )
    return lines


def _partial_result(total: Figures, left_s: float | None) -> list[str]:
    """What the trials that have ended say, and when the others will have."""
    ended = total.n - total.not_run_yet
    if not ended:
        return []
    low, high = wilson(total.solved, ended)
    line = f"so far {total.solved} of {ended} that have ended: {total.solved / ended:.1%}  "
    line += f"[{low:.1%}, {high:.1%}]"
    if left_s is not None:
        more = f"{left_s / 60:.0f} more minutes" if left_s >= 90 else f"{left_s:.0f} more seconds"
        line += f"; at this pace the others take {more}"
    return [line]


def policy_name(stamp: PolicyStamp) -> str:
    """A policy with its version, weights and external agent, as far as known."""
    version = f" version {stamp.version}" if stamp.version is not None else ""
    weights = f" ({stamp.sha256[:12]})" if stamp.sha256 else ""
    agent = stamp.agent
    description = (
        f" ({agent.dialect}: {agent.model or agent.endpoint})" if agent is not None else ""
    )
    return stamp.name + version + weights + description


def percent(rate: float | None, unknown: str = "-") -> str:
    """A rate in percent, or what stands for one that is not known."""
    return unknown if rate is None else f"{rate:.1%}"


def _price(amount: float) -> str:
    """A small amount does not look like none."""
    return f"{amount:.2f}" if amount >= 1 else f"{amount:.2g}"


def interval(bounds: tuple[float, float] | None) -> str:
    """An interval of rates in words."""
    return "-" if bounds is None else f"{bounds[0]:.1%} to {bounds[1]:.1%}"


def _results(title: str, rows: Sequence[tuple[str, Figures]]) -> Table:
    table = _narrow_table(
        title, "tasks", "solved", "success", "95% (trials)", "95% (tasks)", "score"
    )
    for name, row in rows:
        table.add_row(
            name,
            str(row.tasks),
            f"{row.solved}/{row.n}",
            percent(row.success_rate),
            _percent_range(row.ci95),
            _percent_range(row.ci95_tasks),
            "-" if row.score_mean is None else f"{row.score_mean:.3f}",
            style=_row_style(name, rows),
        )
    return table


def _efforts(title: str, rows: Sequence[tuple[str, Figures]]) -> Table:
    """All trials of a task together, and what they took."""
    k = max(rows[-1][1].pass_hat_k, key=int, default="1")
    passes = [f"pass@{k}", f"pass^{k}"] if k != "1" else []
    table = _narrow_table(title, *passes, "steps p50/90", "tokens p50/90", "seconds p50/90")
    for name, row in rows:
        rates = [percent(row.pass_at_k.get(k)), percent(row.pass_hat_k.get(k))] if passes else []
        table.add_row(
            name,
            *rates,
            _p50_p90(row.steps, ".0f"),
            _p50_p90(row.tokens, ".0f"),
            _p50_p90(row.wall_s, ".1f"),
            style=_row_style(name, rows),
        )
    return table


def _narrow_table(title: str, *columns: str) -> Table:
    """Narrow enough for a terminal of 80 columns."""
    named = Column(title, no_wrap=True)
    return Table(
        named,
        *(Column(name, justify="right") for name in columns),
        box=SIMPLE_HEAD,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )


def _row_style(name: str, rows: Sequence[tuple[str, Figures]]) -> str | None:
    return "bold" if len(rows) > 1 and name == ALL else None


def _percent_range(bounds: tuple[float, float] | None) -> str:
    """An interval in percent."""
    return "-" if bounds is None else f"{bounds[0] * 100:.1f}-{bounds[1] * 100:.1f}"


def _p50_p90(values: dict[str, float] | None, number_format: str) -> str:
    return (
        "-"
        if values is None
        else f"{values['p50']:{number_format}}/{values['p90']:{number_format}}"
    )


def _outcomes(policies: Sequence[PolicyFigures]) -> Table:
    names = sorted({name for policy in policies for name in policy.total.outcomes})
    table = Table("outcome", *(policy.policy for policy in policies))
    for name in names:
        table.add_row(name, *(str(policy.total.outcomes.get(name, 0)) for policy in policies))
    return table


def _time(policies: Sequence[PolicyFigures]) -> Table:
    table = Table("seconds a trial", *(policy.policy for policy in policies))
    for part in PARTS:
        table.add_row(part, *(_part_seconds(policy.total, part) for policy in policies))
    return table


def _part_seconds(total: Figures, part: str) -> str:
    return "-" if total.time_s is None else f"{total.time_s[part]:.3f}"


def _failures(trials: Sequence[Trial]) -> Table:
    table = Table("not solved because", "trials", "where", "for example", "detail")
    for cluster in clusters(trials):
        where = [f"{name} {count}" for name, count in cluster.domains.items()]
        suffix = ", ..." if len(where) > SHOWN_REASONS else ""
        first = cluster.trials[0]
        table.add_row(
            cluster.reason,
            str(len(cluster.trials)),
            ", ".join(where[:SHOWN_REASONS]) + suffix,
            f"{first.task_id} {first.episode_id or ''}".strip(),
            escape(first.explanation[:DETAIL_CHARS]),
        )
    return table


def show_comparison(console: Console, comparison: Comparison, names: tuple[str, str]) -> None:
    """Print the four-field table, the tasks that differ, and the difference with its interval."""
    _show_flips(console, comparison, names)
    for note in comparison.notes:
        console.print(f"note: {note}", style="yellow", highlight=False, markup=False)
    console.print(comparison_line(comparison, names), highlight=False, markup=False, soft_wrap=True)


def _show_flips(console: Console, comparison: Comparison, names: Sequence[str]) -> None:
    first, second = names
    table = Table("solved the task", f"by {second}", f"not by {second}")
    table.add_row(f"by {first}", str(comparison.both), str(len(comparison.only_first)))
    table.add_row(f"not by {first}", str(len(comparison.only_second)), str(comparison.neither))
    console.print(table)
    for title, tasks in ((first, comparison.only_first), (second, comparison.only_second)):
        for task in tasks[:SHOWN_TASKS]:
            console.print(f"only {title}: {task}", highlight=False, markup=False, soft_wrap=True)
        if len(tasks) > SHOWN_TASKS:
            console.print(f"only {title}: {len(tasks) - SHOWN_TASKS} more", highlight=False)


def comparison_line(comparison: Comparison, names: Sequence[str]) -> str:
    """Both rates, their difference with its interval, and the test."""
    first, second = names
    low, high = comparison.ci95
    return (
        f"{first} {comparison.first_rate:.1%}  {second} {comparison.second_rate:.1%}  difference "
        f"{comparison.difference:+.1%}  [{low:+.1%}, {high:+.1%}]  "
        f"p={comparison.p_value:.4f} (McNemar)  {comparison.tasks} tasks"
    )
