"""report.html: plots as inline SVG, a table of phases, and episodes to step through. One file."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from html import escape
from itertools import cycle
from pathlib import Path
from typing import Any

import orjson
from matplotlib.axes import Axes

from agent_server.report_parts import BLUE, GREEN, GREY, ORANGE, PURPLE, SERIES, STYLE, plot

Event = dict[str, Any]
TRAINED = "templates trained on"
MAX_REPLAYS = 6


def render(report: dict[str, Any], events: Sequence[Event], run_dir: Path) -> str:
    phases = report["phases"]
    plots = [
        plot("Held-out success after each phase (95% interval)", lambda axes: _evals(axes, phases)),
        plot("Training success", lambda axes: _curve(axes, events, "success")),
        plot("Entropy of the policy, nats a token", lambda axes: _entropy(axes, events)),
        plot("Episode length, steps", lambda axes: _curve(axes, events, "steps_mean")),
        plot(
            "Train/serve logprob difference, nats a token",
            lambda axes: _curve(axes, events, "mismatch/abs_logprob_mean"),
        ),
        plot("Pause of each swap, ms", lambda axes: _swaps(axes, events)),
        plot("Learner throughput, tokens/s", lambda axes: _curve(axes, events, "tokens_per_s")),
        plot("Groups without signal, stale episodes", lambda axes: _signal(axes, events)),
        plot("Outcomes of all episodes", lambda axes: _outcomes(axes, report["episodes"])),
    ]
    title = f"Deskhand run {escape(report['run_id'])}"
    return (
        f"<!doctype html><meta charset=utf-8><title>{title}</title><style>{STYLE}</style>"
        f"<h1>{title}</h1><p>Preset {escape(report['preset'])}, seed {report['seed']}, commit "
        f"{escape(report['commit'])}, {escape(report['device'])}. {escape(report['split'])}</p>"
        f"{_facts(report)}<h2>Phases</h2>{_phase_table(phases)}"
        f"<h2>Curves</h2><div class=plots>{''.join(plots)}</div>"
        f"<h2>Success by template</h2>{_template_table(phases)}"
        f"<h2>Episodes, step by step</h2>{_replays(run_dir)}"
    )


def _facts(report: dict[str, Any]) -> str:
    throughput, swaps = report["throughput"], report["swaps"]
    facts = {
        "wall clock": f"{report['wall_s'] / 60:.1f} min",
        "env steps/s": throughput["env_steps_per_s"],
        "verified swaps": swaps["count"],
        "failed requests": swaps["failed_requests"],
        "pause p50": f"{swaps['pause_ms']['p50']} ms",
        "mismatch": _number(report["mismatch"]["abs_logprob_mean"], "nats"),
        "staleness max": report["staleness"]["max"],
    }
    cells = "".join(
        f"<div><span>{escape(name)}</span><br><b class=big>{escape(str(value))}</b></div>"
        for name, value in facts.items()
    )
    return f"<div class=facts>{cells}</div>"


def _number(value: float | None, unit: str) -> str:
    return "not measured" if value is None else f"{value:.4f} {unit}"


def _phase_table(phases: Sequence[dict[str, Any]]) -> str:
    head = (
        "<tr><th>phase<th>held-out success<th>95% interval<th>n<th>score<th>entropy<th>version"
        "<th>episodes<th>env steps<th>minutes</tr>"
    )
    rows = []
    for phase in phases:
        result = phase["eval"] or {}
        rows.append(
            f"<tr><td>{escape(phase['name'])}{_eval_cells(result)}"
            f"<td>{_number(phase['entropy_mean'], '')}<td>{phase['policy_version']}"
            f"<td>{phase['episodes']}<td>{phase['env_steps']}"
            f"<td>{(phase['wall_s'] + phase['eval_s']) / 60:.1f}</tr>"
        )
        for name, unseen in result.get("unseen", {}).items():
            rows.append(f"<tr><td>&emsp;unseen: {escape(name)}{_eval_cells(unseen)}</tr>")
    return f"<table>{head}{''.join(rows)}</table>"


def _eval_cells(result: dict[str, Any]) -> str:
    low, high = result.get("ci95", (0, 1))
    return (
        f"<td><b>{result.get('success_rate', 0):.1%}</b><td>{low:.1%} to {high:.1%}"
        f"<td>{result.get('n')}<td>{result.get('score_mean', 0):.3f}"
    )


def _template_table(phases: Sequence[dict[str, Any]]) -> str:
    phases = [phase for phase in phases if phase["eval"]]
    rates = [_rates(phase["eval"]) for phase in phases]
    names = sorted({name for own in rates for name in own})
    head = "".join(f"<th>{escape(phase['name'])}" for phase in phases)
    rows = []
    for name in names:
        cells = "".join(f"<td>{own.get(name, 0.0):.0%}" for own in rates)
        rows.append(f"<tr><td>{escape(name)}{cells}</tr>")
    return f"<table><tr><th>template{head}</tr>{''.join(rows)}</table>"


def _rates(result: dict[str, Any]) -> dict[str, float]:
    """By template; those of unseen sets say so."""
    found = {name: row["success_rate"] for name, row in result["by_template"].items()}
    for title, unseen in result.get("unseen", {}).items():
        for name, row in unseen["by_template"].items():
            found[f"unseen {title}: {name}"] = row["success_rate"]
    return found


def _evals(axes: Axes, phases: Sequence[dict[str, Any]]) -> None:
    """A group of bars a phase: the trained templates, then each unseen set."""
    done = [phase for phase in phases if phase["eval"]]
    titles = [TRAINED, *(done[0]["eval"].get("unseen", {}) if done else ())]
    width = 0.7 / len(titles)
    for at, (title, color) in enumerate(zip(titles, cycle(SERIES), strict=False)):
        results = [
            phase["eval"] if title == TRAINED else phase["eval"]["unseen"][title] for phase in done
        ]
        rates = [result["success_rate"] for result in results]
        low = [result["success_rate"] - result["ci95"][0] for result in results]
        high = [result["ci95"][1] - result["success_rate"] for result in results]
        places = [x + (at - (len(titles) - 1) / 2) * width for x in range(len(done))]
        axes.bar(places, rates, width, yerr=[low, high], color=color, capsize=3, label=title)
    axes.set_xticks(range(len(done)), [phase["name"] for phase in done])
    axes.set_ylim(0, 1)
    if len(titles) > 1:
        axes.legend(fontsize=8, frameon=False)


def _series(events: Sequence[Event], key: str) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for event in events:
        if key in event and event["event"].startswith("reinforce") and "/" not in event["event"]:
            found.setdefault(event["event"], []).append(event[key])
    return found


def _curve(axes: Axes, events: Sequence[Event], key: str) -> None:
    at = 0
    for (name, values), color in zip(
        _series(events, key).items(), (BLUE, ORANGE, GREY), strict=False
    ):
        axes.plot(range(at, at + len(values)), values, marker="o", ms=3, color=color, label=name)
        at += len(values)
    axes.set_xlabel("learner step", fontsize=8)
    if at:
        axes.legend(fontsize=8, frameon=False)


def _entropy(axes: Axes, events: Sequence[Event]) -> None:
    values = [(e.get("entropy_mean", e.get("entropy")), e["event"]) for e in events]
    points = [(value, name) for value, name in values if value is not None]
    names = list(dict.fromkeys(name for _, name in points))
    colors = dict(zip(names, (GREY, BLUE, GREEN, ORANGE, PURPLE), strict=False))
    for name in names:
        xs = [index for index, (_, own) in enumerate(points) if own == name]
        axes.plot(xs, [points[x][0] for x in xs], color=colors.get(name, GREY), label=name)
    axes.set_yscale("log")
    if names:
        axes.legend(fontsize=8, frameon=False)


def _swaps(axes: Axes, events: Sequence[Event]) -> None:
    swaps = [event for event in events if event["event"] == "swap"]
    axes.bar(
        [event["step"] for event in swaps],
        [event["pause_ms"] for event in swaps],
        color=[BLUE if event["accepted"] else "#b00020" for event in swaps],
    )


def _signal(axes: Axes, events: Sequence[Event]) -> None:
    for key, color in (("flat", BLUE), ("stale", ORANGE)):
        values = [value for series in _series(events, key).values() for value in series]
        axes.plot(values, color=color, label=key, marker="o", ms=3)
    axes.legend(fontsize=8, frameon=False)


def _outcomes(axes: Axes, episodes: dict[str, Any]) -> None:
    parts = {key: episodes[key] for key in ("scored", "truncated", "cancelled")}
    parts |= {f"invalid: {reason}": count for reason, count in episodes["invalid"].items()}
    axes.barh(list(parts), list(parts.values()), color=BLUE)
    for index, count in enumerate(parts.values()):
        axes.text(count, index, f" {count}", va="center", fontsize=8)


def _replays(run_dir: Path) -> str:
    """Episodes that recorded pictures, the last phases' first."""
    shown: list[str] = []
    folders = sorted(
        {path.parent for path in (run_dir / "episodes").glob("*/*.jpeg")}
        | {path.parent for path in (run_dir / "episodes").glob("*/*.jpg")},
        key=lambda folder: folder.stat().st_mtime,
        reverse=True,
    )
    for folder in folders[:MAX_REPLAYS]:
        summary_path = folder / "summary.json"
        if not summary_path.exists():
            continue
        summary = orjson.loads(summary_path.read_bytes())
        steps = [orjson.loads(line) for line in (folder / "steps.jsonl").read_bytes().splitlines()]
        task = summary.get("task", {})
        success = summary.get("success")
        mark = "<b class=good>solved</b>" if success else "<b class=bad>not solved</b>"
        body = "".join(_step(folder, step) for step in steps)
        shown.append(
            f"<details><summary>{escape(summary.get('phase', ''))}: "
            f"{escape(task.get('instruction', ''))} {mark}</summary>{body}</details>"
        )
    return "".join(shown) or "<p>No episode recorded pictures.</p>"


def _step(folder: Path, step: dict[str, Any]) -> str:
    picture = ""
    if step.get("screenshot"):
        file = folder / step["screenshot"]
        if file.exists():
            data = base64.b64encode(file.read_bytes()).decode()
            kind = file.suffix.removeprefix(".").replace("jpg", "jpeg")
            picture = f'<img loading=lazy src="data:image/{kind};base64,{data}">'
    result = step["result"]
    verdict = "ok" if result["ok"] else f"{result.get('error')}: {result.get('message', '')}"
    tone = "good" if result["ok"] else "bad"
    versions = step["completion"]
    return (
        f"<div class=step><div>{picture}</div><div><b>step {step['index'] + 1}</b> "
        f"<span class={tone}>{escape(verdict)}</span> policy version {versions['version_min']}"
        f"<pre>{escape(step['completion']['text'])}</pre>"
        f"<details><summary>prompt</summary><pre>{escape(step['prompt'])}</pre></details></div></div>"
    )
