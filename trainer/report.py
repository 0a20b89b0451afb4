"""The report of a run: report.json for programs, report.html for people.

Guarantees: every number comes from the run's folder (database, metrics, run.json); a number that
was not measured is null, never 0; `definitions` says how each figure was measured. It can be
written again at any time, also of a run that was interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from agent_server.provenance import commit, device
from agent_server.run_metrics import REINFORCING, read_metrics
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.queries import Accounting
from agent_server.store.store import Store
from agent_server.store.tables import PolicyVersion
from envs.io.atomic_write import write_whole
from trainer.config_file import load_config
from trainer.context import PhaseRecord
from trainer.final_policy import final_figures
from trainer.idle import Busy, idle_shares, measure_busy, policy_requests
from trainer.paired import paired_phases
from trainer.phases.supervised import MAX_MINUTES
from trainer.report_html import render
from trainer.report_rows import (
    EpisodeRow,
    busy_s,
    count_steps,
    count_versions,
    mean_steps,
    read_rows,
)
from trainer.run_file import RunFile

SUPERVISED_UPDATES = 20
"""Last updates of a supervised phase whose entropy counts."""
SPLIT = (
    "Held-out tasks are of the split {split}; training tasks come from seeds below 1,000,000,000, "
    "test from there on and dev from 2,000,000,000 on: no seed is in two. People, firms and "
    "products of the kit's apps have names that no other split has. Stopping rules see dev tasks "
    "only."
)
SHARED = " Templates are shared."
UNSEEN = (
    " Held-out success is of templates that were trained on; no task of a template in the unseen "
    "sets ({names}) was trained on."
)
DEFINITIONS = {
    "success_rate": "held-out episodes with score >= 1 / episodes submitted; lost ones count as "
    "not solved",
    "ci95": "Wilson score interval; episodes of one task are taken to end alike, so that n "
    "episodes are worth n^2 / (sum of squares of the episodes of each task)",
    "tasks": "different tasks among the n episodes",
    "ended_by_time": "phases that the guard max_minutes ended before their work was done",
    "unseen": "the same of task sets (eval.unseen) whose templates are never trained on, after the "
    "last phase",
    "reasoning": "held-out problems in text that the verifier calls right / problems asked, at "
    "eval.temperature; no problem of its text is ever trained on",
    "generalisation": "the unseen sets of the last phase and its suites (eval.suites: new tasks of "
    "templates that may be trained on), by name",
    "template_mean": "mean over the templates of a set of their success rates",
    "templates_at_90": "templates of a set with a success rate of at least 0.9",
    "greedy": "the same tasks at temperature 0",
    "controls": "tasks of the same set by an agent that only says done (noop) and by one that acts "
    "at random, which read no task",
    "paired": "two phases on the same held-out tasks: what only one of them solved (of a task that "
    "was tried several times: solved more often), and the two-sided p of McNemar's exact test; it "
    "says nothing of another seed of training",
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
    "final": "the policy that is best on dev tasks among those at the ends of the phases: its "
    "figures on the split that is reported, and each phase's on dev tasks. Greedy, unseen sets and "
    "controls in the last phase's entry are of it",
    "staleness": "learner's version - oldest version of a token of the episode, over the episodes "
    "trained on",
    "refused_share": "episodes refused when they ended (episodes_refused) or cancelled while they "
    "ran (episodes_cancelled) because they were too old / these and the episodes trained on",
    "steps_mean_kept": "steps an episode that was trained on; steps_mean_all: that came to its own "
    "end, trained on or not. A difference is a bias of what is trained on",
    "idle": "of the seconds of the reinforce phases, evaluations left out: learner, share outside "
    "its steps; policy, share in which no episode waited for an answer; environments, share of the "
    "workers' slots, each second, that had no episode",
    "entropy_mean": "of the policy on the completion tokens it was trained on, nats a token; of "
    f"supervised phases the last {SUPERVISED_UPDATES} updates",
    "entropy_fixed": "of the policy at the end of the phase on fixed states (states.count), the "
    "same in all phases: steps of dev demonstrations, or of the first learner step without any",
    "flat_share": "groups whose rewards were all equal / groups of the phase, mean over its "
    "learner steps",
}


def write_report(run_dir: Path, settings: Settings | None = None) -> dict[str, Any]:
    """Writes report.json and report.html into the run folder; `settings` name the run's database,
    if it is not in there. Raises NotARun."""
    run = RunFile.read(run_dir)
    config = load_config(run_dir / "config.toml")
    with Store.open(settings or Settings(run_dir=run_dir)) as store:
        artifacts = Artifacts((settings or Settings(run_dir=run_dir)).artifacts)
        report = build_report(run, store, artifacts, config.model_dump(mode="json"))
    write_whole(run_dir / "report.json", [orjson.dumps(report, option=orjson.OPT_INDENT_2)])
    html = render(report, read_metrics(run_dir), run_dir)
    write_whole(run_dir / "report.html", [html.encode()])
    return report


def read_report(run_dir: Path) -> dict[str, Any]:
    """report.json of a finished run. It is written first where there is none from after the end: a
    run that is stopped while it writes its report has finished. Raises NotARun."""
    path = run_dir / "report.json"
    if path.is_file():
        report: dict[str, Any] = orjson.loads(path.read_bytes())
        if report["status"] == "finished":
            return report
    return write_report(run_dir)


def build_report(
    run: RunFile, store: Store, artifacts: Artifacts, config: dict[str, Any]
) -> dict[str, Any]:
    """The content of report.json."""
    counts = store.episodes.accounting(run.run_id)
    versions = [row for row in store.runs.versions(run.run_id) if row.pause_ms is not None]
    by_phase = read_rows(store, run.run_id)
    busy = {
        record.name: measure_busy(record, rows, policy_requests(artifacts, rows))
        for record in run.records
        if record.kind in REINFORCING and (rows := by_phase.get(record.name, []))
    }
    unseen = config["eval"]["unseen"]
    return {
        "run_id": run.run_id,
        "preset": run.preset,
        "seed": run.seed,
        "status": run.status,
        "wall_s": round(run.wall_s, 1),
        "commit": commit() or "unknown",
        "device": device(),
        "split": SPLIT.format(split=config["eval"]["split"])
        + (UNSEEN.format(names=", ".join(unseen)) if unseen else SHARED),
        "phases": [
            _phase_figures(record, by_phase, busy.get(record.name)) for record in run.records
        ],
        "final": final_figures(run.records),
        "paired": paired_phases([(r.name, r.eval) for r in run.records if r.eval]),
        "generalisation": _generalisation(run.records),
        "ended_by_time": [r.name for r in run.records if r.ended_by == MAX_MINUTES],
        "episodes": {
            "dispatched": counts.dispatched,
            "scored": counts.scored,
            "truncated": counts.truncated,
            "invalid": counts.invalid,
            "cancelled": counts.cancelled,
            "retried": counts.retried,
        },
        "swaps": _swap_figures(versions, counts),
        "throughput": _throughput_figures(run, by_phase, counts)
        | {"idle": idle_shares(sum(busy.values(), Busy())) if busy else None},
        "mismatch": _mismatch_figures(run.records, versions),
        "staleness": _staleness_figures(run, by_phase),
        "definitions": DEFINITIONS,
        "config": config,
    }


def _phase_figures(
    record: PhaseRecord, by_phase: dict[str, list[EpisodeRow]], busy: Busy | None
) -> dict[str, Any]:
    rows = by_phase.get(record.name, [])
    eval_rows = by_phase.get(f"{record.name}/eval", [])
    entropies = record.entropies
    if record.kind not in REINFORCING:
        entropies = entropies[-SUPERVISED_UPDATES:]
    return {
        "name": record.name,
        "kind": record.kind,
        "policy_version": record.policy_version,
        "eval": _without_solved(record.eval) or None,
        "dev": _without_solved(record.dev) or None,
        "entropy_mean": float(np.mean(entropies)) if entropies else None,
        "entropy_fixed": record.entropy_fixed,
        "flat_share": float(np.mean([r.flat for r in record.readings]))
        if record.readings
        else None,
        "episodes": len(rows),
        "env_steps": count_steps(rows),
        "policy_versions": count_versions(rows),
        "eval_policy_versions": count_versions(eval_rows),
        "eval_env_steps": count_steps(eval_rows),
        "iterations": record.iterations,
        "ended_by": record.ended_by,
        "idle": None if busy is None else idle_shares(busy),
        "wall_s": round(record.wall_s, 1),
        "eval_s": round(record.eval_s, 1),
        "eval_more_s": round(record.eval_more_s, 1),
    }


def _without_solved(result: dict[str, Any]) -> dict[str, Any]:
    """Figures without the lists of tasks, which run.json has."""
    return {
        key: _without_solved(value) if isinstance(value, dict) else value
        for key, value in result.items()
        if key != "solved"
    }


def _generalisation(records: Sequence[PhaseRecord]) -> dict[str, Any] | None:
    """Of the last phase, what was never trained on and the suites, by the name of the set; null
    before."""
    last = records[-1].eval if records else {}
    sets = {**last.get("unseen", {}), **last.get("suites", {})}
    return _without_solved(sets) if sets else None


def _swap_figures(versions: Sequence[PolicyVersion], counts: Accounting) -> dict[str, Any]:
    pauses = [row.pause_ms for row in versions if row.pause_ms is not None]
    return {
        "count": sum(row.status == "live" for row in versions),
        "rejected": sum(row.status == "rejected" for row in versions),
        "failed_requests": counts.invalid.get("policy_error", 0)
        + counts.invalid.get("policy_timeout", 0),
        "pause_ms": {"p50": _percentile(pauses, 50), "p95": _percentile(pauses, 95)},
    }


def _throughput_figures(
    run: RunFile, by_phase: dict[str, list[EpisodeRow]], counts: Accounting
) -> dict[str, Any]:
    reinforced = _training_rows(run, by_phase)
    evaluated = [
        row
        for record in run.records
        for suffix in ("eval", "dev")
        for row in by_phase.get(f"{record.name}/{suffix}", ())
    ]
    return {
        "env_steps_per_s": _rate(count_steps(reinforced), busy_s(reinforced)),
        "env_steps_per_s_eval": _rate(
            count_steps(evaluated), sum(record.eval_s for record in run.records)
        ),
        "trained_tokens_per_s": _rate(
            sum(record.learner_tokens for record in run.records),
            sum(record.learner_s for record in run.records),
        ),
        "episodes_per_min": _rate(60 * (counts.scored + counts.truncated), run.wall_s),
    }


def _staleness_figures(run: RunFile, by_phase: dict[str, list[EpisodeRow]]) -> dict[str, Any]:
    staleness, rows = run.staleness, _training_rows(run, by_phase)
    lost = staleness.refused + staleness.cancelled
    return {
        "mean": staleness.mean if staleness.count else None,
        "max": staleness.worst if staleness.count else None,
        "episodes_refused": staleness.refused,
        "episodes_cancelled": staleness.cancelled,
        "refused_share": lost / (lost + staleness.count) if staleness.count else None,
        "steps_mean_kept": staleness.steps / staleness.count if staleness.count else None,
        "steps_mean_all": mean_steps(rows),
    }


def _training_rows(run: RunFile, by_phase: dict[str, list[EpisodeRow]]) -> list[EpisodeRow]:
    """Training episodes of all reinforce phases."""
    records = [record for record in run.records if record.kind in REINFORCING]
    return [row for record in records for row in by_phase.get(record.name, ())]


def _mismatch_figures(
    records: Sequence[PhaseRecord], versions: Sequence[PolicyVersion]
) -> dict[str, Any]:
    steps = [step for record in records for step in record.mismatches]
    return {
        "abs_logprob_mean": _weighted_mean([(diff, tokens) for diff, _, tokens in steps]),
        "k3_mean": _weighted_mean([(k3, tokens) for _, k3, tokens in steps]),
        "tokens": sum(tokens for _, _, tokens in steps),
        "probe_abs_logprob_mean": _weighted_mean(
            [(diff, 1.0) for diff in _probe_differences(versions)]
        ),
    }


def _probe_differences(versions: Sequence[PolicyVersion]) -> list[float]:
    """Mean |learner - server| logprob of each accepted swap's probes."""
    differences = [row.verify.get("mean_abs_diff") for row in versions if row.status == "live"]
    return [value for value in differences if isinstance(value, float)]


def _percentile(values: Sequence[float], percent: float) -> float | None:
    return round(float(np.percentile(values, percent)), 2) if values else None


def _rate(amount: float, seconds: float) -> float | None:
    return round(amount / seconds, 2) if seconds > 0 else None


def _weighted_mean(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Mean of the values of (value, weight) pairs."""
    total = sum(weight for _, weight in pairs)
    return sum(value * weight for value, weight in pairs) / total if total else None
