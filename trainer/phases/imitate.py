"""Behaviour cloning: oracle episodes through the same runner, then supervised training.

The oracle's texts are tokenised with the policy's tokenizer exactly as the server would see and
sample them. Only successful demonstrations are kept.
"""

from __future__ import annotations

import asyncio

from agent_server.store.tables import Episode
from envs.gyms.registry import get_gym
from envs.outcomes import Status
from envs.tasks import HELDOUT_SEED_BASE
from trainer.context import Context, PhaseRecord
from trainer.phases.supervised import supervise
from trainer.samples import Sample, text_sample
from trainer.tokenizer import encode_answer, encode_prompt


async def imitate(context: Context, record: PhaseRecord) -> None:
    config = context.config.imitate
    await demonstrate(context, record)
    await supervise(
        context,
        record,
        context.demonstrations,
        lr=config.lr,
        warmup=config.warmup_updates,
        updates=config.updates,
        batch=config.batch_steps,
        max_minutes=config.max_minutes,
    )
    await context.deliver(record, context.demonstrations)


async def demonstrate(context: Context, record: PhaseRecord) -> None:
    """Fills `context.demonstrations` with the steps of successful oracle episodes."""
    config, env = context.config.imitate, context.config.env
    gym = get_gym(env.gym)
    tasks = [
        gym.make_task(
            context.templates[index % len(context.templates)],
            context.rng.randrange(HELDOUT_SEED_BASE),
        )
        for index in range(config.episodes)
    ]
    context.progress.detail(f"collecting {len(tasks)} oracle episodes")
    context.collector.ask(record.name, "imitate", tasks, 1, "oracle", context.sampling)
    home = 0
    rows: list[Episode] = []
    while context.collector.in_flight:
        groups = await context.collector.gather(20, context.version, 10**9)
        rows += [row for group in groups for row in group.episodes]
        home += len(groups)
        context.progress.fraction(home / len(tasks))
        context.progress.episodes(groups)
    solved = [row.id for row in rows if row.success and row.status is Status.SCORED]
    context.demonstrations = await asyncio.to_thread(_samples, context, solved)
    context.metrics.log(
        record.name,
        0,
        {"oracle_episodes": len(rows), "oracle_solved": len(solved),
         "oracle_steps": len(context.demonstrations)},
    )  # fmt: skip


def _samples(context: Context, episode_ids: list[str]) -> list[Sample]:
    weight = context.config.imitate.prompt_ce
    samples = []
    for episode_id in episode_ids:
        for step in context.artifacts.read_trajectory(episode_id).steps:
            samples.append(
                text_sample(
                    encode_prompt(context.tokenizer, step.prompt),
                    encode_answer(context.tokenizer, step.completion.text),
                    prompt_ce=weight,
                )
            )
    return samples
