"""The report of a run: report.json for programs, report.html for people.

Guarantees: every number comes from the run's folder (database, metrics, run.json); a number that
was not measured is null, never 0; `definitions` says how each figure was measured. It can be
written again at any time, also of a run that was interrupted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from sqlalchemy import select

from agent_server.provenance import commit, device
from agent_server.settings import Settings
from agent_server.store.store import Store
from agent_server.store.tables import Episode, PolicyVersion
from envs.whole_file import write_whole
from trainer.config_file import load_config
from trainer.context import PhaseRecord
from trainer.metrics import read_metrics
from trainer.report_html import render
from trainer.run_file import RunFile

SPLIT = (
    "Training tasks come from seeds below 1,000,000,000, held-out tasks from seeds at or above it: "
    "no seed is in both."
)
SHARED = " Templates are shared."
UNSEEN = (
    " Held-out success is of templates that were trained on; those of the unseen sets ({names}) "
    "were not, nor was any other task of theirs."
)
DEFINITIONS = {
    "success_rate": "held-out episodes with score >= 1 / episodes asked for; lost ones count as "
    "not solved",
    "ci95": "Wilson score interval",
    "unseen": "the same of task sets (eval.unseen) whose templates are never trained on",
    "env_steps_per_s": "steps of the training episodes of all reinforce phases / seconds in which "
    "at least one of these episodes was running, the learner working beside them",
    "env_steps_per_s_eval": "steps of the held-out episodes / seconds of the evaluations, the "
    "learner idle",
    "trained_tokens_per_s": "prompt and completion tokens given to the learner / seconds in its "
    "steps",
    "episodes_per_min": "scored and truncated episodes / wall clock of the whole run",
    "failed_requests": "episodes that ended with policy_error or policy_timeout, for any reason",
    "abs_logprob_mean": "mean |learner - server| logprob of sampled tokens before the learner's "
    "update, where both had the same weights; tokens of older weights are in metrics.jsonl, as "
    "lagging/abs_logprob_mean",
    "probe_abs_logprob_mean": "the same over the probes, tokens of the phase's own batches, that "
    "each swap is verified with; mean over swaps",
    "staleness": "learner's version - oldest version of a token of the episode, over the episodes "
    "trained on",
    "entropy_mean": "of the policy on the completion tokens it was trained on, nats a token; of "
    "supervised phases the last 20 updates",
}


def write_report(run_dir: Path, settings: Settings | None = None) -> dict[str, Any]:
    """Writes report.json and report.html into the run folder; `settings` name the run's database,
    if it is not in there. Raises NotARun."""
    run = RunFile.read(run_dir)
    config = load_config(run_dir / "config.toml")
    with Store.open(settings or Settings(run_dir=run_dir)) as store:
        report = build_report(run, store, config.model_dump(mode="json"))
    write_whole(run_dir / "report.json", [orjson.dumps(report, option=orjson.OPT_INDENT_2)])
    html = render(report, read_metrics(run_dir), run_dir)
    write_whole(run_dir / "report.html", [html.encode()])
    return report


def build_report(run: RunFile, store: Store, config: dict[str, Any]) -> dict[str, Any]:
    counts = store.episodes.accounting(run.run_id)
    versions = [row for row in store.runs.versions(run.run_id) if row.pause_ms is not None]
    by_phase = _by_phase(store, run.run_id)
    reinforced = [
        row
        for record in run.records
        if record.kind == "reinforce"
        for row in by_phase.get(record.name, ())
    ]
    evaluated = [row for record in run.records for row in by_phase.get(f"{record.name}/eval", ())]
    pairs = [pair for record in run.records for pair in record.mismatches]
    pauses = [row.pause_ms for row in versions if row.pause_ms is not None]
    unseen = config["eval"]["unseen"]
    return {
        "run_id": run.run_id,
        "preset": run.preset,
        "seed": run.seed,
        "status": run.status,
        "wall_s": round(run.wall_s, 1),
        "commit": commit() or "unknown",
        "device": device(),
        "split": SPLIT + (UNSEEN.format(names=", ".join(unseen)) if unseen else SHARED),
        "phases": [_phase(record, by_phase) for record in run.records],
        "episodes": {
            "dispatched": counts.dispatched,
            "scored": counts.scored,
            "truncated": counts.truncated,
            "invalid": counts.invalid,
            "cancelled": counts.cancelled,
            "retried": counts.retried,
        },
        "swaps": {
            "count": sum(row.status == "live" for row in versions),
            "rejected": sum(row.status == "rejected" for row in versions),
            "failed_requests": counts.invalid.get("policy_error", 0)
            + counts.invalid.get("policy_timeout", 0),
            "pause_ms": {"p50": _percentile(pauses, 50), "p95": _percentile(pauses, 95)},
        },
        "throughput": {
            "env_steps_per_s": _ratio(_steps(reinforced), _busy_s(reinforced)),
            "env_steps_per_s_eval": _ratio(
                _steps(evaluated), sum(record.eval_s for record in run.records)
            ),
            "trained_tokens_per_s": _ratio(
                sum(record.learner_tokens for record in run.records),
                sum(record.learner_s for record in run.records),
            ),
            "episodes_per_min": _ratio(60 * (counts.scored + counts.truncated), run.wall_s),
        },
        "mismatch": {
            "abs_logprob_mean": _weighted([(a, n) for a, _, n in pairs]),
            "k3_mean": _weighted([(k, n) for _, k, n in pairs]),
            "tokens": sum(n for _, _, n in pairs),
            "probe_abs_logprob_mean": _weighted([(diff, 1.0) for diff in _probed(versions)]),
        },
        "staleness": {
            "mean": run.staleness.mean if run.staleness.count else None,
            "max": run.staleness.worst if run.staleness.count else None,
            "episodes_refused": run.staleness.refused,
        },
        "definitions": DEFINITIONS,
        "config": config,
    }


def _phase(record: PhaseRecord, by_phase: dict[str, list[Any]]) -> dict[str, Any]:
    own = by_phase.get(record.name, [])
    evaluated = by_phase.get(f"{record.name}/eval", [])
    tail = record.entropies[-20:] if record.kind != "reinforce" else record.entropies
    return {
        "name": record.name,
        "kind": record.kind,
        "policy_version": record.policy_version,
        "eval": record.eval or None,
        "entropy_mean": float(np.mean(tail)) if tail else None,
        "episodes": len(own),
        "env_steps": _steps(own),
        "policy_versions": _versions(own),
        "eval_policy_versions": _versions(evaluated),
        "eval_env_steps": _steps(evaluated),
        "iterations": record.iterations,
        "ended_by": record.ended_by,
        "wall_s": round(record.wall_s, 1),
        "eval_s": round(record.eval_s, 1),
    }


def _by_phase(store: Store, run_id: str) -> dict[str, list[Any]]:
    """Every attempt of the run, by phase: what the figures need of it."""
    columns: Any = Episode.__table__.c  # type: ignore[attr-defined]
    statement = select(
        columns.phase, columns.steps, columns.version_min, columns.started_at, columns.finished_at
    ).where(columns.run_id == run_id)
    found: dict[str, list[Any]] = {}
    with store.engine.connect() as db:
        for row in db.execute(statement):
            found.setdefault(row.phase, []).append(row)
    return found


def _steps(rows: Sequence[Any]) -> int:
    return sum(row.steps for row in rows)


def _versions(rows: Sequence[Any]) -> dict[str, int]:
    """Episodes by the oldest policy version that produced a token of them."""
    counts = Counter(row.version_min for row in rows if row.version_min is not None)
    return {str(version): counts[version] for version in sorted(counts)}


def _busy_s(rows: Sequence[Any]) -> float:
    spans = [(row.started_at, row.finished_at) for row in rows if row.started_at]
    return union_s((start, end) for start, end in spans if end is not None)


def union_s(spans: Iterable[tuple[datetime, datetime]]) -> float:
    """Seconds that at least one of the spans covers."""
    total, covered_to = 0.0, None
    for start, end in sorted(spans):
        if covered_to is None or start >= covered_to:
            total += (end - start).total_seconds()
            covered_to = end
        elif end > covered_to:
            total += (end - covered_to).total_seconds()
            covered_to = end
    return total


def _percentile(values: Sequence[float], at: float) -> float | None:
    return round(float(np.percentile(values, at)), 2) if values else None


def _ratio(amount: float, seconds: float) -> float | None:
    return round(amount / seconds, 2) if seconds > 0 else None


def _weighted(pairs: Sequence[tuple[float, float]]) -> float | None:
    weight = sum(count for _, count in pairs)
    return sum(value * count for value, count in pairs) / weight if weight else None


def _probed(versions: Sequence[PolicyVersion]) -> list[float]:
    """Mean |learner - server| logprob of each accepted swap's probes."""
    found = [row.verify.get("mean_abs_diff") for row in versions if row.status == "live"]
    return [value for value in found if isinstance(value, float)]
