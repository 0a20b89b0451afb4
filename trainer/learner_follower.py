"""A process that makes the leader's calls on its share of the model.

python -m trainer.learner_follower RANK PROCESSES MEETING
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import torch

from trainer.learner_config import LearnerConfig
from trainer.learner_processes import join, leave, process_device, receive
from trainer.sharded_backend import ShardedBackend


def follow(rank: int, world: int, meeting: Path | None) -> None:
    """Makes the calls until the leader ends: its connections close then, also when it is killed.
    Raises what a call raises, and the leader's call fails, too."""
    torch.set_num_threads(1)
    join(rank, world, meeting, process_device(rank))
    if meeting is None:
        # Ctrl-C and torchrun's SIGTERM reach all processes: the leader still needs this one for its
        # last checkpoint, and ends it.
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
    try:
        folder, settings = receive()
        config = LearnerConfig.model_validate(settings)
        backend = ShardedBackend(Path(folder), config)
        while (call := receive()) is not None:
            name, args, options = call
            getattr(backend, name)(*args, **options)
    finally:
        leave()


if __name__ == "__main__":
    follow(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
