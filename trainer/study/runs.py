"""The runs of a study, one after another: each is `deskhand train` in a process of its own.

Guarantees: a run that is finished, here or as a row of results.jsonl, is not run again, one that
was interrupted goes on, and neither was begun with other settings than the study has now; arms of
one seed come before those of the next, so that what is there is always comparable; a run that fails
is tried again a bounded number of times, then the study goes on without it and says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agent_server.stack.local_stack import run_lock
from envs.io.child_process import die_with_parent, inherited_environment, stop_group
from trainer.checkpoints import has_checkpoint
from trainer.config import ConfigError, TrainConfig
from trainer.config_changes import changed_keys, describe_changes
from trainer.config_file import load_config, to_toml
from trainer.run_file import NotARun, RunFile
from trainer.study.config import TRUNK, StudyConfig
from trainer.study.fork import fork_run
from trainer.study.progress import PhaseReporter
from trainer.study.rows import NAME as ROWS
from trainer.study.rows import Row, make_row, read_rows, row_config

TRAIN = (sys.executable, "-m", "agent_server", "train")
TRIES = 3
LOOK_S = 5.0
"""How often the progress of a run is looked at."""
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
    recorded: dict[tuple[str, int], Row] = field(init=False)
    """rows of results.jsonl as the study found it, by arm and seed"""

    def __post_init__(self) -> None:
        self.recorded = read_rows(self.folder)

    async def run(self) -> None:
        """Runs what is not finished. Raises ConfigError as `check` does."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with run_lock(self.folder):
            self.check()
            order = list(self._order())
            for place, (arm, seed) in enumerate(order, 1):
                await self._finish(arm, seed, f"[{place}/{len(order)}] {arm}/seed-{seed}")

    def check(self) -> None:
        """Raises ConfigError where a run began with other settings than the study has now: its
        result would be taken for one of these. Keys that did not exist then count as defaults."""
        for arm, seed in self._order():
            before = self._settings_before(arm, seed)
            changes = before and changed_keys(before, self.study.run_config(arm, seed, self.file))
            if changes:
                raise ConfigError(
                    f"arm {arm}, seed {seed}: {self._place(arm, seed)} was begun with other "
                    f"settings than {self.file} has now: {describe_changes(changes)}; give the "
                    f"study another name, or delete {self._remains(arm, seed)} to run it again"
                )

    def _settings_before(self, arm: str, seed: int) -> TrainConfig | None:
        """None: nothing of this run is here."""
        run_dir = self.run_dir(arm, seed)
        try:
            if self._is_recorded(arm, seed):
                return row_config(self.recorded[arm, seed], self.file)
            if has_checkpoint(run_dir) or is_finished(run_dir):
                return load_config(run_dir / "config.toml")
            return None
        except ConfigError as error:
            raise ConfigError(
                f"arm {arm}, seed {seed}: the settings of {self._place(arm, seed)} cannot be used: "
                f"{error}; give the study another name, or delete {self._remains(arm, seed)}"
            ) from error

    def rows(self) -> dict[tuple[str, int], Row]:
        """Of every run that is finished, by arm and seed: from its folder, or else as recorded."""
        rows = {}
        for arm in self.study.arms:
            for seed in self.study.seeds:
                if is_finished(self.run_dir(arm, seed)):
                    rows[arm, seed] = make_row(arm, seed, self.run_dir(arm, seed), self.file)
                elif self._is_recorded(arm, seed):
                    rows[arm, seed] = self.recorded[arm, seed]
        return rows

    def _is_recorded(self, arm: str, seed: int) -> bool:
        """Whether a run is finished elsewhere: here is its row alone."""
        return (arm, seed) in self.recorded and not is_finished(self.run_dir(arm, seed))

    def _is_finished(self, arm: str, seed: int) -> bool:
        return is_finished(self.run_dir(arm, seed)) or (arm, seed) in self.recorded

    def _place(self, arm: str, seed: int) -> Path:
        """Where what is known of a run is."""
        if self._is_recorded(arm, seed):
            return self.folder / ROWS
        return self.run_dir(arm, seed)

    def _remains(self, arm: str, seed: int) -> str:
        """What has to go before it is run again."""
        if self._is_recorded(arm, seed):
            return "its line"
        line = f" and its line in {ROWS}" if (arm, seed) in self.recorded else ""
        return f"the folder{line}"

    def run_dir(self, arm: str, seed: int) -> Path:
        """Where a run is."""
        return self.folder / arm / f"seed-{seed}"

    def _order(self) -> Iterator[tuple[str, int]]:
        for seed in self.study.seeds:
            if self._needs_trunk(seed):
                yield TRUNK, seed
            for arm in self.study.arms:
                yield arm, seed

    def _needs_trunk(self, seed: int) -> bool:
        """Whether an arm still has to continue from it."""
        begins = self.study.begins_with_trunk
        return any(begins(arm) and not self._is_finished(arm, seed) for arm in self.study.arms)

    async def _finish(self, arm: str, seed: int, title: str) -> None:
        name = f"{arm}/seed-{seed}"
        if self._is_finished(arm, seed):
            self.show(f"{title}: finished")
            return
        trunk = f"{TRUNK}/seed-{seed}"
        if arm != TRUNK and self.study.begins_with_trunk(arm) and trunk in self.failed:
            self.failed.append(name)
            return
        for _ in range(TRIES):
            self.show(f"{title}: running")
            await self._train(arm, seed, title)
            if self._is_finished(arm, seed):
                self.show(f"{title}: finished")
                return
        self.failed.append(name)
        self.show(f"{title}: failed {TRIES} times; see {self._log(arm, seed)}")

    async def _train(self, arm: str, seed: int, title: str) -> None:
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
        phases = PhaseReporter(run_dir, title, self.show)
        await self._run_process(arguments, self._log(arm, seed), phases)

    async def _run_process(self, arguments: list[str], log: Path, phases: PhaseReporter) -> None:
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
                while process.returncode is None:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(process.wait(), LOOK_S)
                    phases.tell()
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
