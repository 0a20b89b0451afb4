"""Evaluation on held-out seeds: a denominator fixed at the start, and an interval.

The held-out tasks of a run are sampled once, the same for every phase. An episode that
infrastructure lost is submitted again, a bounded number of times; one that stays lost counts as not
solved: the denominator never shrinks, and `lost` says how many. Where seeds draw the same task (a
file of explored tasks has few), each draw counts, and `tasks` says how many are different.

After the last phase the policy that is best on dev tasks (`trainer.final_policy`) tries the same
tasks greedily, tasks that were never trained on (`eval.unseen`), and more tasks of what it knows
(`eval.suites`); so do the controls (an agent that only says "done", one that acts at random).
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent_server.episodes.agent import Sampling
from agent_server.evaluation.figures.statistics import effective_trials, wilson
from agent_server.policy.controls import BLIND
from agent_server.tasksets.heldout import sample_heldout
from envs.contract.task import Split
from trainer.collector import FinishedGroup
from trainer.context import Context, PhaseRecord
from trainer.final_policy import serve_final_policy
from trainer.phases.text_episodes import score_heldout

SCREENSHOTS = 4
"""Episodes of an evaluation that record pictures, for the report's replays."""
ROUNDS = 3
"""How often a task is submitted: lost episodes have had their own retries by then."""


