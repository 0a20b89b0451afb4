"""Evaluation on held-out seeds: a denominator fixed at the start, and an interval.

The held-out tasks of a run are drawn once, the same for every phase. An episode that infrastructure
lost is asked for again, a bounded number of times; one lost for good counts as not solved: the
denominator never shrinks, and `lost` says how many.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from agent_server.evaluation.statistics import wilson
from agent_server.heldout import heldout_draws
from agent_server.policy.policy import Sampling
from agent_server.store.tables import Episode
from trainer.collector import FinishedGroup
from trainer.context import Context, PhaseRecord

SCREENSHOTS = 4
"""Episodes of an evaluation that record pictures, for the report's replays."""
ROUNDS = 3
"""How often a task is asked for: lost episodes have had their own retries by then."""


async def evaluate(context: Context, record: PhaseRecord) -> None:
    """Held-out episodes with the live policy: the same tasks after every phase, those of templates
    that are never trained on after the others."""
    config = context.config.eval
    started = time.monotonic()
    result = await _measured(context, record, "", context.tasks.trained, config.episodes)
    unseen = {
        name: await _measured(context, record, name, templates, config.unseen_episodes)
        for name, templates in context.tasks.unseen.items()
    }
    record.eval = result | ({"unseen": unseen} if unseen else {})
    record.eval_s = time.monotonic() - started
    record.policy_version = context.version
    told = {f"unseen {name}": one for name, one in unseen.items()}
    for name, one in {record.name: result, **told}.items():
        low, high = one["ci95"]
        context.progress.evaluated(name, one["success_rate"], low, high)
    context.metrics.log(
        "eval",
        len(context.records),
        {
            "phase": record.name,
            "success_rate": result["success_rate"],
            "score_mean": result["score_mean"],
            "lost": result["lost"],
            "seconds": record.eval_s,
            **{f"unseen/{name}": one["success_rate"] for name, one in unseen.items()},
        },
    )


async def _measured(
    context: Context, record: PhaseRecord, unseen: str, templates: Sequence[str], episodes: int
) -> dict[str, Any]:
    """One set of held-out tasks; `unseen` names a set that is not trained on."""
    config = context.config
    drawn = heldout_draws(templates, episodes, config.seed)
    tasks = [context.task(template, seed) for template, seed in drawn]
    sampling = Sampling(temperature=config.eval.temperature, max_tokens=config.sampling.max_tokens)
    kind = f"unseen: {unseen}" if unseen else "held out"
    context.progress.detail(f"evaluating on {len(tasks)} tasks ({kind})")
    home: dict[str, FinishedGroup] = {}
    missing = tasks
    for again in range(ROUNDS):
        context.collector.ask(
            f"{record.name}/eval", "eval", missing, 1, "live", sampling,
            screenshots=0 if again or unseen else SCREENSHOTS,
        )  # fmt: skip
        while context.collector.in_flight:
            groups = await context.collector.gather(20)
            context.progress.episodes(groups)
            home |= {group.task.id: group for group in groups}
            context.progress.fraction(len(home) / len(tasks))
        missing = [task for task in missing if not home[task.id].episodes]
        if not missing:
            break
    return summarize(list(home.values()), len(tasks))


def summarize(groups: Sequence[FinishedGroup], total: int) -> dict[str, Any]:
    """The `eval` entry of a phase in report.json."""
    rows: list[tuple[str, Episode]] = [
        (group.task.origin, row) for group in groups for row in group.episodes
    ]
    solved = sum(bool(row.success) for _, row in rows)
    by_template: dict[str, dict[str, float]] = {}
    for name in sorted({group.task.origin for group in groups}):
        mine = [row for template, row in rows if template == name]
        asked = sum(group.task.origin == name for group in groups)
        by_template[name] = {
            "success_rate": sum(bool(row.success) for row in mine) / asked,
            "n": asked,
        }
    return {
        "success_rate": solved / total,
        "ci95": list(wilson(solved, total)),
        "n": total,
        "lost": total - len(rows),
        "score_mean": sum(row.score or 0.0 for _, row in rows) / total,
        "steps_mean": sum(row.steps for _, row in rows) / max(len(rows), 1),
        "by_template": by_template,
    }
