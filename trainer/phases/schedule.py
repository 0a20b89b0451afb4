"""The schedule of a run: each phase, then its evaluation, and a checkpoint after every stretch.

Guarantees: what is done is on disk before the next stretch begins, so a run that was stopped or
killed goes on at the phase, iteration or evaluation where it stood; `run.json` says how far it is.
"""

from __future__ import annotations

import dataclasses
import time
from typing import Any

from trainer.checkpoints import save_checkpoint
from trainer.collector import Staleness
from trainer.config import phase_names
from trainer.context import Context, PhaseRecord
from trainer.evaluation import evaluate
from trainer.phases.imitate import imitate
from trainer.phases.pulse import pulse
from trainer.phases.reinforce import reinforce
from trainer.run_file import RunFile
from trainer.threads import in_thread


@dataclasses.dataclass(slots=True)
class Position:
    """Where the schedule stands: phase, how much of it is done, whether it was trained."""

    phase: int = 0
    iteration: int = 0
    trained: bool = False
    saves: int = 0
    wall_s: float = 0.0


async def run_schedule(context: Context, position: Position, began: float) -> None:
    """From `position` to the end; `began` is when this process took the run up."""
    config = context.config
    names = phase_names(config.schedule)
    before = position.wall_s

    async def save(phase: int, iteration: int = 0) -> None:
        position.phase, position.iteration = phase, iteration
        position.saves += 1
        position.wall_s = before + time.monotonic() - began
        await in_thread(_save, context, position)

    if position.saves == 0:
        await save(0)  # a run that is killed in its first phase begins again with the same policy
    for index in range(position.phase, len(names)):
        kind, name = config.schedule[index], names[index]
        if index >= len(context.records):
            context.records.append(PhaseRecord(name, kind, policy_version=context.version))
        record = context.records[index]
        context.progress.phase(name)
        started, spent = time.monotonic(), record.wall_s

        async def iterated(
            iteration: int,
            record: PhaseRecord = record,
            index: int = index,
            started: float = started,
            spent: float = spent,
        ) -> None:
            record.wall_s = spent + time.monotonic() - started
            await save(index, iteration)

        if not position.trained:
            if kind == "imitate":
                await imitate(context, record)
            elif kind == "pulse":
                await pulse(context, record)
            else:
                await reinforce(context, record, position.iteration, iterated)
            record.wall_s = spent + time.monotonic() - started
            position.trained = True
            await save(index)
        await evaluate(context, record)
        position.trained = False
        await save(index + 1)


def _save(context: Context, position: Position) -> None:
    save_checkpoint(context.run_dir, position.saves, _state(context, position))
    run_file(context, "running", position.wall_s).write(context.run_dir)


def run_file(context: Context, status: str, wall_s: float) -> RunFile:
    """What run.json says now."""
    return RunFile(
        run_id=context.run_id,
        preset=context.config.preset,
        seed=context.config.seed,
        status=status,
        wall_s=wall_s,
        records=context.records,
        staleness=context.collector.staleness,
    )


def _state(context: Context, position: Position) -> dict[str, Any]:
    return {
        "position": dataclasses.asdict(position),
        "learner": context.learner.state_dict(),
        "version": context.version,
        "next_version": context.next_version,
        "rejected": sorted(context.rejected),
        "sampler": context.sampler.state_dict(),
        "pool": context.pool.state_dict(),
        "rng": context.rng.getstate(),
        "records": [dataclasses.asdict(record) for record in context.records],
        "demonstrations": context.demonstrations,
        "staleness": dataclasses.asdict(context.collector.staleness),
    }


def restore(context: Context, state: dict[str, Any]) -> Position:
    """Puts a checkpoint's state back; the learner has its own."""
    context.next_version = max(state["next_version"], _after_published(context))
    context.rejected = set(state["rejected"])
    context.sampler.load_state_dict(state["sampler"])
    context.pool.load_state_dict(state["pool"])
    context.rng.setstate(state["rng"])
    context.records = [PhaseRecord(**record) for record in state["records"]]
    context.demonstrations = list(state["demonstrations"])
    context.collector.staleness = Staleness(**state["staleness"])
    return Position(**state["position"])


def _after_published(context: Context) -> int:
    """A run that was killed may have published a version after its last checkpoint; versions are
    never overwritten."""
    folders = (context.run_dir / "policy").glob("v[0-9]*")
    return max((int(folder.name[1:]) for folder in folders), default=-1) + 1
