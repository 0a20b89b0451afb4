"""Reports on a set of task files: domains, step types, getters, metrics, needs, and what is missing
on this machine.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from agent_server.tasksets.check import Absent, absent
from agent_server.tasksets.files import TaskFile, TaskSet
from agent_server.tasksets.versions import version_of
from envs.desktop.size import OSWORLD_SIZE, Size
from envs.osworld.format import task_parts
from envs.osworld.format.requirements import (
    DESKTOP_IMAGE,
    Installation,
    task_requirements,
    unsupported_reasons,
)
from envs.osworld.inside.getters import GETTERS
from envs.osworld.inside.steps import STEPS
from envs.osworld.inside.steps.unsupported import REASONS
from envs.osworld.outside.getters import TASK_GETTERS
from envs.osworld.outside.metric_modules import available_metrics
from envs.state.evidence import INFEASIBLE

SHOWN_HOSTS = 12
UNJUDGED = "nothing judges it: it has neither evaluator nor gym"
"""Why such a task can be run as a task of the API, and in no evaluation."""


@dataclass(slots=True)
class Report:
    """Counts are uses; those of needs are tasks. `unsupported`: reasons by file."""

    files: int
    tasks: int
    domains: Counter[str] = field(default_factory=Counter)
    steps: Counter[str] = field(default_factory=Counter)
    getters: Counter[str] = field(default_factory=Counter)
    metrics: Counter[str] = field(default_factory=Counter)
    needs: dict[str, Counter[str]] = field(default_factory=dict)
    absent: dict[str, list[Absent]] = field(default_factory=dict)
    unsupported: dict[str, list[str]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    version: str | None = None
    """The published state that all tasks are of."""

    @property
    def incomplete_count(self) -> int:
        """Number of tasks with an unknown getter or metric."""
        return len(self.absent)

    def as_json(self) -> dict[str, Any]:
        """The report for --json."""

        def usage(names: Counter[str], known_names: Iterable[str]) -> dict[str, dict[str, Any]]:
            known = set(known_names)
            return {
                name: {"uses": count, "here": name in known}
                for name, count in sorted(names.items())
            }

        return {
            "files": self.files,
            "tasks": self.tasks,
            "version": self.version,
            "domains": dict(sorted(self.domains.items())),
            "setup": usage(self.steps, STEPS.keys() - REASONS.keys()),
            "getters": usage(self.getters, [*GETTERS, *TASK_GETTERS]),
            "metrics": usage(self.metrics, [*available_metrics(), INFEASIBLE]),
            "needs": {kind: dict(sorted(names.items())) for kind, names in self.needs.items()},
            "missing": {
                name: [asdict(part) for part in parts] for name, parts in self.absent.items()
            },
            "unsupported": self.unsupported,
            "errors": self.errors,
        }


def local_inventory(
    tasks: Sequence[TaskFile], assets: Path | None, screen: Size = OSWORLD_SIZE
) -> Installation:
    """What desktops of this machine have: the image's applications, VS Code where it is installed,
    and of the programs that the tasks run those that this machine has, because its boxes see its
    programs. `screen`: theirs."""
    programs = ("program", "window manager")
    named = {
        need.what
        for file in tasks
        for need in task_requirements(file.task)
        if need.kind in programs
    }
    there = {name for name in named if shutil.which(name)}
    programs_here = DESKTOP_IMAGE.programs | there
    code = {"vscode"} if shutil.which("code") else set()
    return replace(
        DESKTOP_IMAGE,
        applications=DESKTOP_IMAGE.applications | code,
        assets=assets,
        programs=programs_here,
        screen=screen,
    )


def report_on(task_set: TaskSet, assets: Path | None) -> Report:
    """Report on a task set. `assets`: folder of a mirror."""
    report = Report(
        task_set.files, len(task_set.tasks), errors=[str(problem) for problem in task_set.problems]
    )
    report.version = version_of(file.task for file in task_set.tasks)
    inventory = local_inventory(task_set.tasks, assets)
    for file in task_set.tasks:
        task = file.task
        report.domains[file.domain] += 1
        report.steps.update(step.kind for step in task_parts.steps(task))
        report.getters.update(getter.kind for getter in task_parts.getters(task))
        report.metrics.update(metric.text for metric in task_parts.metrics(task))
        for kind, name in dict.fromkeys((need.kind, need.what) for need in task_requirements(task)):
            report.needs.setdefault(kind, Counter())[name] += 1
        if missing_parts := absent(task):
            report.absent[file.name] = missing_parts
        reasons = unsupported_reasons(task, inventory)
        if not task.is_judged:
            reasons.append(UNJUDGED)
        if reasons:
            report.unsupported[file.name] = reasons
    return report


def show(console: Console, report: Report) -> None:
    """Print the report: errors first, sums last."""
    for error in report.errors:
        console.print(error, style="red", highlight=False, markup=False, soft_wrap=True)
    table = Table("domain", "tasks")
    for domain, count in sorted(report.domains.items()):
        table.add_row(domain, str(count))
    console.print(table)
    _show_used(console, "setup step", report.steps, STEPS, REASONS)
    _show_used(console, "getter", report.getters, [*GETTERS, *TASK_GETTERS])
    _show_used(console, "metric", report.metrics, [*available_metrics(), INFEASIBLE])
    _show_needs(console, report)
    if report.version is not None:
        console.print(f"all tasks are of {report.version}", highlight=False)
    console.print(
        f"{report.tasks} of {report.files} task files load; {len(report.errors)} errors; "
        f"{report.incomplete_count} tasks with a getter or metric that is not here; "
        f"{len(report.unsupported)} tasks cannot run here",
        highlight=False,
    )


def _show_used(
    console: Console,
    title: str,
    used: Counter[str],
    known_names: Iterable[str],
    refused: Iterable[str] = (),
) -> None:
    available, refused_names = set(known_names), set(refused)
    table = Table(title, "uses", "here")
    for name, count in used.most_common():
        state = "refused" if name in refused_names else "yes" if name in available else "missing"
        table.add_row(name, str(count), state, style=None if state == "yes" else "yellow")
    console.print(table)


def _show_needs(console: Console, report: Report) -> None:
    table = Table("need", "tasks with it", "")
    for kind, names in sorted(report.needs.items()):
        if kind == "asset":
            table.add_row(kind, "", f"{len(names)} files")
            continue
        for name, count in names.most_common(SHOWN_HOSTS):
            table.add_row(kind, str(count), name)
        if len(names) > SHOWN_HOSTS:
            table.add_row(kind, "", f"and {len(names) - SHOWN_HOSTS} more")
    console.print(table)
