"""What finished groups mean to the run: figures, the curriculum, successes that are kept, and
whether the phase goes on."""

from __future__ import annotations

import time
from collections.abc import Sequence

from trainer.collector import FinishedGroup
from trainer.config import ExpertIterationConfig
from trainer.context import Context, PhaseRecord
from trainer.phases.states import measure_entropy
from trainer.phases.supervised import MAX_MINUTES
from trainer.reinforce_config import ReinforceConfig
from trainer.triggers import Reading


def record_results(context: Context, groups: Sequence[FinishedGroup]) -> None:
    """Tells the display, the curriculum and the pool of successes."""
    context.progress.count_episodes(groups)
    for group in groups:
        template = group.task.origin
        solved = [row for row in group.episodes if row.success]
        context.sampler.record_group(
            template,
            len(solved),
            len(group.episodes),
            longest_success=max((row.steps for row in solved), default=0),
            steps=sum(row.steps for row in group.episodes),
        )
        for row in solved:
            if context.is_trusted(row):
                context.pool.add(template, group.task.id, row.id)


def success_figures(groups: Sequence[FinishedGroup]) -> dict[str, float]:
    """Means over the episodes of the groups."""
    rows = [row for group in groups for row in group.episodes]
    count = max(len(rows), 1)
    return {
        "episodes": len(rows),
        "success": sum(bool(row.success) for row in rows) / count,
        "score": sum(row.score or 0.0 for row in rows) / count,
        "steps_mean": sum(row.steps for row in rows) / count,
    }


async def record_reading(context: Context, record: PhaseRecord, values: dict[str, float]) -> None:
    """Notes what triggers look at: `success`, and the share of `groups` that are `flat`; adds the
    policy's entropy on the fixed states to `values`."""
    entropy = await measure_entropy(context)
    flat = values["flat"] / max(values["groups"], 1)
    record.readings.append(Reading(values["success"], flat, entropy))
    if entropy is not None:
        values["entropy_fixed"] = entropy


def why_ended(
    config: ReinforceConfig | ExpertIterationConfig, record: PhaseRecord, began: float
) -> str | None:
    """Why no further iteration begins: the trigger, or the time limit of a phase that `began` then
    (monotonic, seconds); None: the phase goes on."""
    if config.until is not None and config.until.has_fired(record.readings):
        return config.until.on
    return MAX_MINUTES if time.monotonic() - began > config.max_minutes * 60 else None
