"""Reinforcement: the learner loop over groups of episodes, with advantages by the phase's algorithm
and a verified hot swap after each learner step.

Guarantees: a learner step begins when the version before it is live, recorded and saved. What runs
meanwhile is the matter of the rollout controller (`trainer.pipeline`); in the async pipeline a
version is published and saved while the groups of the next step are collected. Groups of zero
variance, whose rewards are all equal, carry no signal and are left out (counted).
"""

from __future__ import annotations

import math
import time
from collections.abc import Awaitable, Callable, Collection, Sequence

import numpy as np

from agent_server.evaluation.figures.agreement import Pair
from trainer.algorithms.rewards import episode_reward
from trainer.algorithms.scores import Vector
from trainer.collector import FinishedGroup
from trainer.config import InterleaveConfig
from trainer.context import Context, PhaseRecord
from trainer.feedback.make import make_writer
from trainer.feedback.retries import RETRY, Retries, Solved
from trainer.judged_rewards import judge_figures, rescore_groups
from trainer.objective import phase_loss
from trainer.phase_order import Carried, phase_names
from trainer.phases.batch import make_batch, read_groups
from trainer.phases.demonstrations import answer_demonstrations
from trainer.phases.imitate import heldout_ids, oracle_samples, tell_naming
from trainer.phases.plays import PlayGroup
from trainer.phases.pulse import read_successes
from trainer.phases.results import (
    lead_of,
    record_leads,
    record_reading,
    record_results,
    success_figures,
    why_ended,
)
from trainer.phases.states import fix_states
from trainer.phases.supervised import supervise
from trainer.phases.text_episodes import answer_problems, share_of
from trainer.phases.tool_episodes import ToolEpisodes
from trainer.pipeline.controller import GroupState, RolloutController
from trainer.pipeline.publisher import Publisher
from trainer.reinforce_config import ReinforceConfig
from trainer.samples import Sample
from trainer.threads import in_thread

Save = Callable[[int, Callable[[], list[GroupState]]], Awaitable[None]]
"""Writes a checkpoint after so many iterations of the phase, with the groups under way."""


async def reinforce(
    context: Context, record: PhaseRecord, start: int, groups: Sequence[GroupState], save: Save
) -> None:
    """Iterations from `start` on, with the `groups` under way, when resumed; `save` is called after
    each of them. An interleave phase pulses between them."""
    config = context.config.reinforce_config(record.name)
    began = time.monotonic() - record.wall_s
    carried = context.config.carryover(record.name)
    if start == 0:
        _begin(context, config, carried)
    anchors: list[Sample] = []
    if config.anchor_ce:
        anchors = await in_thread(
            oracle_samples,
            context,
            context.demonstrations,
            renamed=config.renamed,
            heldout_ids=heldout_ids(context),
        )
    if config.renamed:
        await in_thread(tell_naming, context)
    loop = _LearnerLoop(
        context, record, config, start, anchors, save, is_warm="optimizer" in carried
    )
    loop.adopt(groups)
    record.ended_by = "iterations"
    try:
        for iteration in range(start, config.iterations):
            if reason := why_ended(config, record, began):
                record.ended_by = reason
                break
            await loop.iterate(iteration)
        await loop.publisher.settle()
    finally:
        await loop.publisher.close()
        loop.retries.cancel()
        await loop.tools.close()
    context.collector.cancel_in_flight()
    if not _is_reference_needed(context, record.name):
        context.learner.drop_reference()


def _begin(context: Context, config: ReinforceConfig, carried: Collection[Carried]) -> None:
    """Makes new what is not carried over from the phase before."""
    if "optimizer" not in carried:
        context.learner.reset_optimizer(config.lr, 0)
        context.critic = None
    if "reference" not in carried:
        context.learner.drop_reference()
    if config.needs_reference and not context.learner.has_reference:
        context.learner.snapshot_reference()


def _is_reference_needed(context: Context, name: str) -> bool:
    """Whether a later phase may pull to the same reference: also one that a fork of the run adds
    behind its last."""
    names = phase_names(context.config.schedule)
    following = names[names.index(name) + 1 :]
    if not following:
        return True
    kind = context.config.schedule[-len(following)]
    return kind == "reset" or "reference" in context.config.carryover(following[0])


