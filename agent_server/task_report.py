"""What a set of task files is made of: domains, step types, getters, metrics, needs, and what of it
is missing here."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from agent_server.task_check import Absent, absent
from agent_server.task_files import TaskFile, TaskSet
from envs.verify import parts
from envs.verify.evidence import INFEASIBLE
from envs.verify.needs import DESKTOP_IMAGE, Here, needs, unsupported
from envs.verify.registry import GETTERS, METRICS
from envs.verify.setup import STEPS
from envs.verify.steps.refused import REFUSED

SHOWN_HOSTS = 12


@dataclass(slots=True)
class Report:
    """Counts are uses, those of needs tasks. `unsupported`: reasons by file."""

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

    @property
    def ungraded(self) -> int:
        """Tasks with a getter or metric that is not here."""
        return len(self.absent)

    def as_json(self) -> dict[str, Any]:
        def known(names: Counter[str], there: Iterable[str]) -> dict[str, dict[str, Any]]:
            here = set(there)
            return {
                name: {"uses": count, "here": name in here} for name, count in sorted(names.items())
            }

        return {
            "files": self.files,
            "tasks": self.tasks,
            "domains": dict(sorted(self.domains.items())),
            "setup": known(self.steps, STEPS.keys() - REFUSED.keys()),
            "getters": known(self.getters, GETTERS),
            "metrics": known(self.metrics, [*METRICS, INFEASIBLE]),
            "needs": {kind: dict(sorted(what.items())) for kind, what in self.needs.items()},
            "missing": {
                name: [asdict(one) for one in found] for name, found in self.absent.items()
            },
            "unsupported": self.unsupported,
            "errors": self.errors,
        }


def installed(tasks: Sequence[TaskFile], assets: Path | None) -> Here:
    """What desktops of this machine have: the image's applications, and of the programs that the
    tasks run those that this machine has, because its boxes see its programs."""
    programs = ("program", "window manager")
    named = {need.what for file in tasks for need in needs(file.task) if need.kind in programs}
    there = {name for name in named if shutil.which(name)}
    return replace(DESKTOP_IMAGE, assets=assets, programs=DESKTOP_IMAGE.programs | there)


def report_on(found: TaskSet, assets: Path | None) -> Report:
    """`assets`: folder of a mirror."""
    report = Report(found.files, len(found.tasks), errors=[str(one) for one in found.problems])
    here = installed(found.tasks, assets)
    for file in found.tasks:
        task = file.task
        report.domains[file.domain] += 1
        report.steps.update(step.kind for step in parts.steps(task))
        report.getters.update(getter.kind for getter in parts.getters(task))
        report.metrics.update(metric.text for metric in parts.metrics(task))
        for kind, what in dict.fromkeys((need.kind, need.what) for need in needs(task)):
            report.needs.setdefault(kind, Counter())[what] += 1
        if lacking := absent(task):
            report.absent[file.name] = lacking
        if reasons := unsupported(task, here):
            report.unsupported[file.name] = reasons
    return report


def show(console: Console, report: Report) -> None:
    """Errors are told first, and the sums last."""
    for error in report.errors:
        console.print(error, style="red", highlight=False, markup=False, soft_wrap=True)
    table = Table("domain", "tasks")
    for domain, count in sorted(report.domains.items()):
        table.add_row(domain, str(count))
    console.print(table)
    _show_used(console, "setup step", report.steps, STEPS, REFUSED)
    _show_used(console, "getter", report.getters, GETTERS)
    _show_used(console, "metric", report.metrics, [*METRICS, INFEASIBLE])
    _show_needs(console, report)
    console.print(
        f"{report.tasks} of {report.files} task files load; {len(report.errors)} errors; "
        f"{report.ungraded} tasks with a getter or metric that is not here; "
        f"{len(report.unsupported)} tasks cannot run here",
        highlight=False,
    )


def _show_used(
    console: Console,
    title: str,
    used: Counter[str],
    there: Iterable[str],
    refused: Iterable[str] = (),
) -> None:
    known, not_run = set(there), set(refused)
    table = Table(title, "uses", "here")
    for name, count in used.most_common():
        state = "refused" if name in not_run else "yes" if name in known else "missing"
        table.add_row(name, str(count), state, style=None if state == "yes" else "yellow")
    console.print(table)


def _show_needs(console: Console, report: Report) -> None:
    table = Table("need", "tasks with it", "")
    for kind, what in sorted(report.needs.items()):
        if kind == "asset":
            table.add_row(kind, "", f"{len(what)} files")
            continue
        for name, count in what.most_common(SHOWN_HOSTS):
            table.add_row(kind, str(count), name)
        if len(what) > SHOWN_HOSTS:
            table.add_row(kind, "", f"and {len(what) - SHOWN_HOSTS} more")
    console.print(table)
