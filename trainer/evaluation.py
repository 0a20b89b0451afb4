"""Evaluation on held-out seeds: a denominator fixed at the start, and an interval.

The held-out tasks of a run are sampled once, the same for every phase. An episode that
infrastructure lost is submitted again, a bounded number of times; one that stays lost counts as not
solved: the denominator never shrinks, and `lost` says how many.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from agent_server.episodes.agent import Sampling
from agent_server.evaluation.figures.statistics import wilson
from agent_server.store.tables import Episode
from agent_server.tasksets.heldout import heldout_draws
from trainer.collector import FinishedGroup
from trainer.context import Context, PhaseRecord

SCREENSHOTS = 4
"""Episodes of an evaluation that record pictures, for the report's replays."""
ROUNDS = 3
"""How often a task is submitted: lost episodes have had their own retries by then."""


async def evaluate(context: Context, record: PhaseRecord) -> None:
    """Runs held-out episodes with the live policy: the same tasks after every phase, first of the
    trained templates, then of each unseen set."""
    config = context.config.eval
    started = time.monotonic()
    result = await _evaluate_set(context, record, "", context.tasks.trained, config.episodes)
    unseen = {
        name: await _evaluate_set(context, record, name, templates, config.unseen_episodes)
        for name, templates in context.tasks.unseen.items()
    }
    record.eval = result | ({"unseen": unseen} if unseen else {})
    record.eval_s = time.monotonic() - started
    record.policy_version = context.version
    titles = {f"unseen {name}": figures for name, figures in unseen.items()}
    for title, figures in {record.name: result, **titles}.items():
        low, high = figures["ci95"]
        context.progress.show_evaluation(title, figures["success_rate"], low, high)
    context.metrics.log(
        "eval",
        len(context.records),
        {
            "phase": record.name,
            "success_rate": result["success_rate"],
            "score_mean": result["score_mean"],
            "lost": result["lost"],
            "seconds": record.eval_s,
            **{f"unseen/{name}": figures["success_rate"] for name, figures in unseen.items()},
        },
    )


async def _evaluate_set(
    context: Context, record: PhaseRecord, unseen: str, templates: Sequence[str], episodes: int
) -> dict[str, Any]:
    """Figures of one set of held-out tasks; `unseen` names a set that is not trained on."""
    config = context.config
    pairs = heldout_draws(templates, episodes, config.seed, config.eval.split)
    tasks = [context.make_task(template, seed) for template, seed in pairs]
    sampling = Sampling(temperature=config.eval.temperature, max_tokens=config.sampling.max_tokens)
    kind = f"unseen: {unseen}" if unseen else "held out"
    context.progress.show_detail(f"evaluating on {len(tasks)} tasks ({kind})")
    completed: dict[str, FinishedGroup] = {}
    missing = tasks
    for attempt in range(ROUNDS):
        context.collector.submit(
            phase=f"{record.name}/eval",
            purpose="eval",
            tasks=missing,
            size=1,
            policy="live",
            sampling=sampling,
            screenshots=0 if attempt or unseen else SCREENSHOTS,
        )
        while context.collector.in_flight:
            groups = await context.collector.gather(20)
            context.progress.count_episodes(groups)
            completed |= {group.task.id: group for group in groups}
            context.progress.set_fraction(len(completed) / len(tasks))
        missing = [task for task in missing if not completed[task.id].episodes]
        if not missing:
            break
    return summarize(list(completed.values()), len(tasks))


def summarize(groups: Sequence[FinishedGroup], total: int) -> dict[str, Any]:
    """The `eval` entry of a phase in report.json; `total` tasks were submitted."""
    rows: list[tuple[str, Episode]] = [
        (group.task.origin, row) for group in groups for row in group.episodes
    ]
    solved = sum(bool(row.success) for _, row in rows)
    return {
        "success_rate": solved / total,
        "ci95": list(wilson(solved, total)),
        "n": total,
        "lost": total - len(rows),
        "score_mean": sum(row.score or 0.0 for _, row in rows) / total,
        "steps_mean": sum(row.steps for _, row in rows) / max(len(rows), 1),
        "by_template": {
            name: _template_figures(groups, name)
            for name in sorted({group.task.origin for group in groups})
        },
    }


def _template_figures(groups: Sequence[FinishedGroup], template: str) -> dict[str, float]:
    of_template = [group for group in groups if group.task.origin == template]
    solved = sum(bool(row.success) for group in of_template for row in group.episodes)
    return {"success_rate": solved / len(of_template), "n": len(of_template)}
