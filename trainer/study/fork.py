"""A run that continues from a copy of another one's end, with other phases behind it.

What is copied is what a resumed run needs: the newest checkpoint, its policy version, the database
and the episodes. Guarantees: the copy appears whole or not at all; weights, optimizer, reference,
curriculum, kept successes and random numbers are those of the original's end. The folders have the
same name, by which the database knows the run.
"""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Any

from agent_server.policy.manifest import version_folder
from trainer.checkpoints import load_checkpoint
from trainer.config import TrainConfig
from trainer.config_file import load_config, to_toml
from trainer.phase_order import unused_sections
from trainer.run_file import RunFile

LEFT_OUT = ("lock", "logs", "stack.json", "report.json", "report.html", "checkpoints", "policy")


class CannotFork(Exception):
    """A run that cannot be continued in this way; one sentence."""


def fork_run(source: Path, target: Path, config: TrainConfig) -> None:
    """Copies a finished run to a folder that does not exist. Raises CannotFork."""
    before = load_config(source / "config.toml")
    run = RunFile.read(source)
    if run.status != "finished":
        raise CannotFork(f"{source} is not finished: finish it first")
    if config.schedule[: len(before.schedule)] != before.schedule:
        raise CannotFork(f"{target} does not begin with the phases of {source}")
    if source.name != target.name:
        raise CannotFork(f"{target} must be called {source.name}, as the run that it continues")
    same: dict[str, Any] = {
        key: getattr(before, key)
        for key in ("schedule", "preset", "phase", *unused_sections(before.schedule))
    }
    if config.model_copy(update=same) != before:
        raise CannotFork(f"{target} differs from {source} in more than the phases behind it")
    partial = target.with_name(f".{target.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    shutil.copytree(
        source, partial, symlinks=True, ignore=lambda folder, _: _left_out(source, folder)
    )
    newest = max((source / "checkpoints").glob("step-*"))
    shutil.copytree(newest, partial / "checkpoints" / newest.name)
    version = int(load_checkpoint(source)["version"])
    # Version 0 too: of a run that trains an adapter it is the base.
    for number in {0, version}:
        folder = version_folder(source / "policy", number)
        if folder.is_dir():
            shutil.copytree(folder, partial / "policy" / folder.name, symlinks=True)
    (partial / "config.toml").write_text(to_toml(config))
    # Not finished: the phases behind it are missing.
    dataclasses.replace(run, preset=config.preset, status="interrupted").write(partial)
    partial.rename(target)


def _left_out(source: Path, folder: str) -> set[str]:
    return set(LEFT_OUT) if Path(folder) == source else set()
