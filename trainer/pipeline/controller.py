"""The rollout controller of a reinforce phase: what is submitted, when, and what is given up.

Guarantees: no more groups are in flight than the capacity rule allows (`rules.capacity`), so that
none is born too old, and no more than the phase needs; a learner step waits for the groups that it
is the last to train on, for at most `straggler_s`, so that long episodes are not lost for being
long; groups that are too old for any step are cancelled while they run. Its state is plain data: a
later process goes on with the same groups.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

from agent_server.episodes.led_names import led_name
from agent_server.policy.renamed import NAME as RENAMED
from envs.contract.task import Task
from trainer.collector import FinishedGroup
from trainer.context import Context, limit_steps
from trainer.pipeline.buffer import EpisodeBuffer
from trainer.pipeline.publisher import Publisher
from trainer.pipeline.rules import capacity, dispatch_order, groups_to_cancel, is_due
from trainer.reinforce_config import ReinforceConfig

GroupState = dict[str, Any]
"""An open or a waiting group in a checkpoint: `id`, `task`, and `oldest`, its oldest version."""


class RolloutController:
    """One for each reinforce phase; `steps`: learner steps that are done when it begins. Everything
    happens in its calls: between them episodes run, but nothing is decided."""

    def __init__(self, context: Context, phase: str, config: ReinforceConfig, steps: int) -> None:
        self._context, self._phase, self._config = context, phase, config
        self.buffer = EpisodeBuffer(config.max_staleness, context.collector.staleness)
        self._steps_done = self._steps_begun = steps
        # After a recovery so many count as accepted: else a burst of groups for all the steps
        # that are done would be submitted (AReaL).
        self._taken = steps * config.groups
        self._patient_until: float | None = None
        # An algorithm that answers demonstrations needs no episodes.
        plays = config.make_algorithm().source == "environment"
        self._total = config.iterations * config.groups if plays else 0

    @property
    def room(self) -> int:
        """Groups that may be submitted now."""
        config = self._config
        # One step ahead: the next batch is submitted when the learner begins with one, whatever is
        # live then. Else when the version that it makes is live.
        ahead = config.pipeline == "one_step"
        return capacity(
            lag=config.max_staleness if config.pipeline == "async" else 0,
            version=self._steps_begun if ahead else self._steps_done,
            batch=config.groups,
            accepted=self._taken + len(self.buffer),
            running=self._context.collector.in_flight,
            total=self._total,
        )

    def adopt(self, groups: Sequence[GroupState]) -> None:
        """Goes on with the groups of a checkpoint. In the places of those that were cancelled
        whole, as an interrupted run does with what is under way, others are submitted."""
        collector = self._context.collector
        statuses = collector.store.episodes.group_statuses([group["id"] for group in groups])
        gone = {
            status.group_id
            for status in statuses
            if status.complete and status.cancelled and not status.arrived
        }
        for group in groups:
            if group["id"] not in gone:
                task = Task.model_validate(group["task"])
                collector.adopt(group["id"], task, group["oldest"])

    def state(self) -> list[GroupState]:
        """Open and waiting groups in the order of submission; what is complete of them the database
        knows."""
        collector = self._context.collector
        groups: list[tuple[int, str, Task, int | None]] = [
            (group.number, group.id, group.task, None) for group in self.buffer.groups
        ]
        groups += [
            (entry.number, key, entry.task, entry.oldest)
            for key, entry in collector.open_groups.items()
        ]
        return [
            {"id": key, "task": task.model_dump(mode="json"), "oldest": oldest}
            for _, key, task, oldest in sorted(groups, key=lambda group: group[0])
        ]

    async def take(self, count: int, publisher: Publisher) -> list[FinishedGroup]:
        """The groups of a learner step, or those that replace some of it; fewer where the phase has
        no more. Collects, cancels and submits while it waits, also for the version that is being
        published."""
        self._patient_until = None
        while True:
            # Before: a version that becomes live while groups are collected makes some too old.
            is_settled = publisher.is_idle
            await self.collect()
            if is_settled:
                await publisher.settle()
                if self._may_take(count):
                    taken = self.buffer.take(count, self._context.version)
                    self._taken += len(taken)
                    return taken
            await asyncio.sleep(self._context.collector.config.poll_s)

    def begin_step(self) -> None:
        """The learner has its batch: what may be submitted before it works is."""
        self._steps_begun += 1
        self.top_up()

    def end_step(self) -> None:
        """The learner's step is done and what it made is live: what may be submitted now is."""
        self._steps_done += 1
        self.top_up()

    async def note_starts(self) -> None:
        """Notes what has begun with the live version; to be called before each swap."""
        await self._context.collector.note_starts(self._context.version)

    def replace(self, count: int) -> None:
        """So many groups that were taken count for nothing: others may take their places."""
        self._taken -= count

    def top_up(self) -> None:
        """Submits what the capacity allows, by the curriculum, longest expected first."""
        context, config = self._context, self._config
        algorithm, sampler = config.make_algorithm(), context.sampler
        pairs = sampler.sample(self.room)
        order = dispatch_order([sampler.expected_steps(template) for template, _ in pairs])
        alike: dict[tuple[int, str], list[Task]] = {}
        for template, seed in (pairs[index] for index in order):
            task = context.make_task(template, seed)
            limit = task.limits.max_steps
            steps = algorithm.step_limit(sampler.longest_success(template), limit)
            size = algorithm.rollouts(sampler.rate(template), config.group_size)
            policy = self._draw_policy(template, steps)
            alike.setdefault((size, policy), []).append(
                task if steps == limit else limit_steps(task, steps)
            )
        for (size, policy), tasks in alike.items():
            context.collector.submit(
                phase=self._phase,
                purpose="train",
                tasks=tasks,
                size=size,
                policy=policy,
                sampling=context.sampling,
            )

    def _draw_policy(self, template: str, limit: int) -> str:
        """Who plays a group of the template: the live policy, on its own, on pages of made-up
        names, or where an oracle has led; at least one of its `limit` steps is its own."""
        context, config = self._context, self._config
        if not (config.renamed or config.led):
            return "live"
        drawn = context.rng.random()
        if drawn < config.renamed:
            return RENAMED
        lead = min(context.sampler.leads.steps(template), limit - 1)
        return led_name(lead) if lead and drawn < config.renamed + config.led else "live"

    async def collect(self) -> None:
        """Moves what is complete to the buffer, gives up what is too old, and tops up."""
        collector, version = self._context.collector, self._context.version
        await collector.note_starts(version)
        self.buffer.add(await collector.collect())
        version = self._context.version
        self.buffer.drop_stale(version)
        running = {
            key: entry.oldest for key, entry in collector.open_groups.items() if not entry.cancelled
        }
        for key in groups_to_cancel(running, version, self._config.max_staleness):
            collector.cancel_group(key)
        self.top_up()

    def _may_take(self, count: int) -> bool:
        """Whether enough groups wait, or no more will, and none runs that this step is the last to
        train on."""
        collector, config = self._context.collector, self._config
        if len(self.buffer) < count and collector.in_flight:
            return False
        is_complete = not any(
            is_due(entry.oldest, self._context.version, config.max_staleness)
            for entry in collector.open_groups.values()
        )
        if self._patient_until is None:
            self._patient_until = time.monotonic() + config.straggler_s
        return is_complete or time.monotonic() >= self._patient_until
