"""Recorded results of the gyms' templates: the last audit, and the last run's success rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
from rich.console import Console
from rich.table import Column, Table

if TYPE_CHECKING:
    from envs.gyms.server.audit_rows import Row

MOST_ROWS = 400


@dataclass(frozen=True, slots=True)
class PolicyRates:
    """Success rates in percent by "<gym>/<template>", of the last phase of `run`."""

    run: str = ""
    rates: dict[str, str] = field(default_factory=dict)


def write_audit(path: Path, rows: Sequence[Row], disturb: float = 0.0) -> None:
    """Write an audit's rows as JSON; rows of gyms that were not audited this time stay."""
    rows_by_template = {} if disturb else _read_rows(path)
    rows_by_template |= {f"{row.gym}/{row.template}": asdict(row) for row in rows}
    path.parent.mkdir(parents=True, exist_ok=True)
    data = {"disturb": disturb, "rows": rows_by_template}
    path.write_bytes(orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))


def print_audit(rows: Sequence[Row], console: Console) -> None:
    """A line a template, what did not hold, and how much did, by check. Of more than `MOST_ROWS`
    rows, those with a failure."""
    table = Table(Column("template", overflow="fold"), "level", "steps", "checks", "not held")
    for row in rows if len(rows) <= MOST_ROWS else [row for row in rows if not row.holds]:
        misses = [f"{check} {held}/{row.seeds}" for check, held in _list_misses(row)]
        table.add_row(
            f"{row.gym}/{row.template}",
            str(row.level or ""),
            str(max(row.steps)) if row.steps else "",
            _share_held([row]),
            ", ".join(misses),
            style=None if row.holds else "bold red",
        )
    console.print(table)
    for row in rows:
        for failure in row.failures:
            console.print(failure, style="red", highlight=False, markup=False)
    checks = dict.fromkeys(check for row in rows for check in row.held)
    by_check = [f"{check} {_share_held(rows, check)}" for check in checks]
    console.print(", ".join(by_check), highlight=False)
    console.print(describe_rows(rows), highlight=False)


def describe_rows(rows: Sequence[Row]) -> str:
    """How many templates were audited, and how many of their checks hold."""
    held, total = _count_held(rows)
    return f"{len(rows)} templates; {held} of {total} checks hold ({held / max(total, 1):.1%})"


def _list_misses(row: Row) -> list[tuple[str, int]]:
    return [(check, held) for check, held in row.held.items() if held < row.seeds]


def _count_held(rows: Sequence[Row], only: str | None = None) -> tuple[int, int]:
    """How many checks hold, of how many; of one check, or of all."""
    held = total = 0
    for row in rows:
        for check, count in row.held.items():
            if only in (None, check):
                held, total = held + count, total + row.seeds
    return held, total


def _share_held(rows: Sequence[Row], only: str | None = None) -> str:
    held, total = _count_held(rows, only)
    return f"{held}/{total}"


def last_audit(path: Path) -> dict[str, str]:
    """The oracle's successes by "<gym>/<template>", for example "5/5"."""
    rows = _read_rows(path)
    return {name: f"{row['held'].get('oracle', 0)}/{row['seeds']}" for name, row in rows.items()}


def _read_rows(path: Path) -> dict[str, dict[str, Any]]:
    try:
        rows: dict[str, dict[str, Any]] = orjson.loads(path.read_bytes())["rows"]
        return rows
    except (OSError, orjson.JSONDecodeError, KeyError):
        return {}


def last_policy(runs: Path) -> PolicyRates:
    """Success rates of the newest run that has a report."""
    reports = sorted(runs.glob("*/report.json"), key=lambda path: path.stat().st_mtime)
    for path in reversed(reports):
        report = orjson.loads(path.read_bytes())
        done = [phase for phase in report.get("phases", ()) if phase.get("eval")]
        if done:
            last = done[-1]["eval"]
            sets = [last, *last.get("unseen", {}).values()]
            rates = {
                name: row["success_rate"]
                for result in sets
                for name, row in result["by_template"].items()
            }
            return PolicyRates(
                path.parent.name, {name: f"{rate:.0%}" for name, rate in rates.items()}
            )
    return PolicyRates()
