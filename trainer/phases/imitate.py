"""Behaviour cloning: oracle episodes through the same runner, then supervised training.

The oracle's texts are tokenised with the policy's tokenizer exactly as the server would see and
sample them. Only successful demonstrations are used; some are of dev tasks and never trained on, so
that the stopping rule sees what is learnt and not what is remembered.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence

from agent_server.episodes.trajectory import Step
from agent_server.policy.manifest import PromptFormat
from agent_server.policy.renamed import Naming, write_naming
from agent_server.policy.renaming import WORD, rename_step
from agent_server.policy.stumbling import NAME as STUMBLING
from agent_server.store.episodes import describe_task
from envs.contract.task import DEV_SEED_BASE, HELDOUT_SEED_BASE
from trainer.chat_format import served_format
from trainer.context import Context, PhaseRecord
from trainer.imitate_config import ImitateConfig
from trainer.phases.chat_examples import example_samples
from trainer.phases.states import fix_states
from trainer.phases.supervised import StoppingRule, supervise
from trainer.phases.text_episodes import share_of, solution_samples
from trainer.role_steps import demonstrate
from trainer.samples import Sample, is_refused, shown_pictures
from trainer.threads import in_thread
from trainer.tokenizer import word_pieces
from trainer.written_samples import written_sample

HELDOUT_STEPS = 32
"""Held-out steps whose loss is computed: a second of computing."""


async def imitate(
    context: Context, record: PhaseRecord, start: int, save: Callable[[int], Awaitable[None]]
) -> None:
    """Collects demonstrations, trains on them from update `start` on, and swaps the result in.
    `save` writes a checkpoint with the number of updates that are done.

    Raises RuntimeError where no demonstration succeeded."""
    config = context.config.settings_of(record.name, ImitateConfig)
    if not start:
        context.learner.drop_reference()
        context.learner.reset_optimizer(config.lr, 0)
        record.heldout = await collect_demonstrations(context, record)
    if not context.demonstrations:
        raise RuntimeError(
            f"{record.name}: no oracle episode succeeded, so there is nothing to imitate; "
            f"see {context.run_dir / 'logs'}"
        )
    heldout = await in_thread(oracle_samples, context, record.heldout)
    samples = await in_thread(
        oracle_samples,
        context,
        context.demonstrations,
        config.prompt_ce,
        config.renamed,
        record.heldout,
    )
    fix_states(context, heldout)
    own, share = len(samples), context.config.reasoning.share
    added = share_of(own, share, beside=config.data_share)
    samples += await in_thread(solution_samples, context, record.name, added, config.prompt_ce)
    others = share_of(own, config.data_share, beside=share)
    samples += await in_thread(example_samples, context, config.data, others, config.prompt_ce)
    # At random: every n-th step would be the same step of each episode where n is their length.
    rng = random.Random(f"watched:{context.config.seed}")
    rule = StoppingRule(
        heldout=rng.sample(heldout, min(HELDOUT_STEPS, len(heldout))),
        check_every=config.check_every,
        entropy_floor=config.entropy_floor,
        loss_target=config.loss_target,
        entropy=record.entropy_average,
    )
    context.metrics.log(
        record.name,
        0,
        {
            "oracle_steps": own,
            "oracle_steps_kept_back": len(heldout),
            "reasoning_solutions": added,
            "examples_of_others": others,
        },
    )
    record.ended_by = await supervise(context, record, samples, config, rule, start, save)
    await context.publish_and_swap(record, samples)


async def collect_demonstrations(context: Context, record: PhaseRecord) -> list[str]:
    """Adds the ids of successful oracle episodes of training tasks to `context.demonstrations`, so
    that a later round forgets no earlier one; returns those of dev tasks."""
    config = context.config.settings_of(record.name, ImitateConfig)
    count, dev_count = config.episodes, int(config.heldout_share * config.episodes)
    templates = context.tasks.trained
    focused = range(count - int(config.focus * count), count)
    failures = failure_rates(context)
    tasks = []
    for index in range(count):
        template = templates[index % len(templates)]
        if index in focused and failures:
            template = context.rng.choices(list(failures), list(failures.values()))[0]
        base = DEV_SEED_BASE if index < dev_count else 0
        seed = context.rng.randrange(HELDOUT_SEED_BASE) + base
        tasks.append(context.make_task(template, seed))
    context.progress.show_detail(f"collecting {count} oracle episodes")
    # An earlier process of the run, stopped in this phase, drew the same tasks.
    before = {
        describe_task(row.task)[0]: row
        for row in context.store.episodes.with_score(context.run_id, record.name)
    }
    solved = {task_id: row.id for task_id, row in before.items() if row.success}
    context.collector.submit(
        phase=record.name,
        purpose="imitate",
        tasks=[task for task in tasks if task.id not in before],
        size=1,
        policy=STUMBLING if config.stumbles else "oracle",
        sampling=context.sampling,
    )
    completed = len(before)
    while context.collector.in_flight:
        groups = await context.collector.gather(20)
        completed += len(groups)
        for group in groups:
            for row in group.episodes:
                # A task whose limit is the steps of its solution ends by the limit, solved.
                if row.success and row.status.has_score:
                    solved[group.task.id] = row.id
        context.progress.set_fraction(completed / count)
        context.progress.count_episodes(groups)
    # In the order of the tasks, not of arrival: which worker was faster must not matter.
    dev_ids, train_ids = (
        [solved[task.id] for task in part if task.id in solved]
        for part in (tasks[:dev_count], tasks[dev_count:])
    )
    context.demonstrations = list(dict.fromkeys([*context.demonstrations, *train_ids]))
    context.metrics.log(record.name, 0, {"oracle_episodes": count, "oracle_solved": len(solved)})
    return dev_ids


def failure_rates(context: Context) -> dict[str, float]:
    """The share of dev tasks of each template that failed after the last phase that tried any;
    empty where none did, or none failed."""
    tried = [record.dev for record in context.records if record.dev]
    figures = tried[-1]["by_template"] if tried else {}
    rates = {name: 1.0 - row["success_rate"] for name, row in figures.items()}
    return {name: rate for name, rate in rates.items() if rate > 0}


def oracle_samples(
    context: Context,
    episode_ids: list[str],
    prompt_ce: float = 0.0,
    renamed: float = 0.0,
    heldout_ids: Sequence[str] = (),
) -> list[Sample]:
    """The steps of oracle episodes, as the policy would have read and written them, but for its
    slips. On a share `renamed` of them names are made up: words that pages of `heldout_ids`, which
    are of another split, do not have."""
    steps = _steps_of(context, episode_ids)
    interface = _interface_words(steps, _steps_of(context, heldout_ids))
    rng = random.Random(f"renamed:{context.config.seed}:{len(steps)}")
    pieces, learner = word_pieces(context.tokenizer), context.learner
    form = served_format(context.tokenizer, learner.model_config, learner.pictures)
    samples = []
    for step in steps:
        prompt, answer = step.prompt, step.completion.text
        if rng.random() < renamed:
            prompt, answer = rename_step(prompt, answer, interface, rng, pieces)
        samples += [
            _oracle_sample(context, form, step, role_prompt, role_answer, prompt_ce)
            for role_prompt, role_answer in demonstrate(prompt, answer, context.config.roles)
        ]
    return samples


def tell_naming(context: Context) -> None:
    """Tells the workers which words no renaming touches, and what new ones are made of."""
    parts = (_steps_of(context, ids) for ids in (context.demonstrations, heldout_ids(context)))
    naming = Naming(interface=_interface_words(*parts), pieces=word_pieces(context.tokenizer))
    write_naming(context.run_dir, naming)


def heldout_ids(context: Context) -> list[str]:
    """The demonstrations of dev tasks of the imitations that are done."""
    return [episode_id for record in context.records for episode_id in record.heldout]


def _interface_words(steps: Sequence[Step], heldout: Sequence[Step]) -> frozenset[str]:
    """Words on pages of both splits, for no name belongs to both."""
    words, others = (
        {word for step in part for word in WORD.findall(step.prompt)} for part in (steps, heldout)
    )
    return frozenset(words & others)


def _steps_of(context: Context, episode_ids: Sequence[str]) -> list[Step]:
    """What the oracle did, without the slips that were refused."""
    return [
        step
        for episode_id in episode_ids
        for step in context.artifacts.read_seen(episode_id).steps
        if not is_refused(step)
    ]


def _oracle_sample(
    context: Context, form: PromptFormat, step: Step, prompt: str, answer: str, prompt_ce: float
) -> Sample:
    return written_sample(
        context,
        form,
        prompt=prompt,
        answer=answer,
        pictures=shown_pictures(step),
        sizes=[picture.size for picture in step.completion.pictures],
        prompt_ce=prompt_ce,
    )
