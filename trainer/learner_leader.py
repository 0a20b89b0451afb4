"""The sharded backend of a run: starts the followers, and ends them with itself."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
from pathlib import Path

from transformers import PreTrainedModel

from trainer.learner_config import LearnerConfig
from trainer.learner_processes import (
    end_followers,
    is_launched,
    join,
    launch_problem,
    leave,
    process_device,
    start_followers,
    tell,
)
from trainer.sharded_backend import ShardedBackend


class LeadingBackend(ShardedBackend):
    """`source` is a model's folder, which all processes read.

    Raises ValueError for a model in memory, and as `ShardedBackend` does. A call that a follower
    does not survive raises RuntimeError, and so do those after it."""

    def __init__(self, source: PreTrainedModel | Path, config: LearnerConfig) -> None:
        if not isinstance(source, Path):
            raise ValueError("learner.processes > 1 reads the model from a folder")
        if problem := launch_problem(config.processes):
            raise ValueError(problem)
        self.followers: list[subprocess.Popen[bytes]] = []
        self._is_open = True
        with tempfile.TemporaryDirectory(prefix="deskhand-learner-") as folder:
            meeting = None
            if not is_launched():
                meeting = Path(folder) / "meeting"
                self.followers = start_followers(config.processes, meeting)
            try:
                join(0, config.processes, meeting, process_device(0))
                tell((str(source.resolve()), config.model_dump(mode="json")))
                super().__init__(source, config)
            except BaseException:
                self._kill_followers()
                raise

    def close(self) -> None:
        """Ends the followers."""
        if not self._is_open:
            return
        self._is_open = False
        # Where a follower has died, nobody can be told; the others have seen it and end, too.
        with contextlib.suppress(RuntimeError):
            tell(None)
        leave()
        end_followers(self.followers)
        self.followers = []

    def _kill_followers(self) -> None:
        for follower in self.followers:
            follower.kill()
            follower.wait()
        self.followers = []
        with contextlib.suppress(RuntimeError, ValueError, AssertionError):
            leave()
