"""The runs of a study, one after another: each is `deskhand train` in a process of its own.

Guarantees: a run that is finished is not run again, one that was interrupted goes on, and neither
was begun with other settings than the study has now; arms of one seed come before those of the
next, so that what is there is always comparable; a run that fails is tried again a bounded number
of times, then the study goes on without it and says so.
"""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agent_server.stack.local_stack import run_lock
from envs.io.child_process import die_with_parent, inherited_environment, stop_group
from trainer.checkpoints import has_checkpoint
from trainer.config import ConfigError
from trainer.config_changes import changed_keys, describe_changes
from trainer.config_file import load_config, to_toml
from trainer.run_file import NotARun, RunFile
from trainer.study.config import TRUNK, StudyConfig
from trainer.study.fork import fork_run

TRAIN = (sys.executable, "-m", "agent_server", "train")
TRIES = 3
RUN_S = 24 * 3600.0
"""Longest time of one run; a guard."""


@dataclass(slots=True, kw_only=True)
class StudyRuns:
    """`file` is the study's, `folder` holds its runs: ARM/seed-N. `command` trains."""

    study: StudyConfig
    file: Path
    folder: Path
    show: Callable[[str], None] = print
    command: tuple[str, ...] = TRAIN
    failed: list[str] = field(default_factory=list)
    """runs that did not finish, as ARM/seed-N"""

    async def run(self) -> None:
        """Runs what is not finished. Raises ConfigError as `check` does."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with run_lock(self.folder):
            self.check()
            for arm, seed in self._order():
                await self._finish(arm, seed)

    def check(self) -> None:
        """Raises ConfigError where a run began with other settings than the study has now: its
        result would be taken for one of these. Keys that did not exist then count as defaults."""
        for arm, seed in self._order():
            run_dir = self.run_dir(arm, seed)
            if not (is_finished(run_dir) or has_checkpoint(run_dir)):
                continue
            try:
                before = load_config(run_dir / "config.toml")
            except ConfigError as error:
                raise ConfigError(
                    f"arm {arm}, seed {seed}: the settings of {run_dir} cannot be used: {error}; "
                    f"give the study another name, or delete {run_dir}"
                ) from error
            changes = changed_keys(before, self.study.run_config(arm, seed, self.file))
            if changes:
                raise ConfigError(
                    f"arm {arm}, seed {seed}: {run_dir} was begun with other settings than "
                    f"{self.file} has now: {describe_changes(changes)}; give the study another "
                    "name, or delete the folder to run it again"
                )

    def run_dir(self, arm: str, seed: int) -> Path:
        """Where a run is."""
        return self.folder / arm / f"seed-{seed}"

    def _order(self) -> Iterator[tuple[str, int]]:
        for seed in self.study.seeds:
            if self.study.trunk:
                yield TRUNK, seed
            for arm in self.study.arms:
                yield arm, seed

    async def _finish(self, arm: str, seed: int) -> None:
        run_dir = self.run_dir(arm, seed)
        name = f"{arm}/seed-{seed}"
        if is_finished(run_dir):
            self.show(f"{name}: finished")
            return
        trunk = f"{TRUNK}/seed-{seed}"
        if arm != TRUNK and self.study.begins_with_trunk(arm) and trunk in self.failed:
            self.failed.append(name)
            return
        for _ in range(TRIES):
            self.show(f"{name}: running")
            await self._train(arm, seed)
            if is_finished(run_dir):
                self.show(f"{name}: finished")
                return
        self.failed.append(name)
        self.show(f"{name}: failed {TRIES} times; see {self._log(arm, seed)}")

    async def _train(self, arm: str, seed: int) -> None:
        """One process of the run, from where it is."""
        run_dir = self.run_dir(arm, seed)
        run_dir.parent.mkdir(parents=True, exist_ok=True)
        config = self.study.run_config(arm, seed, self.file)
        is_resumed = has_checkpoint(run_dir)
        if not is_resumed:
            shutil.rmtree(run_dir, ignore_errors=True)
            if arm != TRUNK and self.study.begins_with_trunk(arm):
                fork_run(self.run_dir(TRUNK, seed), run_dir, config)
                is_resumed = True
        if is_resumed:
            arguments = ["--resume", str(run_dir)]
        else:
            settings = run_dir.with_suffix(".toml")
            settings.write_text(to_toml(config))
            arguments = ["--config", str(settings), "--runs", str(run_dir.parent)]
            arguments += ["--name", run_dir.name]
        await self._run_process(arguments, self._log(arm, seed))

    async def _run_process(self, arguments: list[str], log: Path) -> None:
        with log.open("ab") as output:
            process = await asyncio.create_subprocess_exec(
                *self.command,
                *arguments,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                env=inherited_environment(),
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        try:
            async with asyncio.timeout(RUN_S):
                await process.wait()
        except TimeoutError:
            self.show(f"a run took longer than {RUN_S / 3600:g} hours and is stopped")
        finally:
            await stop_group(process)

    def _log(self, arm: str, seed: int) -> Path:
        return self.run_dir(arm, seed).with_suffix(".log")


def is_finished(run_dir: Path) -> bool:
    """Whether a run came to its end."""
    try:
        return RunFile.read(run_dir).status == "finished"
    except NotARun:
        return False
