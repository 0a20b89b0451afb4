"""Scores by a judge in place of verifiers: for tasks that nothing verifies, or as an experiment.

Guarantees: an attempt on which the judge fails has no score, so that it is trained on by nobody and
counts as lost; the verdict in the database stays, and what the two agree on is measured. The same
scores reach the algorithm, its pairs (`dpo`), the curriculum and the kept successes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agent_server.evaluation.figures.agreement import Pair
from agent_server.evaluation.report.judging import AT_ONCE, make_attempt
from agent_server.store.tables import Episode
from envs.contract.session import Verdict
from trainer.collector import FinishedGroup
from trainer.context import Context
from trainer.threads import in_thread

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Rescoring:
    """Groups with a judge's scores. `pairs`: what verifier and judge say of each episode."""

    groups: list[FinishedGroup]
    pairs: list[Pair] = field(default_factory=list)


def judge_figures(pairs: Sequence[Pair]) -> dict[str, float]:
    """For a learner step's metrics; empty where verifiers gave the scores."""
    if not pairs:
        return {}
    read = [pair for pair in pairs if pair[1] is not None]
    figures = {"judge_failed": float(len(pairs) - len(read))}
    if read:
        figures["judge_agreement"] = sum(ours == theirs for ours, theirs in read) / len(read)
    return figures


async def rescore_groups(context: Context, groups: Sequence[FinishedGroup]) -> Rescoring:
    """The same groups with scores 0 and 1 by the run's judge; as they are where it has none."""
    judge = context.judge
    if judge is None:
        return Rescoring(list(groups))
    room = asyncio.Semaphore(AT_ONCE)

    async def rescore(row: Episode) -> tuple[Episode, Pair, str]:
        async with room:
            attempt = await in_thread(make_attempt, row, context.artifacts)
            opinion = await judge.judge(attempt)
        pair = (bool(row.success), opinion.success)
        # A row of its own: the database's is the verifier's.
        own = Episode(**row.model_dump())
        own.success, own.score = opinion.success, float(bool(opinion.success))
        # What a verifier found must not reach a writer of feedback by this way either.
        own.verdict = Verdict(score=own.score).model_dump(mode="json")
        return own, pair, opinion.reason

    result = Rescoring([])
    for group in groups:
        judged = await asyncio.gather(*map(rescore, group.episodes))
        rows = tuple(row for row, (_, opinion), _ in judged if opinion is not None)
        failed = [reason for _, (_, opinion), reason in judged if opinion is None]
        if failed:
            log.warning("%d episodes have no reward: the judge failed: %s", len(failed), failed[0])
        result.groups.append(replace(group, episodes=rows, lost=group.lost + len(failed)))
        result.pairs += [pair for _, pair, _ in judged]
    return result
