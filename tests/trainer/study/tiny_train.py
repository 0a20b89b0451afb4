"""`deskhand train` without browser and policy server: the same arguments, the same run folder, a
real learner and schedule, episodes that a scripted worker finishes."""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path

from agent_server.store.tables import Episode
from tests.trainer.tiny_run import open_context, working
from trainer.checkpoints import load_checkpoint
from trainer.config import TrainConfig
from trainer.config_file import load_config, load_to_resume, to_toml
from trainer.context import Context
from trainer.phases.schedule import Position, make_run_file, restore, run_schedule
from trainer.report import write_report


def solves(row: Episode) -> bool:
    """Half of every group, and half of the held-out tasks."""
    return row.policy == "oracle" or (row.slot + row.task["seed"]) % 2 == 0


async def train(context: Context, position: Position) -> None:
    began = time.monotonic()
    make_run_file(context, "running", 0.0).write(context.run_dir)
    async with working(context, solves):
        await run_schedule(context, position, began)
    make_run_file(context, "finished", time.monotonic() - began).write(context.run_dir)


def run(config: TrainConfig, run_dir: Path, resume: bool) -> None:
    with open_context(run_dir, **config.model_dump()) as context:
        position = Position()
        if resume:
            state = load_checkpoint(run_dir)
            context.learner.load_state_dict(state["learner"])
            position = restore(context, state)
            context.version = state["version"]
        asyncio.run(train(context, position))
    write_report(run_dir)


def main() -> None:
    parser = argparse.ArgumentParser()
    for option in ("--config", "--runs", "--name", "--resume"):
        parser.add_argument(option, type=Path)
    arguments = parser.parse_args()
    if arguments.resume is not None:
        run(load_to_resume(arguments.resume), arguments.resume, resume=True)
        return
    run_dir: Path = arguments.runs / arguments.name
    config = load_config(arguments.config)
    run_dir.mkdir(parents=True)
    (run_dir / "config.toml").write_text(to_toml(config))
    run(config, run_dir, resume=False)


if __name__ == "__main__":
    main()
