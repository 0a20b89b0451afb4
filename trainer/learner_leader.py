"""The sharded backend of a run: starts the followers, and ends them with itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

from transformers import PreTrainedModel

from envs.providers.local import free_port
from trainer.learner_config import LearnerConfig
from trainer.learner_processes import end_followers, join, leave, start_followers, tell
from trainer.sharded_backend import ShardedBackend, process_device


class LeadingBackend(ShardedBackend):
    """`source` is a model's folder, which all processes read.

    Raises ValueError for a model in memory, and as `ShardedBackend` does."""

    def __init__(self, source: PreTrainedModel | Path, config: LearnerConfig) -> None:
        if not isinstance(source, Path):
            raise ValueError(
                "learner.processes > 1 reads the model from a folder: set model.path or "
                "model.family"
            )
        port = free_port()
        self._followers: list[subprocess.Popen[bytes]] = start_followers(config.processes, port)
        try:
            join(0, config.processes, port, process_device(0))
            tell((str(source.resolve()), config.model_dump(mode="json")))
            super().__init__(source, config)
        except BaseException:
            for follower in self._followers:
                follower.kill()
            raise

    def close(self) -> None:
        """Ends the followers."""
        if self._followers:
            tell(None)
            leave()
            end_followers(self._followers)
            self._followers = []
