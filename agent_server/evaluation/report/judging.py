"""A judge on the episodes of a run that verifiers have judged: how far the two agree.

Guarantees: nothing of the run is changed; the same seed chooses the same episodes; at most
AT_ONCE questions wait for an endpoint.
"""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from agent_server.agents.judge import Judge, Opinion
from agent_server.episodes.attempt import Attempt
from agent_server.evaluation.figures.agreement import Agreement, measure_agreement
from agent_server.settings import Settings
from agent_server.store.artifacts import Artifacts
from agent_server.store.episodes import describe_task
from agent_server.store.store import Store
from agent_server.store.tables import Episode
from envs.contract.outcomes import Status

AT_ONCE = 8
MOST_ROWS = 100_000
"""The newest so many episodes are chosen from."""


class Row(BaseModel):
    """One episode, twice judged."""

    model_config = ConfigDict(frozen=True)

    episode_id: str
    task: str
    verifier: bool
    judge: bool | None
    reason: str


class Judging(BaseModel):
    """What `deskhand judge` writes."""

    model_config = ConfigDict(frozen=True)

    agreement: Agreement
    rows: tuple[Row, ...]


async def judge_run(run: Path, judge: Judge, limit: int, seed: int = 0) -> Judging:
    """Asks the judge about at most `limit` scored episodes, at random. Raises LookupError where the
    run has none."""
    settings = Settings(run_dir=run)
    artifacts = Artifacts(settings.artifacts)
    with Store.open(settings) as store:
        page = store.episodes.page(status=[Status.SCORED, Status.TRUNCATED], limit=MOST_ROWS)
        rows = sorted(page.episodes, key=lambda row: row.id)
        chosen = random.Random(seed).sample(rows, min(limit, len(rows)))
        for row in chosen:
            row.task = store.episodes.load_whole_task(row)
    if not chosen:
        raise LookupError(f"no episode of {run} has a verdict to compare a judge with")
    room = asyncio.Semaphore(AT_ONCE)

    async def ask(row: Episode) -> Opinion:
        async with room:
            return await judge.judge(make_attempt(row, artifacts))

    opinions = await asyncio.gather(*map(ask, chosen))
    judged = tuple(
        Row(
            episode_id=row.id,
            task=describe_task(row.task)[0],
            verifier=bool(row.success),
            judge=opinion.success,
            reason=opinion.reason,
        )
        for row, opinion in zip(chosen, opinions, strict=True)
    )
    pairs = [(row.verifier, row.judge) for row in judged]
    return Judging(agreement=measure_agreement(pairs, seed), rows=judged)


def make_attempt(row: Episode, artifacts: Artifacts) -> Attempt:
    """What a judge reads of an episode that has ended."""
    steps, _ = artifacts.read_steps(row.id, 0)
    return Attempt(
        instruction=describe_task(row.task)[1],
        steps=tuple(steps),
        reason=row.reason or "",
        answer=row.answer,
    )
