"""Tasks in which a whole group failed are tried again, told what went wrong; what a retry solves is
imitated as if it had been told nothing.

Guarantees: a retry is no part of its task's group and moves neither the curriculum nor the pool of
successes; with `writer = "none"` as many episodes of the same tasks are played untold. Retries run
beside the learner and are taken when they have ended, all by the phase's last step; those under way
are plain data in a checkpoint.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent_server.episodes.attempt import Attempt
from agent_server.store.tables import Episode
from envs.contract.session import Verdict
from envs.contract.task import Task
from trainer.chat_format import served_format
from trainer.collector import Collector, FinishedGroup
from trainer.context import Context
from trainer.feedback.advice import advise, unadvised_prompt
from trainer.feedback.writer import Writer
from trainer.judged_rewards import rescore_groups
from trainer.pipeline.controller import GroupState
from trainer.samples import Sample, is_refused, shown_pictures, text_sample
from trainer.threads import in_thread
from trainer.written_samples import written_prompt

RETRY = "retry"
"""Marks the groups of a checkpoint that are retries; its value is the task's own instruction."""


@dataclass(slots=True)
class Solved:
    """What retries of one learner step gave: `tasks` with a success, and its samples."""

    episodes: int = 0
    successes: int = 0
    tasks: int = 0
    samples: list[Sample] = field(default_factory=list)


class Retries:
    """One for each reinforce phase."""

    def __init__(self, context: Context, phase: str, writer: Writer) -> None:
        self._context, self._phase, self._writer = context, phase, writer
        self._config = context.config.feedback
        own = context.collector
        # Its own collector: the phase's capacity and buffer are of its groups alone.
        self._collector = Collector(own.run_id, own.store, own.dispatcher, own.config)
        self._instructions: dict[str, str] = {}

    @property
    def fallbacks(self) -> int:
        """How often rules wrote in the place of a model."""
        return self._writer.fallbacks

    def adopt(self, groups: Sequence[GroupState]) -> None:
        """Goes on with the retries of a checkpoint."""
        for group in groups:
            self._collector.adopt(group["id"], Task.model_validate(group["task"]))
            self._instructions[group["id"]] = group[RETRY]

    def state(self) -> list[GroupState]:
        """The retries under way, for a checkpoint."""
        return [
            {
                "id": key,
                "task": entry.task.model_dump(mode="json"),
                "oldest": None,
                RETRY: self._instructions[key],
            }
            for key, entry in self._collector.open_groups.items()
        ]

    async def begin(self, groups: Sequence[FinishedGroup]) -> int:
        """Submits retries of some groups in which every episode failed; returns how many groups."""
        config, rng = self._config, self._context.rng
        if not config.retries:
            return 0
        failed = [group for group in groups if _all_failed(self._context, group)]
        chosen = rng.sample(failed, min(config.tasks, len(failed)))
        advised = list(await asyncio.gather(*map(self._advise, chosen)))
        ids = self._collector.submit(
            phase=self._phase,
            purpose="train",
            tasks=advised,
            size=config.retries,
            policy="live",
            sampling=self._context.sampling,
        )
        for key, group in zip(ids, chosen, strict=True):
            self._instructions[key] = group.task.instruction
        return len(chosen)

    async def take(self, is_last: bool) -> Solved:
        """What has ended; in the phase's last step what has not is waited for, too."""
        collector = self._collector
        await collector.note_starts(self._context.version)
        groups = await (collector.gather(collector.in_flight) if is_last else collector.collect())
        groups = (await rescore_groups(self._context, groups)).groups
        self._context.progress.count_episodes(groups)
        solved = Solved()
        for group in groups:
            instruction = self._instructions.pop(group.id)
            rows = [row for row in group.episodes if self._context.is_trusted(row)]
            wins = [row for row in rows if row.success]
            solved.episodes += len(group.episodes)
            solved.successes += len(wins)
            if wins:
                # One a task, as a rescue is: an easy retry must not outweigh the others.
                row = self._context.rng.choice(wins)
                samples = await in_thread(self._distil, row, group.task.instruction, instruction)
                solved.tasks += bool(samples)
                solved.samples += samples
        return solved

    def cancel(self) -> None:
        """Ends what is under way."""
        self._collector.cancel_in_flight()
        self._instructions.clear()

    async def _advise(self, group: FinishedGroup) -> Task:
        if self._config.writer == "none":
            return group.task
        row = max(group.episodes, key=lambda row: row.score or 0.0)
        attempt = await in_thread(_read_attempt, self._context, group.task, row)
        verdict = Verdict.model_validate(row.verdict or {"score": row.score or 0.0})
        return advise(group.task, await self._writer.write(attempt, verdict))

    def _distil(self, row: Episode, advised: str, instruction: str) -> list[Sample]:
        """The steps of a success with the prompts of a policy that was told nothing: its own
        tokens, which it would hardly have sampled there, so there are no logprobs."""
        context = self._context
        learner = context.learner
        form = served_format(context.tokenizer, learner.model_config, learner.pictures)
        samples = []
        for step in context.artifacts.read_seen(row.id).steps:
            prompt = unadvised_prompt(step.prompt, advised, instruction)
            if prompt is not None and step.completion.token_ids and not is_refused(step):
                sizes = [picture.size for picture in step.completion.pictures]
                ids = written_prompt(context, form, prompt, sizes)
                pictures = shown_pictures(step)
                samples.append(text_sample(ids, step.completion.token_ids, pictures=pictures))
        return samples


def _all_failed(context: Context, group: FinishedGroup) -> bool:
    """Whether it is known that every episode failed, none by weights that were rejected."""
    rows = group.episodes
    is_whole = bool(rows) and not group.lost and not group.stale
    return is_whole and all(not row.success and context.is_trusted(row) for row in rows)


def _read_attempt(context: Context, task: Task, row: Episode) -> Attempt:
    steps = context.artifacts.read_trajectory(row.id).steps
    return Attempt(
        instruction=task.instruction, steps=steps, reason=row.reason or "", answer=row.answer
    )
