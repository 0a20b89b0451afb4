"""report.html: plots as inline SVG, a table of phases, and episodes to step through. One file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from agent_server.html.page import page_templates, picture_url
from agent_server.html.run_plots import make_plots
from agent_server.run_metrics import Event

MAX_REPLAYS = 6
PHASE_HEAD = (
    "phase",
    "held-out success",
    "95% interval",
    "n",
    "score",
    "entropy",
    "version",
    "episodes",
    "env steps",
    "minutes",
)
PAGES = page_templates(Path(__file__).parent)


def render(report: dict[str, Any], events: Sequence[Event], run_dir: Path) -> str:
    """The page of a report.json, with the events of metrics.jsonl as curves."""
    phases = report["phases"]
    return PAGES.get_template("report.html").render(
        title=f"Deskhand run {report['run_id']}",
        report=report,
        facts=_facts(report),
        phases={"head": PHASE_HEAD, "rows": list(_phase_rows(phases))},
        plots=make_plots(report, events),
        templates=_template_table(phases),
        replays=list(_replays(run_dir)),
    )


def _facts(report: dict[str, Any]) -> dict[str, Any]:
    """The large numbers at the top."""
    throughput, swaps = report["throughput"], report["swaps"]
    return {
        "wall clock": f"{report['wall_s'] / 60:.1f} min",
        "env steps/s": throughput["env_steps_per_s"],
        "idle learner, policy, environments": _format_idle(throughput["idle"]),
        "verified swaps": swaps["count"],
        "failed requests": swaps["failed_requests"],
        "pause p50": f"{swaps['pause_ms']['p50']} ms",
        "mismatch": _format(report["mismatch"]["abs_logprob_mean"], "nats"),
        "staleness max": report["staleness"]["max"],
    }


def _format(value: float | None, unit: str) -> str:
    return "not measured" if value is None else f"{value:.4f} {unit}"


def _format_idle(shares: dict[str, float | None] | None) -> str:
    if shares is None:
        return "not measured"
    values = (shares[name] for name in ("learner", "policy", "environments"))
    return ", ".join("?" if value is None else f"{value:.0%}" for value in values)


def _phase_rows(phases: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A row for each phase, followed by one for each of its unseen sets."""
    for phase in phases:
        result = phase["eval"] or {}
        more = [
            _format(phase["entropy_mean"], ""),
            phase["policy_version"],
            phase["episodes"],
            phase["env_steps"],
            f"{(phase['wall_s'] + phase['eval_s']) / 60:.1f}",
        ]
        yield _eval_row(phase["name"], result, unseen=False, more=more)
        for name, unseen in result.get("unseen", {}).items():
            yield _eval_row(name, unseen, unseen=True, more=[])
            yield from _comparison_rows(f"{name}, ", unseen)
        if reasoning := result.get("reasoning"):
            yield _eval_row("reasoning", reasoning, unseen=False, more=[])
        yield from _comparison_rows("", result)


def _comparison_rows(prefix: str, result: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same tasks greedily, and by agents that read no task."""
    more = {"greedy": result.get("greedy")} | result.get("controls", {})
    for title, figures in more.items():
        if figures is not None:
            yield _eval_row(f"{prefix}{title}", figures, unseen=False, more=[])


def _eval_row(
    name: str, result: dict[str, Any], *, unseen: bool, more: Sequence[Any]
) -> dict[str, Any]:
    if not result:
        blanks = ["not measured"] * 3
        return {"name": name, "unseen": unseen, "success": "-", "cells": [*blanks, *more]}
    low, high = result["ci95"]
    total = result["n"]
    tasks = result.get("tasks", total)
    return {
        "name": name,
        "unseen": unseen,
        "success": f"{result['success_rate']:.1%}",
        "cells": [
            f"{low:.1%} to {high:.1%}",
            total if tasks == total else f"{total} ({tasks} tasks)",
            f"{result['score_mean']:.3f}",
            *more,
        ],
    }


def _template_table(phases: Sequence[dict[str, Any]]) -> dict[str, Any]:
    evaluated = [phase for phase in phases if phase["eval"]]
    rates = [_success_by_template(phase["eval"]) for phase in evaluated]
    names = sorted({name for phase_rates in rates for name in phase_rates})
    return {
        "head": ["template", *(phase["name"] for phase in evaluated)],
        "rows": [
            [name, *(_share(phase_rates.get(name)) for phase_rates in rates)] for name in names
        ],
    }


def _share(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:.0%}"


def _success_by_template(result: dict[str, Any]) -> dict[str, float]:
    """Trained templates by their names, those of unseen sets with the set's name before."""
    rates = {name: row["success_rate"] for name, row in result["by_template"].items()}
    for title, unseen in result.get("unseen", {}).items():
        for name, row in unseen["by_template"].items():
            rates[f"unseen {title}: {name}"] = row["success_rate"]
    for name, row in result.get("reasoning", {}).get("by_template", {}).items():
        rates[name] = row["success_rate"]
    return rates


def _replays(run_dir: Path) -> Iterator[dict[str, Any]]:
    """Episodes that recorded pictures, newest first."""
    episodes = run_dir / "episodes"
    pictures = [*episodes.glob("*/*.jpeg"), *episodes.glob("*/*.jpg")]
    folders = sorted(
        {picture.parent for picture in pictures},
        key=lambda folder: folder.stat().st_mtime,
        reverse=True,
    )
    for folder in folders[:MAX_REPLAYS]:
        summary_path = folder / "summary.json"
        if not summary_path.exists():
            continue
        summary = orjson.loads(summary_path.read_bytes())
        steps = (folder / "steps.jsonl").read_bytes().splitlines()
        yield {
            "phase": summary.get("phase", ""),
            "instruction": summary.get("task", {}).get("instruction", ""),
            "success": bool(summary.get("success")),
            "steps": [_replay_step(folder, orjson.loads(line)) for line in steps],
        }


def _replay_step(folder: Path, step: dict[str, Any]) -> dict[str, Any]:
    """The values of the shared macro `episode_step`."""
    picture = folder / step["screenshot"] if step.get("screenshot") else None
    result, completion = step["result"], step["completion"]
    return {
        "number": step["index"] + 1,
        "picture": picture_url(picture.read_bytes(), picture.name)
        if picture is not None and picture.exists()
        else "",
        "ok": result["ok"],
        "result": "ok" if result["ok"] else f"{result.get('error')}: {result.get('message', '')}",
        "notes": f"policy version {completion['version_min']}",
        "person": (),
        "text": completion["text"],
        "prompt": step["prompt"],
    }
