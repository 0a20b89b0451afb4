"""`deskhand replay`: a recorded episode step by step, on the terminal or as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from agent_server.episodes.trajectory import Step, Trajectory
from agent_server.html.page import page_templates, picture_url
from agent_server.store.artifacts import Artifacts


def load(run_dir: Path, episode_id: str) -> Trajectory:
    """Read a recorded episode. Raises KeyError, naming the episode."""
    return Artifacts(str(run_dir)).read_trajectory(episode_id)


def print_trajectory(console: Console, trajectory: Trajectory) -> None:
    """Print every step with its tree, answer and result. Recorded text is never read as markup."""
    summary = trajectory.summary
    console.print(_title(trajectory), markup=False, highlight=False, style="bold")
    for step in trajectory.steps:
        console.rule(Text(f"step {step.index + 1}  {step.url}"), align="left")
        console.print(step.tree, markup=False, highlight=False, style="dim")
        for line in step.person_lines:
            console.print(line, markup=False, highlight=False, style="magenta")
        console.print(step.completion.text, markup=False, highlight=False)
        console.print(step.outcome, markup=False, style="green" if step.result.ok else "red")
    console.rule()
    console.print(
        f"{summary.get('status')} {summary.get('reason') or ''} score {summary.get('score')}",
        markup=False,
    )


def render_html(run_dir: Path, trajectory: Trajectory) -> str:
    """One self-contained page, pictures included."""
    artifacts = Artifacts(str(run_dir))
    template = page_templates(Path(__file__).parent).get_template("replay.html")
    return template.render(
        title=_title(trajectory),
        status=trajectory.summary.get("status"),
        score=trajectory.summary.get("score"),
        steps=[_step_entry(artifacts, trajectory.episode_id, step) for step in trajectory.steps],
    )


def _title(trajectory: Trajectory) -> str:
    return str(trajectory.summary.get("task", {}).get("instruction", trajectory.episode_id))


def _step_entry(artifacts: Artifacts, episode_id: str, step: Step) -> dict[str, Any]:
    """Keys as `episode_step` of parts.html wants them."""
    picture = ""
    if step.screenshot:
        data = artifacts.read_screenshot(episode_id, step.screenshot)
        picture = picture_url(data, step.screenshot)
    return {
        "number": step.index + 1,
        "picture": picture,
        "ok": step.result.ok,
        "result": step.outcome,
        "person": step.person_lines,
        "text": step.completion.text,
        "prompt": step.prompt,
        "notes": "",
    }
