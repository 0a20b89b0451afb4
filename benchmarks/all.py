"""`deskhand bench all`: every benchmark in turn, its JSON in one folder, docs/figures.md from them.

Each runs in a process of its own, so that memory and threads of one do not show in the next.
Guarantees: nothing is measured on changed files unless that is asked for; a benchmark that fails
does not stop the others and keeps its older file; Ctrl-C ends the running one and the rest.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from agent_server.provenance import ROOT, commit
from benchmarks.figures_page import RESULTS, update_page

PARTS = (
    *("browser", "gyms", "policy", "learner", "models", "console", "desktop", "eval"),
    *("script", "guard", "scale", "scale_model", "api", "pipeline", "pipeline_remote"),
)
"""Each is a file of that name."""
FOLDER = "FOLDER"
"""In a command, where the files go."""
COMMANDS = {
    "scale": ("scale", "--part", "dispatch"),
    "scale_model": ("scale", "--part", "model", "--plots", FOLDER),
    "pipeline": ("pipeline", "--part", "local"),
    "pipeline_remote": ("pipeline", "--part", "remote"),
}
"""Of the files that are not named as their command is."""


class ChangedFiles(Exception):
    """The checkout differs from its commit, so that its figures could not be repeated."""


def run(folder: Path, parts: Sequence[str] = PARTS, allow_changes: bool = False) -> list[str]:
    """Runs the parts; returns those that failed. Raises ChangedFiles."""
    if commit().endswith("+") and not allow_changes:
        raise ChangedFiles(
            "files differ from the last commit, so nobody could repeat these figures: "
            "commit them first, or pass --allow-changes"
        )
    console, failed = Console(), []
    for number, part in enumerate(parts, start=1):
        console.rule(f"{number} of {len(parts)}: {part}")
        json = folder / f"{part}.json"
        words = [str(folder) if w == FOLDER else w for w in COMMANDS.get(part, (part,))]
        command = [sys.executable, "-m", "agent_server", "bench", *words, "--json", str(json)]
        if subprocess.run(command, check=False).returncode != 0:
            failed.append(part)
    if folder.resolve() == RESULTS and not allow_changes:
        update_page()
        console.print(f"docs/figures.md and {RESULTS.relative_to(ROOT)} have the new figures")
    return failed
