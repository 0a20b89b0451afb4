"""An episode from its artifacts, step by step: for the terminal, or as one HTML page."""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path

from rich.console import Console
from rich.text import Text

from agent_server.episodes.trajectory import Step, Trajectory
from agent_server.store.artifacts import Artifacts

STYLE = (
    "body{font:15px/1.4 system-ui,sans-serif;max-width:1000px;margin:2rem auto;color:#222}"
    ".step{display:grid;grid-template-columns:420px 1fr;gap:1rem;border-top:1px solid #ddd;"
    "padding:.7rem 0}img{width:100%;border:1px solid #ccc}"
    "pre{white-space:pre-wrap;background:#f6f6f6;padding:.5rem;font-size:12px}.person{background:#efe6f7}.bad{color:#b00020}"
)


def load(run_dir: Path, episode_id: str) -> Trajectory:
    """Raises KeyError, naming the episode."""
    return Artifacts(str(run_dir)).read_trajectory(episode_id)


def outcome(step: Step) -> str:
    """One word or sentence on what the step's action did."""
    return "ok" if step.result.ok else f"{step.result.error}: {step.result.message}"


def by_person(step: Step) -> list[str]:
    """What a person did before the step's action, one line an action."""
    return [f"person: {action.model_dump_json(exclude_defaults=True)}" for action in step.person]


def print_trajectory(console: Console, trajectory: Trajectory) -> None:
    summary = trajectory.summary
    task = summary.get("task", {})
    title = str(task.get("instruction", trajectory.episode_id))
    console.print(title, markup=False, highlight=False, style="bold")
    for step in trajectory.steps:
        console.rule(Text(f"step {step.index + 1}  {step.url}"), align="left")
        console.print(step.tree, markup=False, highlight=False, style="dim")
        for line in by_person(step):
            console.print(line, markup=False, highlight=False, style="magenta")
        console.print(step.completion.text, markup=False, highlight=False)
        console.print(outcome(step), markup=False, style="green" if step.result.ok else "red")
    console.rule()
    console.print(
        f"{summary.get('status')} {summary.get('reason') or ''} score {summary.get('score')}",
        markup=False,
    )


def render_html(run_dir: Path, trajectory: Trajectory) -> str:
    """One self-contained page, pictures included."""
    artifacts = Artifacts(str(run_dir))
    task = trajectory.summary.get("task", {})
    title = escape(str(task.get("instruction", trajectory.episode_id)))
    parts = [f"<!doctype html><meta charset=utf-8><title>{title}</title><style>{STYLE}</style>"]
    parts.append(f"<h1>{title}</h1><p>{escape(str(trajectory.summary.get('status')))}, score ")
    parts.append(f"{trajectory.summary.get('score')}</p>")
    for step in trajectory.steps:
        picture = ""
        if step.screenshot:
            data = base64.b64encode(
                artifacts.read_screenshot(trajectory.episode_id, step.screenshot)
            ).decode()
            kind = step.screenshot.rsplit(".", 1)[-1].replace("jpg", "jpeg")
            picture = f'<img src="data:image/{kind};base64,{data}">'
        said = escape("\n".join(by_person(step)))
        person = f"<pre class=person>{said}</pre>" if said else ""
        tone = "" if step.result.ok else " class=bad"
        parts.append(
            f"<div class=step><div>{picture}</div><div><b>step {step.index + 1}</b>"
            f"<span{tone}> {escape(outcome(step))}</span>"
            f"{person}<pre>{escape(step.completion.text)}</pre>"
            f"<details><summary>what it saw</summary><pre>{escape(step.prompt)}</pre></details>"
            "</div></div>"
        )
    return "".join(parts)