class _LearnerLoop:
    def __init__(
        self,
        context: Context,
        record: PhaseRecord,
        config: ReinforceConfig,
        start: int,
        anchors: Sequence[Sample],
        save: Save,
        is_warm: bool,
    ) -> None:
        self.context, self.record, self.config = context, record, config
        self.anchors, self.save, self.is_warm = anchors, save, is_warm
        section = context.config.phase_config(record.name)
        self.interleave = section if isinstance(section, InterleaveConfig) else None
        self.controller = RolloutController(context, record.name, config, start)
        self.publisher = Publisher()
        self.tools = ToolEpisodes(context)
        self.retries = Retries(context, record.name, make_writer(context))

    def adopt(self, groups: Sequence[GroupState]) -> None:
        """Goes on with the groups and the retries of a checkpoint."""
        self.controller.adopt([group for group in groups if RETRY not in group])
        self.retries.adopt([group for group in groups if RETRY in group])

    def state(self) -> list[GroupState]:
        """The groups and the retries under way."""
        return [*self.controller.state(), *self.retries.state()]

    async def iterate(self, iteration: int) -> None:
        """Collects groups, trains on them, and publishes the result."""
        context, config, record = self.context, self.config, self.record
        values, samples = await self._train(iteration)
        await record_reading(context, record, values)
        pulsed = await self._pulse() if self.interleave is not None else []
        record.iterations = iteration + 1
        context.metrics.log(record.name, iteration, values)
        context.metrics.log(f"{record.name}/rate", iteration, context.sampler.metrics())
        context.progress.show_detail(
            f"iteration {iteration + 1}/{config.iterations}  train success {values['success']:.0%}"
        )
        context.progress.set_fraction((iteration + 1) / config.iterations)
        self.publisher.start(self._publish(iteration, [*samples, *pulsed]))
        if config.pipeline != "async":
            await self.publisher.settle()

    async def _train(self, iteration: int) -> tuple[dict[str, float], list[Sample]]:
        """One learner step: its figures, and its samples, of which there may be none."""
        context, config = self.context, self.config
        started = time.monotonic()
        answers = config.make_algorithm().source == "demonstrations"
        groups, values = await (self._answer_groups() if answers else self._play_groups())
        groups += await self._answer_problems(values)
        groups += await self._play_tools(values)
        solved = await self._take_retries(iteration, values)
        values["collect_s"] = time.monotonic() - started
        progress = iteration / config.iterations
        batch = await in_thread(make_batch, context, groups, config, self.anchors, progress, solved)
        values |= {
            "flat": batch.zero_variance,
            "rescued": batch.rescued,
            "empty": batch.empty,
            "replayed": batch.replayed,
            "samples": len(batch.samples),
        }
        if batch.samples:
            fix_states(context, batch.samples)
            rate = learning_rate(config, iteration, self.is_warm)
            loss = phase_loss(context.config.learner.loss, config.make_algorithm())
            minibatches = config.minibatches
            values |= await context.train(self.record, batch.samples, rate, minibatches, loss)
        return values, batch.samples

    async def _pulse(self) -> list[Sample]:
        """Updates on kept successes with the same optimizer, where they are due."""
        section, record = self.interleave, self.record
        assert section is not None
        since = record.readings[record.pulsed_after :]
        if not section.when.has_fired(since):
            return []
        record.pulsed_after = len(record.readings)
        config = self.context.config.pulse
        chosen = self.context.pool.pick(config.per_task, self.context.rng)
        samples = await in_thread(read_successes, self.context, chosen)
        if samples:
            shorter = config.model_copy(update={"updates": section.updates})
            # A name of its own: a learner step's has no slash.
            event = f"{record.name}/pulse"
            await supervise(self.context, record, samples, shorter, event=event)
        return samples

    async def _play_groups(self) -> tuple[list[PlayGroup], dict[str, float]]:
        """Groups of episodes in the environment, and their figures."""
        context = self.context
        groups, figures = await self._collect_groups()
        values: dict[str, float] = {
            "groups": len(groups),
            **figures,
            "stale": sum(group.stale for group in groups),
            "lost": sum(group.lost for group in groups),
            **success_figures(groups),
        }
        if context.config.feedback.retries:
            alone = [group for group in groups if not lead_of(group)]
            values["retried"] = await self.retries.begin(alone)
        played = await in_thread(read_groups, context, groups, self.config)
        if self.config.led:
            record_leads(context, played)
        return played, values

    async def _take_retries(self, iteration: int, values: dict[str, float]) -> Solved:
        """What retries solved since the last learner step; their figures go to `values`."""
        if not self.context.config.feedback.retries:
            return Solved()
        is_last = iteration + 1 == self.config.iterations
        solved = await self.retries.take(is_last)
        values["retries"], values["retries_solved"] = solved.episodes, solved.successes
        values["feedback_by_rules_instead"] = self.retries.fallbacks
        return solved

    async def _answer_problems(self, values: dict[str, float]) -> list[PlayGroup]:
        """The share of the learner step that is text episodes; their figures go to `values`."""
        config = self.config
        run = self.context.config
        count = share_of(config.groups, run.reasoning.share, beside=run.toolbox.share)
        if not count:
            return []
        groups = await answer_problems(self.context, count, config.group_size)
        plays = [play for group in groups for play in group.plays]
        values["groups"] += len(groups)
        values["reasoning_groups"] = len(groups)
        values["reasoning_success"] = sum(play.success for play in plays) / max(len(plays), 1)
        return groups

    async def _play_tools(self, values: dict[str, float]) -> list[PlayGroup]:
        """The share of the learner step that is of the toolbox; its figures go to `values`."""
        config = self.config
        run = self.context.config
        count = share_of(config.groups, run.toolbox.share, beside=run.reasoning.share)
        groups = await self.tools.play_groups(count, config.group_size)
        if groups:
            plays = [play for group in groups for play in group.plays]
            values["groups"] += len(groups)
            values["toolbox_groups"] = len(groups)
            values["toolbox_lost"] = len(groups) * config.group_size - len(plays)
            values["toolbox_score"] = sum(play.score for play in plays) / max(len(plays), 1)
        return groups

    async def _answer_groups(self) -> tuple[list[PlayGroup], dict[str, float]]:
        """Groups of answers to demonstrations, and their figures; a success agrees at every
        step."""
        config = self.config
        await self.publisher.settle()
        groups = await answer_demonstrations(self.context, config.groups, config.group_size)
        plays = [play for group in groups for play in group.plays]
        count = max(len(plays), 1)
        return groups, {
            "groups": len(groups),
            "lost": sum(not group.plays for group in groups),
            "episodes": len(plays),
            "success": sum(play.success for play in plays) / count,
            "score": sum(play.score for play in plays) / count,
            "steps_mean": sum(len(play.steps) for play in plays) / count,
        }

    async def _collect_groups(self) -> tuple[list[FinishedGroup], dict[str, float]]:
        """One learner step's groups; how often those without signal were replaced, and figures of
        the judge."""
        context, config, controller = self.context, self.config, self.controller
        algorithm = config.make_algorithm()
        pairs: list[Pair] = []
        groups = await self._take(config.groups, pairs)
        refills = 0
        while refills < algorithm.most_refills():
            rewards = [_rewards(context, group, config.partial) for group in groups]
            missing = config.groups - sum(map(algorithm.keeps, rewards))
            if missing <= 0:
                break
            controller.replace(missing)
            groups += await self._take(missing, pairs)
            refills += 1
        controller.begin_step()
        return groups, {"refills": refills, **judge_figures(pairs)}

    async def _take(self, count: int, pairs: list[Pair]) -> list[FinishedGroup]:
        """So many finished groups with their scores; what a judge says of them goes to `pairs`."""
        groups = await self.controller.take(count, self.publisher)
        rescoring = await rescore_groups(self.context, groups)
        pairs += rescoring.pairs
        record_results(self.context, rescoring.groups)
        return rescoring.groups

    async def _publish(self, iteration: int, samples: Sequence[Sample]) -> None:
        """Makes the step's weights live and saves them."""
        if samples:
            await self.controller.note_starts()
            sampled = [sample for sample in samples if sample.logprobs]
            await self.context.publish_and_swap(self.record, sampled or samples)
        self.controller.end_step()
        await self.save(iteration + 1, self.state)


def _rewards(context: Context, group: FinishedGroup, partial: float) -> Vector:
    rows = [row for row in group.episodes if context.is_trusted(row)]
    return np.array([episode_reward(row.score or 0.0, partial) for row in rows])


def learning_rate(config: ReinforceConfig, iteration: int, is_warm: bool = False) -> float:
    """Warmed up linearly, unless the optimizer `is_warm`; lower for learner steps of few
    episodes."""
    warm = 1.0 if is_warm else min(1.0, (iteration + 1) / max(config.warmup_iterations, 1))
    size = min(1.0, config.groups * config.group_size / config.lr_episodes)
    return config.lr * warm * math.sqrt(size)
