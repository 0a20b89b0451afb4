"""The report of a run: report.json for programs, report.html for people.

Guarantees: every number comes from the run's database, metrics and artifacts; a number that was not
measured is null, never 0. `write_report` can be called again on a finished run's folder.
"""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from sqlalchemy import func, select

from agent_server.policy.swap import SwapReport
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from trainer.collector import Staleness
from trainer.context import Context, PhaseRecord
from trainer.metrics import read_metrics
from trainer.report_html import render

SPLIT = (
    "Training tasks come from seeds below 1,000,000,000, held-out tasks from seeds at or above it; "
    "no seed is in both. Templates are shared."
)


def write_report(context: Context, wall_s: float) -> dict[str, Any]:
    """Writes report.json and report.html into the run folder."""
    swaps = [] if context.stack.swapper is None else context.stack.swapper.reports
    report = build_report(
        run_id=context.run_id,
        preset=context.config.preset,
        seed=context.config.seed,
        wall_s=wall_s,
        records=context.records,
        store=context.store,
        swaps=swaps,
        staleness=context.collector.staleness,
        config=context.config.model_dump(mode="json"),
    )
    (context.run_dir / "report.json").write_bytes(
        orjson.dumps(report, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY)
    )
    html = render(report, read_metrics(context.run_dir), context.run_dir)
    (context.run_dir / "report.html").write_text(html)
    return report


def build_report(
    *,
    run_id: str,
    preset: str,
    seed: int,
    wall_s: float,
    records: Sequence[PhaseRecord],
    store: Store,
    swaps: Sequence[SwapReport],
    staleness: Staleness,
    config: dict[str, Any],
) -> dict[str, Any]:
    counts = store.episodes.accounting(run_id)
    by_phase = _by_phase(store, run_id)
    phases = [_phase(record, by_phase) for record in records]
    eval_steps = sum(by_phase.get(f"{r.name}/eval", {}).get("env_steps", 0) for r in records)
    eval_s = sum(record.eval_s for record in records)
    rl = [record for record in records if record.kind == "reinforce"]
    rl_s = sum(record.wall_s for record in rl)
    rl_steps = sum(by_phase.get(record.name, {}).get("env_steps", 0) for record in rl)
    learner_s = sum(record.learner_s for record in records)
    tokens = sum(record.learner_tokens for record in records)
    ended = counts.scored + counts.truncated
    pairs = [pair for record in records for pair in record.mismatches]
    pauses = [swap.pause_ms for swap in swaps]
    return {
        "run_id": run_id,
        "preset": preset,
        "seed": seed,
        "wall_s": round(wall_s, 1),
        "commit": commit(),
        "device": device(),
        "split": SPLIT,
        "phases": phases,
        "episodes": {
            "dispatched": counts.dispatched,
            "scored": counts.scored,
            "truncated": counts.truncated,
            "invalid": counts.invalid,
            "cancelled": counts.cancelled,
            "retried": counts.retried,
        },
        "swaps": {
            "count": sum(swap.accepted for swap in swaps),
            "rejected": sum(not swap.accepted for swap in swaps),
            "failed_requests": counts.invalid.get("policy_error", 0)
            + counts.invalid.get("policy_timeout", 0),
            "pause_ms": {"p50": _percentile(pauses, 50), "p95": _percentile(pauses, 95)},
        },
        "throughput": {
            "env_steps_per_s": _ratio(eval_steps, eval_s),
            "env_steps_per_s_while_training": _ratio(rl_steps, rl_s),
            "trained_tokens_per_s": _ratio(tokens, learner_s),
            "episodes_per_min": _ratio(60 * ended, wall_s),
        },
        "mismatch": {
            "abs_logprob_mean": _weighted([(a, n) for a, _, n in pairs]),
            "k3_mean": _weighted([(k, n) for _, k, n in pairs]),
        },
        "staleness": {"mean": staleness.mean, "max": staleness.worst},
        "config": config,
    }


def _phase(record: PhaseRecord, by_phase: dict[str, dict[str, Any]]) -> dict[str, Any]:
    own = by_phase.get(record.name, {})
    evaluated = by_phase.get(f"{record.name}/eval", {})
    tail = record.entropies[-20:] if record.kind != "reinforce" else record.entropies
    return {
        "name": record.name,
        "kind": record.kind,
        "policy_version": record.policy_version,
        "eval": record.eval,
        "entropy_mean": float(np.mean(tail)) if tail else None,
        "episodes": own.get("episodes", 0),
        "env_steps": own.get("env_steps", 0),
        "episode_versions": own.get("versions"),
        "eval_versions": evaluated.get("versions"),
        "eval_env_steps": evaluated.get("env_steps", 0),
        "iterations": record.iterations,
        "wall_s": round(record.wall_s, 1),
        "eval_s": round(record.eval_s, 1),
    }


def _by_phase(store: Store, run_id: str) -> dict[str, dict[str, Any]]:
    """Episodes, steps and policy versions of each phase, from the database."""
    table: Any = Episode.__table__  # type: ignore[attr-defined]
    columns = table.c
    statement = (
        select(
            columns.phase,
            func.count(),
            func.sum(columns.steps),
            func.min(columns.version_min),
            func.max(columns.version_max),
        )
        .where(columns.run_id == run_id)
        .group_by(columns.phase)
    )
    with store.engine.connect() as db:
        return {
            phase: {
                "episodes": episodes,
                "env_steps": int(steps or 0),
                "versions": None if low is None else [low, high],
            }
            for phase, episodes, steps, low, high in db.execute(statement)
        }


def _percentile(values: Sequence[float], at: float) -> float | None:
    return round(float(np.percentile(values, at)), 2) if values else None


def _ratio(amount: float, seconds: float) -> float | None:
    return round(amount / seconds, 2) if seconds > 0 else None


def _weighted(pairs: Sequence[tuple[float, float]]) -> float | None:
    weight = sum(count for _, count in pairs)
    return sum(value * count for value, count in pairs) / weight if weight else None


def commit() -> str:
    """The commit of the code, with a mark when it was changed since."""
    root = Path(__file__).resolve().parents[1]
    try:
        found = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=root,
            capture_output=True,
            text=True,
            timeout=10,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return "unknown"
    return found.stdout.strip()


def device() -> str:
    cores = len(os.sched_getaffinity(0))
    model = platform.processor() or platform.machine()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{model}, {cores} cores"
