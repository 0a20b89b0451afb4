"""What finished groups mean to the run: figures, the curriculum, successes that are kept, and
whether the phase goes on."""

from __future__ import annotations

import time
from collections.abc import Sequence

from agent_server.episodes.led_names import read_lead
from envs.contract.outcomes import ENDED_BY_AGENT
from trainer.collector import FinishedGroup
from trainer.config import ExpertIterationConfig
from trainer.context import Context, PhaseRecord
from trainer.phases.plays import PlayGroup
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
        is_led = lead_of(group) > 0
        # What was solved with help says nothing about how hard the template is.
        if not is_led:
            context.sampler.record_group(
                template,
                len(solved),
                len(group.episodes),
                longest_success=max((row.steps for row in solved), default=0),
                steps=sum(row.steps for row in group.episodes),
            )
        for row in solved:
            # An oracle may have reached the goal: what the policy did then led nowhere, unless it
            # saw that it was done.
            is_own = not is_led or row.reason in ENDED_BY_AGENT
            if is_own and context.is_trusted(row):
                context.pool.add(template, group.task.id, row.id)


def record_leads(context: Context, groups: Sequence[PlayGroup]) -> None:
    """Tells the curriculum how far an oracle really led, and what came of it."""
    for group in groups:
        plays = [play for play in group.plays if not play.replayed]
        successes = sum(play.success for play in plays)
        # Of a group that lost episodes nobody knows that all would have failed.
        if successes or (plays and group.is_whole):
            lead = max(play.lead for play in plays)
            context.sampler.leads.record(group.task.origin, lead, successes, len(plays))


def lead_of(group: FinishedGroup) -> int:
    """Steps that an oracle was to take first in each of the group's episodes."""
    return read_lead(group.episodes[0].policy) if group.episodes else 0


def success_figures(groups: Sequence[FinishedGroup]) -> dict[str, float]:
    """Means over the episodes of the groups; where some were led by an oracle, over the others, if
    there are any, and the success of those that were led."""
    led = [group for group in groups if lead_of(group)]
    led_rows = [row for group in led for row in group.episodes]
    alone = [row for group in groups if not lead_of(group) for row in group.episodes]
    rows = alone or led_rows
    count = max(len(rows), 1)
    figures = {
        "episodes": sum(len(group.episodes) for group in groups),
        "success": sum(bool(row.success) for row in rows) / count,
        "score": sum(row.score or 0.0 for row in rows) / count,
        "steps_mean": sum(row.steps for row in rows) / count,
    }
    if led:
        figures["led_groups"] = len(led)
        figures["led_success"] = sum(bool(row.success) for row in led_rows) / len(led_rows)
        figures["lead_mean"] = sum(map(lead_of, led)) / len(led)
    return figures


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
