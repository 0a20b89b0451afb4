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
import itertools
import time
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any

from agent_server.episodes.agent import Sampling
from agent_server.evaluation.figures.statistics import effective_trials, wilson
from agent_server.policy.controls import BLIND
from agent_server.tasksets.heldout import sample_heldout
from envs.contract.task import Split, Task
from trainer.collector import FinishedGroup
from trainer.context import Context, PhaseRecord
from trainer.final_policy import serve_final_policy
from trainer.phases.text_episodes import score_heldout

SCREENSHOTS = 4
"""Episodes of an evaluation that record pictures, for the report's replays."""
WINDOW = 128
"""Episodes that are submitted at once: the collector's time limit runs from the submission, and the
last of thousands would spend it in the queue."""
ROUNDS = 3
"""How often a task is submitted: lost episodes have had their own retries by then."""


CONTROLS = ("noop", "random")
"""What success costs nothing: agents that read no task. Of a policy that sees pictures also itself
with blank ones (`BLIND`): what it solves so, it solves without looking."""


Place = tuple[str, ...]
"""Where the figures of a set stand in the report: ("unseen", "app", "greedy")."""
_Trial = tuple[Place, int]
"""A set and the index of one of its tasks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _EvaluationSet:
    """A set of tasks, who tries them and how. `suffix` tells its episodes from others of the phase.
    `split`: another one than `eval.split`."""

    templates: Sequence[str]
    episodes: int
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
    trained = _EvaluationSet(
        templates=context.tasks.trained,
        episodes=config.episodes,
        temperature=config.temperature,
        screenshots=SCREENSHOTS,
    )
    sets: dict[Place, _EvaluationSet] = {("eval",): trained}
    if config.dev_episodes:
        # The same templates again, on tasks that no report quotes.
        sets["dev",] = dataclasses.replace(
            trained, episodes=config.dev_episodes, suffix="dev", split="dev", screenshots=0
        )
    figures = await _run_sets(context, record, sets, "held-out tasks")
    result = figures["eval"]
    record.policy_version = context.version
    record.eval, record.dev = result, figures.get("dev", {})
    if context.config.reasoning.heldout:
        context.progress.show_detail("evaluating on held-out problems")
        record.eval = result = result | {"reasoning": await score_heldout(context, config.split)}
    record.eval_s = time.monotonic() - started
    if is_last:
        await serve_final_policy(context)
        final_sets = _final_sets(context, trained)
        more = await _run_sets(context, record, final_sets, "further tasks and by controls")
        record.eval = result | {"unseen": {}, "suites": {}} | more
        record.eval_more_s = time.monotonic() - started - record.eval_s
    unseen = record.eval.get("unseen", {})
    titles = {f"unseen {name}": figures for name, figures in unseen.items()}
    titles |= record.eval.get("suites", {})
    for title, shown in {record.name: result, **titles}.items():
        low, high = shown["ci95"]
        context.progress.show_evaluation(title, shown["success_rate"], low, high)
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
            **{f"unseen/{name}": shown["success_rate"] for name, shown in unseen.items()},
        },
    )


def _final_sets(context: Context, trained: _EvaluationSet) -> dict[Place, _EvaluationSet]:
    """What the final policy is tried on: unseen tasks and suites, and all of it greedily and by
    each control."""
    config, tasks = context.config.eval, context.tasks
    sets = _compared_sets(context, (), trained)
    for kind, groups, episodes in (
        ("unseen", tasks.unseen, config.unseen_episodes),
        ("suites", tasks.suites, config.suite_episodes),
    ):
        for name, templates in groups.items():
            place = (kind, name)
            sets[place] = _EvaluationSet(
                templates=templates,
                episodes=episodes,
                suffix="-".join(place),
                temperature=config.temperature,
            )
            sets |= _compared_sets(context, place, sets[place])
    return sets


def _compared_sets(
    context: Context, place: Place, compared: _EvaluationSet
) -> dict[Place, _EvaluationSet]:
    """The tasks of a set once more: greedily, and by each control."""
    config = context.config.eval
    sets: dict[Place, _EvaluationSet] = {}
    if config.greedy:
        sets[*place, "greedy"] = dataclasses.replace(
            compared, suffix="greedy", temperature=0.0, screenshots=0
        )
    if config.control_episodes:
        sees = context.config.env.view.shows_pictures
        for name in (*CONTROLS, BLIND) if sees else CONTROLS:
            sets[*place, "controls", name] = dataclasses.replace(
                compared,
                suffix="controls",
                policy=name,
                episodes=min(config.control_episodes, compared.episodes),
                screenshots=0,
            )
    return sets


async def _run_sets(
    context: Context, record: PhaseRecord, sets: Mapping[Place, _EvaluationSet], title: str
) -> dict[str, Any]:
    """Figures of all sets, each where its place says. They run side by side, as the end of each
    alone would leave most of the machine idle. Sets of the same templates and number have the same
    tasks."""
    tasks = {place: _make_tasks(context, chosen) for place, chosen in sets.items()}
    # By index, not by task: two seeds may have drawn the same one.
    missing = [(place, index) for place in sets for index in range(len(tasks[place]))]
    total = len(missing)
    if total:
        context.progress.show_detail(f"evaluating on {total} {title}")
    completed: dict[_Trial, FinishedGroup] = {}
    for round_index in range(ROUNDS):
        waiting, submitted = deque(missing), dict[str, _Trial]()
        while waiting or context.collector.in_flight:
            room = min(WINDOW - context.collector.in_flight, len(waiting))
            batch = [waiting.popleft() for _ in range(room)]
            for place, trials in itertools.groupby(batch, key=itemgetter(0)):
                indices = [index for _, index in trials]
                filmed = 0 if round_index else sets[place].screenshots
                group_ids = _submit(context, record, sets[place], tasks[place], indices, filmed)
                submitted |= zip(group_ids, ((place, index) for index in indices), strict=True)
            groups = await context.collector.gather(20)
            context.progress.count_episodes(groups)
            completed |= {submitted[group.id]: group for group in groups}
            context.progress.set_fraction(len(completed) / total)
        missing = [trial for trial in missing if not completed[trial].episodes]
        if not missing:
            break
    figures: dict[str, Any] = {}
    for place in sets:
        *parents, leaf = place
        section = figures
        for parent in parents:
            section = section.setdefault(parent, {})
        section[leaf] = summarize([completed[place, index] for index in range(len(tasks[place]))])
    return figures


def _submit(
    context: Context,
    record: PhaseRecord,
    chosen: _EvaluationSet,
    tasks: Sequence[Task],
    indices: Sequence[int],
    filmed: int,
) -> list[str]:
    """An episode for each of these tasks of a set, of whose first `filmed` pictures are recorded;
    their groups' ids."""
    return context.collector.submit(
        phase=f"{record.name}/{chosen.suffix}",
        purpose="eval",
        tasks=[tasks[index] for index in indices],
        size=1,
        policy=chosen.policy,
        sampling=_make_sampling(context, chosen),
        screenshots=sum(index < filmed for index in indices),
    )


def _make_tasks(context: Context, chosen: _EvaluationSet) -> list[Task]:
    config = context.config
    split = chosen.split or config.eval.split
    pairs = sample_heldout(chosen.templates, chosen.episodes, config.seed, split)
    return [context.make_task(template, seed) for template, seed in pairs]


def _make_sampling(context: Context, chosen: _EvaluationSet) -> Sampling:
    """Policies sample freely; controls from the run's seed."""
    config = context.config
    is_policy = chosen.policy in ("live", BLIND)
    return Sampling(
        temperature=chosen.temperature,
        max_tokens=config.sampling.max_tokens,
        seed=None if is_policy else config.seed,
    )


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
