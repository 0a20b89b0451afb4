"""Behaviour cloning: oracle episodes through the same runner, then supervised training.

The oracle's texts are tokenised with the policy's tokenizer exactly as the server would see and
sample them. Only successful demonstrations are kept; some whole episodes are kept from training, to
see what is learnt and not remembered.
"""

from __future__ import annotations

import random

from agent_server.episodes.trajectory import Step
from envs.outcomes import Status
from envs.tasks import HELDOUT_SEED_BASE
from trainer.context import Context, PhaseRecord
from trainer.phases.supervised import Watch, supervise
from trainer.samples import Sample, text_sample
from trainer.threads import in_thread
from trainer.tokenizer import encode_answer, encode_prompt

WATCHED_STEPS = 32
"""Steps looked at to see how well those kept back are predicted: a second of computing."""


async def imitate(context: Context, record: PhaseRecord) -> None:
    config = context.config.imitate_of(record.name)
    context.learner.reset_optimizer(config.lr, 0)
    await demonstrate(context, record)
    ids = context.demonstrations
    if not ids:
        raise RuntimeError(
            f"{record.name}: no oracle episode succeeded, so there is nothing to imitate; "
            f"see {context.run_dir / 'logs'}"
        )
    held = ids[: int(config.heldout_share * len(ids))]
    kept_back = await in_thread(oracle_samples, context, held)
    samples = await in_thread(oracle_samples, context, ids[len(held) :], config.prompt_ce)
    # At random: every n-th step would be the same step of each episode where n is their length.
    chance = random.Random(f"watched:{context.config.seed}")
    watch = Watch(
        chance.sample(kept_back, min(WATCHED_STEPS, len(kept_back))),
        config.check_every,
        config.entropy_floor,
        config.loss_target,
    )
    context.metrics.log(
        record.name, 0, {"oracle_steps": len(samples), "oracle_steps_kept_back": len(kept_back)}
    )
    record.ended_by = await supervise(context, record, samples, config, watch)
    await context.deliver(record, samples)


async def demonstrate(context: Context, record: PhaseRecord) -> None:
    """Fills `context.demonstrations` with the ids of successful oracle episodes."""
    count = context.config.imitate_of(record.name).episodes
    tasks = [
        context.task(
            context.tasks.trained[index % len(context.tasks.trained)],
            context.rng.randrange(HELDOUT_SEED_BASE),
        )
        for index in range(count)
    ]
    context.progress.detail(f"collecting {count} oracle episodes")
    context.collector.ask(record.name, "imitate", tasks, 1, "oracle", context.sampling)
    solved: dict[str, str] = {}
    home = 0
    while context.collector.in_flight:
        groups = await context.collector.gather(20)
        home += len(groups)
        for group in groups:
            for row in group.episodes:
                if row.success and row.status is Status.SCORED:
                    solved[group.task.id] = row.id
        context.progress.fraction(home / count)
        context.progress.episodes(groups)
    # In the order of the tasks, not of arrival: which worker was faster must not matter.
    context.demonstrations = [solved[task.id] for task in tasks if task.id in solved]
    context.metrics.log(
        record.name, 0, {"oracle_episodes": count, "oracle_solved": len(context.demonstrations)}
    )


def oracle_samples(
    context: Context, episode_ids: list[str], prompt_ce: float = 0.0
) -> list[Sample]:
    """The steps of oracle episodes, as the policy would have read and written them."""
    steps: list[Step] = []
    for episode_id in episode_ids:
        steps += context.artifacts.read_trajectory(episode_id).steps
    return [
        text_sample(
            encode_prompt(context.tokenizer, step.prompt),
            encode_answer(context.tokenizer, step.completion.text),
            prompt_ce=prompt_ce,
        )
        for step in steps
    ]