CONTROLS = ("noop", "random")
"""What success costs nothing: agents that read no task. Of a policy that sees pictures also itself
with blank ones (`BLIND`): what it solves so, it solves without looking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _EvaluationSet:
    """A set of tasks, who tries them and how. `suffix` tells its episodes from others of the phase.
    `split`: another one than `eval.split`."""

    templates: Sequence[str]
    episodes: int
    title: str
    suffix: str = "eval"
    policy: str = "live"
    temperature: float
    screenshots: int = 0
    split: Split | None = None


async def evaluate(context: Context, record: PhaseRecord, is_last: bool = False) -> None:
    """Runs held-out episodes with the live policy: the same tasks after every phase. After the
    last one `record.eval` also has `greedy`, `controls`, `unseen` and `suites`, each set with its
    own."""
    config = context.config.eval
    started = time.monotonic()
    evaluation_set = _EvaluationSet(
        templates=context.tasks.trained,
        episodes=config.episodes,
        title="trained templates",
        temperature=config.temperature,
        screenshots=SCREENSHOTS,
    )
    result = await _run_set(context, record, evaluation_set)
    record.policy_version = context.version
    record.eval = result
    if context.config.reasoning.heldout:
        context.progress.show_detail("evaluating on held-out problems")
        record.eval = result = result | {"reasoning": await score_heldout(context, config.split)}
    if config.dev_episodes:
        record.dev = await _evaluate_on_dev(context, record, evaluation_set)
    record.eval_s = time.monotonic() - started
    if is_last:
        await serve_final_policy(context)
        record.eval = result | await _evaluate_more(context, record, evaluation_set)
        for kind, sets, episodes in (
            ("unseen", context.tasks.unseen, config.unseen_episodes),
            ("suites", context.tasks.suites, config.suite_episodes),
        ):
            record.eval[kind] = {
                name: await _evaluate_set(context, record, f"{kind}-{name}", templates, episodes)
                for name, templates in sets.items()
            }
        record.eval_more_s = time.monotonic() - started - record.eval_s
    unseen = record.eval.get("unseen", {})
    titles = {f"unseen {name}": figures for name, figures in unseen.items()}
    titles |= record.eval.get("suites", {})
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
            **({"reasoning": result["reasoning"]["success_rate"]} if "reasoning" in result else {}),
            **{f"unseen/{name}": figures["success_rate"] for name, figures in unseen.items()},
        },
    )


async def _evaluate_on_dev(
    context: Context, record: PhaseRecord, evaluation_set: _EvaluationSet
) -> dict[str, Any]:
    """The same templates again, on tasks that no report quotes."""
    dev_set = dataclasses.replace(
        evaluation_set,
        episodes=context.config.eval.dev_episodes,
        title="dev tasks",
        suffix="dev",
        split="dev",
        screenshots=0,
    )
    return await _run_set(context, record, dev_set)


async def _evaluate_set(
    context: Context, record: PhaseRecord, suffix: str, templates: Sequence[str], episodes: int
) -> dict[str, Any]:
    evaluation_set = _EvaluationSet(
        templates=templates,
        episodes=episodes,
        title=suffix.replace("-", ": ", 1),
        suffix=suffix,
        temperature=context.config.eval.temperature,
    )
    return await _run_set(context, record, evaluation_set) | await _evaluate_more(
        context, record, evaluation_set
    )


async def _evaluate_more(
    context: Context, record: PhaseRecord, evaluation_set: _EvaluationSet
) -> dict[str, Any]:
    """The tasks of a set once more: greedily, and by each control."""
    config = context.config.eval
    more: dict[str, Any] = {}
    if config.greedy:
        greedy = dataclasses.replace(
            evaluation_set,
            title=f"{evaluation_set.title}, greedy",
            suffix="greedy",
            temperature=0.0,
            screenshots=0,
        )
        more["greedy"] = await _run_set(context, record, greedy)
    if config.control_episodes:
        more["controls"] = {}
        sees = context.config.env.view.shows_pictures
        for name in (*CONTROLS, BLIND) if sees else CONTROLS:
            control = dataclasses.replace(
                evaluation_set,
                title=f"{evaluation_set.title}, {name}",
                suffix="controls",
                policy=name,
                episodes=min(config.control_episodes, evaluation_set.episodes),
                screenshots=0,
            )
            more["controls"][name] = await _run_set(context, record, control)
    return more


async def _run_set(
    context: Context, record: PhaseRecord, evaluation_set: _EvaluationSet
) -> dict[str, Any]:
    """Figures of one set; sets of the same templates and number have the same tasks."""
    config = context.config
    split = evaluation_set.split or config.eval.split
    pairs = sample_heldout(evaluation_set.templates, evaluation_set.episodes, config.seed, split)
    tasks = [context.make_task(template, seed) for template, seed in pairs]
    sampling = Sampling(
        temperature=evaluation_set.temperature,
        max_tokens=config.sampling.max_tokens,
        seed=config.seed,
    )
    if evaluation_set.policy in ("live", BLIND):
        sampling = sampling.model_copy(update={"seed": None})
    context.progress.show_detail(f"evaluating on {len(tasks)} tasks ({evaluation_set.title})")
    completed: dict[int, FinishedGroup] = {}
    missing = list(range(len(tasks)))
    for round_index in range(ROUNDS):
        group_ids = context.collector.submit(
            phase=f"{record.name}/{evaluation_set.suffix}",
            purpose="eval",
            tasks=[tasks[place] for place in missing],
            size=1,
            policy=evaluation_set.policy,
            sampling=sampling,
            screenshots=0 if round_index else evaluation_set.screenshots,
        )
        # By place, not by task: two seeds may have drawn the same one.
        places = dict(zip(group_ids, missing, strict=True))
        while context.collector.in_flight:
            groups = await context.collector.gather(20)
            context.progress.count_episodes(groups)
            completed |= {places[group.id]: group for group in groups}
            context.progress.set_fraction(len(completed) / len(tasks))
        missing = [place for place in missing if not completed[place].episodes]
        if not missing:
            break
    return summarize(list(completed.values()))


def summarize(groups: Sequence[FinishedGroup]) -> dict[str, Any]:
    """The `eval` entry of a phase in report.json, of all that was submitted. `solved` names a task
    as often as it was solved."""
    rows = [row for group in groups for row in group.episodes]
    total = len(groups)
    by_template = {
        name: _success_figures([group for group in groups if group.task.origin == name])
        for name in sorted({group.task.origin for group in groups})
    }
    rates = [row["success_rate"] for row in by_template.values()]
    return {
        **_success_figures(groups),
        "tasks": len({group.task.id for group in groups}),
        "lost": total - len(rows),
        "score_mean": sum(row.score or 0.0 for row in rows) / total,
        "steps_mean": sum(row.steps for row in rows) / max(len(rows), 1),
        "solved": sorted(
            group.task.id for group in groups if any(r.success for r in group.episodes)
        ),
        "template_mean": sum(rates) / max(len(rates), 1),
        "templates_at_90": sum(rate >= 0.9 for rate in rates),
        "by_template": by_template,
    }


def _success_figures(groups: Sequence[FinishedGroup]) -> dict[str, Any]:
    solved = sum(bool(row.success) for group in groups for row in group.episodes)
    total, effective = len(groups), effective_trials(group.task.id for group in groups)
    return {
        "success_rate": solved / total,
        "ci95": list(wilson(solved, total, effective)),
        "n": total,
    }
