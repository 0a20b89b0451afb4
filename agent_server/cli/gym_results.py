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
    """The table of an audit, what did not hold, and how much did. Of more than `MOST_ROWS` rows,
    those with a failure."""
    checks = list(dict.fromkeys(check for row in rows for check in row.held))
    table = Table("gym", Column("template", no_wrap=True), "level", "steps")
    for check in checks:
        table.add_column(check, justify="right")
    for row in rows if len(rows) <= MOST_ROWS else [row for row in rows if not row.holds]:
        counts = [f"{row.held[check]}/{row.seeds}" if check in row.held else "" for check in checks]
        steps = str(max(row.steps)) if row.steps else ""
        style = None if row.holds else "bold red"
        table.add_row(row.gym, row.template, str(row.level or ""), steps, *counts, style=style)
    console.print(table)
    for row in rows:
        for failure in row.failures:
            console.print(failure, style="red", highlight=False, markup=False)
    holding = sum(sum(row.held.values()) for row in rows)
    total = sum(len(row.held) * row.seeds for row in rows)
    console.print(
        f"{len(rows)} templates; {holding} of {total} checks hold ({holding / max(total, 1):.1%})",
        highlight=False,
    )


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
