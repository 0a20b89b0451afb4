"""A reinforce phase in a process of its own: real store, queue, reaper, learner and checkpoints;
episodes that a worker in the process ends after a random time. Started again, it resumes.

It appends to learners.jsonl what the learner was when a checkpoint was begun, and when one was
loaded.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import orjson

from agent_server.episodes.trajectory import EpisodeResult
from agent_server.queue.reaper import Reaper
from agent_server.settings import Settings
from agent_server.store.tables import Episode, utcnow
from envs.contract.outcomes import EndReason, Status
from envs.contract.session import Verdict
from tests.trainer.tiny_run import make_step, open_context, record_episode
from trainer.checkpoints import load_checkpoint
from trainer.context import Context
from trainer.phases import schedule
from trainer.phases.schedule import Position, restore, run_schedule
from trainer.run import track_status

KILLS = int(os.environ.get("KILLS", "3"))
# Enough that every kill hits a run that works.
ITERATIONS, GROUPS, SIZE = 5 + 4 * KILLS, 3, 2
SLOTS = 4
SECTIONS: dict[str, Any] = {
    "schedule": ["reinforce"],
    "reinforce": {
        "iterations": ITERATIONS,
        "groups": GROUPS,
        "group_size": SIZE,
        "pipeline": "async",
    },
}


def digest_of(learner: dict[str, Any]) -> str:
    digest = hashlib.sha256(str((learner["steps"], learner["phase_steps"])).encode())
    moments = [state[key] for state in learner["moments"] for key in sorted(state)]
    for tensor in (learner["master"], learner["reference"], *moments):
        digest.update(b"none" if tensor is None else tensor.numpy().tobytes())
    return digest.hexdigest()


def note(run_dir: Path, event: str, saves: int, learner: dict[str, Any]) -> None:
    line = {"event": event, "saves": saves, "digest": digest_of(learner)}
    with (run_dir / "learners.jsonl").open("ab", buffering=0) as file:
        file.write(orjson.dumps(line) + b"\n")


async def play(context: Context, row: Episode, rng: random.Random) -> None:
    version = context.version
    await asyncio.sleep(rng.uniform(0.01, 0.08))
    solved = row.slot % 2 == 0
    record_episode(
        context, row.id, [make_step("click Cart" if solved else "look", version=version)]
    )
    result = EpisodeResult(
        Status.SCORED,
        EndReason.DONE,
        verdict=Verdict(score=float(solved)),
        steps=1,
        version_min=version,
        version_max=context.version,
    )
    context.store.episodes.finish(row.id, "worker", result)


async def work(context: Context) -> None:
    rng, playing = random.Random(), set[asyncio.Task[None]]()
    while True:
        for episode_id in context.store.episodes.waiting(utcnow())[: SLOTS - len(playing)]:
            row = context.store.episodes.lease(episode_id, "worker")
            if row is not None:
                task = asyncio.create_task(play(context, row, rng))
                playing.add(task)
                task.add_done_callback(playing.discard)
        await asyncio.sleep(0.005)


async def run(run_dir: Path) -> None:
    began, opened_at = time.monotonic(), utcnow()
    with open_context(run_dir, **SECTIONS) as context:
        position = Position()
        if list(run_dir.glob("checkpoints/step-*")):
            state = load_checkpoint(run_dir)
            context.learner.load_state_dict(state["learner"])
            context.version = state["version"]
            position = restore(context, state)
            note(run_dir, "loaded", position.saves, context.learner.state_dict())
        make_state = schedule._make_state

        def make_noted_state(
            context: Context, position: Position, learner: dict[str, Any]
        ) -> dict[str, Any]:
            note(run_dir, "saved", position.saves, learner)
            return make_state(context, position, learner)

        schedule._make_state = make_noted_state
        context.store.episodes.end_running(context.run_id, opened_at)
        keep = [group["id"] for group in position.groups]
        reaper = Reaper(context.collector.dispatcher, Settings(run_dir=run_dir, reap_s=0.05))
        worker = asyncio.create_task(work(context))
        with track_status(context, position.wall_s, began, keep), reaper:
            await run_schedule(context, position, began)
        worker.cancel()


if __name__ == "__main__":
    asyncio.run(run(Path(sys.argv[1])))
