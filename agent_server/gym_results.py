"""What is known of the gyms' templates: the last audit's rows, the last run's success rates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

if TYPE_CHECKING:
    from envs.gyms.audit import Row


@dataclass(frozen=True, slots=True)
class PolicyRates:
    """`rates`: "<gym>/<template>" -> percent, of the last phase of `run`."""

    run: str = ""
    rates: dict[str, str] = field(default_factory=dict)


def write_audit(path: Path, rows: Sequence[Row], disturb: float = 0.0) -> None:
    """Rows of an audit as JSON; a part of the gyms audited anew leaves the others as they were."""
    kept = {} if disturb else _read(path)
    kept |= {f"{row.gym}/{row.template}": asdict(row) for row in rows}
    path.parent.mkdir(parents=True, exist_ok=True)
    data = {"disturb": disturb, "rows": kept}
    path.write_bytes(orjson.dumps(data, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))


def last_audit(path: Path) -> dict[str, str]:
    """ "<gym>/<template>" -> "5/5"."""
    return {name: f"{row['held'].get('oracle', 0)}/{row['seeds']}" for name, row in
            _read(path).items()}  # fmt: skip


def _read(path: Path) -> dict[str, dict[str, Any]]:
    try:
        rows: dict[str, dict[str, Any]] = orjson.loads(path.read_bytes())["rows"]
        return rows
    except (OSError, orjson.JSONDecodeError, KeyError):
        return {}


def last_policy(runs: Path) -> PolicyRates:
    """Of the newest run that has a report."""
    reports = sorted(runs.glob("*/report.json"), key=lambda path: path.stat().st_mtime)
    for path in reversed(reports):
        report = orjson.loads(path.read_bytes())
        done = [phase for phase in report.get("phases", ()) if phase.get("eval")]
        if done:
            last = done[-1]["eval"]
            sets = [last, *last.get("unseen", {}).values()]
            rates = {
                name: row["success_rate"]
                for one in sets
                for name, row in one["by_template"].items()
            }
            return PolicyRates(
                path.parent.name, {name: f"{rate:.0%}" for name, rate in rates.items()}
            )
    return PolicyRates()
